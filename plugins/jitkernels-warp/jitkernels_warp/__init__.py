"""NVIDIA Warp as a backend of jitkernels. Importing this package does not import Warp."""

from jitkernels.backends.table import Backend, DiskCache, Framework

WARP = Backend(
    name="warp",
    framework=Framework(
        dialect="warp",
        compiler="jitkernels_warp.compiler:Warp",
        colour="#5a8f00",
        packages=("warp",),
        parts=("numpy",),
        distributions=("warp-lang",),
        devices=("cpu", "gpu"),
        caches=(DiskCache("WARP_CACHE_PATH", "warp"),),
        kernels="jitkernels_warp.kernels",
        fixed_types="the types stand in the kernel's signature: Warp compiles no other",
    ),
    mode="jit",
    what="NVIDIA Warp, wp.launch",
    dash=(1, 0),
    shape="diamond",
)
