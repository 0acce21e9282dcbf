"""Where warm calls get their memory from while they are measured: the same place in each process.

By default glibc gives a large array back to the kernel when it is freed, or does not, by where it happens to lie; the next
one's pages are then new, which can take longer than the work. Kept in the process, arrays are cut out of what is free there,
best fit first, and each process finds an order of its own to do that in, which its calls then repeat: torch's philox_pi
takes 13 ms in some processes and 15 in others. jemalloc, which has lists by size, ends in the same order each time.
"""

import ctypes.util
import functools
import os
import sys

JEMALLOC = {"MALLOC_CONF": "thp:always,dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0"}
GLIBC = {
    "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "4000000000", "MALLOC_TOP_PAD_": "67108864",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}  # fmt: skip
"""Where there is no jemalloc. Up to arrays of 32 MiB."""


def kept() -> dict[str, str]:
    """Variables of the environment with which what is freed stays with the process, in large pages."""
    library = jemalloc()
    if not library:
        return dict(GLIBC)
    return {"LD_PRELOAD": " ".join(filter(None, (library, os.environ.get("LD_PRELOAD")))), **JEMALLOC}


def allocator() -> str:
    """Its name."""
    return "jemalloc" if jemalloc() else "glibc"


@functools.cache
def jemalloc() -> str | None:
    """The library's file as the loader knows it; None where the system has none (Debian's package: libjemalloc2)."""
    return ctypes.util.find_library("jemalloc") if sys.platform == "linux" else None
