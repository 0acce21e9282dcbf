"""Where the warm calls of a process get their memory from: the same place in each process.

By default glibc gives a large array back to the kernel when it is freed, or does not, depending on its address; the next
array's pages are then new, which can take longer than the work. Kept in the process, arrays are cut out of the free space,
best fit first, in an order that differs between processes and repeats in each: torch's philox_pi takes 13 ms in some
processes and 15 in others. jemalloc has lists by size, and every process ends in the same order.
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
"""Where there is no jemalloc. For arrays of up to 32 MiB."""


def variables() -> dict[str, str]:
    """Return environment variables with which freed memory stays with the process, in large pages."""
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
