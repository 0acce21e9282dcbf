"""Make warm calls allocate memory in the same way in every process.

By default glibc returns some freed large arrays to the kernel, depending on their address. The next array's pages are then
new, which can take longer than the work. If glibc keeps the memory, it cuts arrays out of the best fitting free space, in an
order that repeats within a process and differs between processes: torch's philox_pi takes 13 ms in some and 15 in others.
jemalloc has lists by size, and every process reaches the same order.
"""

import ctypes.util
import functools
import os
import sys

JEMALLOC = {"MALLOC_CONF": "thp:always,dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:0"}
GLIBC = {
    "MALLOC_MMAP_THRESHOLD_": "33554432",
    "MALLOC_TRIM_THRESHOLD_": "4000000000",
    "MALLOC_TOP_PAD_": "67108864",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
"""Used if jemalloc is missing. For arrays of up to 32 MiB."""


def variables() -> dict[str, str]:
    """Return environment variables that keep freed memory in the process, in large pages."""
    library = jemalloc()
    if not library:
        return dict(GLIBC)
    return {"LD_PRELOAD": " ".join(filter(None, (library, os.environ.get("LD_PRELOAD")))), **JEMALLOC}


def allocator() -> str:
    """Return the allocator's name."""
    return "jemalloc" if jemalloc() else "glibc"


@functools.cache
def jemalloc() -> str | None:
    """Return the library's file name for the loader; None if it is not installed (Debian's package: libjemalloc2)."""
    return ctypes.util.find_library("jemalloc") if sys.platform == "linux" else None
