"""The machine that a figure is measured on."""

import contextlib
import os
import platform
from pathlib import Path

VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "sve": "SVE", "asimd": "NEON"}
"""Widest first, by Linux's name of the flag: one model's name covers machines whose vectors differ by a factor of two."""


def processor() -> str:
    """Return the processor's model, as it names itself, and its widest vectors."""
    cpuinfo = Path("/proc/cpuinfo")
    fields = _fields(cpuinfo.read_text()) if cpuinfo.exists() else {}
    model = fields.get("model name") or platform.processor() or platform.machine()
    flags = fields.get("flags", fields.get("Features", "")).split()
    vectors = next((name for flag, name in VECTORS.items() if flag in flags), None)
    return f"{model} ({vectors})" if vectors else model


def _fields(text: str) -> dict[str, str]:
    """Return the fields of the last processor in /proc/cpuinfo."""
    pairs = (line.partition(":") for line in text.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}


def cores() -> int:
    """Return how many logical processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_bytes() -> int:
    """Return the bytes of memory that a process can still take without swapping, by Linux's estimate."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")  # not Linux: all there is


def threads_named(name: str) -> int:
    """Return how many threads of this process have the name; 0 where the system does not show names (it is no Linux)."""
    count = 0
    for path in Path("/proc/self/task").glob("*/comm"):
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            count += path.read_text().strip() == name
    return count
