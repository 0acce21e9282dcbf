"""This machine: the identity of its hardware, and the cores and memory that this process may use."""

import contextlib
import functools
import os
import platform
import re
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from jitkernels import settings
from jitkernels.settings import cores as cores

VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "sve": "SVE", "asimd": "NEON"}
"""Widest first, by Linux's name of the flag. Machines with one model name may differ in vector width by a factor of two."""


VENDORS = {"AuthenticAMD": "amd", "GenuineIntel": "intel", "0x41": "arm", "0x61": "apple", "0xc0": "ampere"}
"""Short names of makers, by Linux's name for them."""
PARTS = (("vendor_id", "cpu family", "model", "stepping"), ("CPU implementer", "CPU part", "CPU variant", "CPU revision"))
"""The fields of /proc/cpuinfo that say which processor it is: on x86, on ARM."""

HOST = ", host "
"""Between the name of a GPU and that of its host's processor."""


def processor() -> str:
    """Return the processor's own name of its model and its widest vectors; if kernels run on a GPU, the GPU first."""
    fields = fields_of("cpuinfo")
    model = fields.get("model name") or platform.processor() or platform.machine()
    vectors = _widest_vectors(fields)
    host = f"{model} ({vectors})" if vectors else model
    return f"{gpu()}{HOST}{host}" if settings.device() == "gpu" else host


def is_gpu(processor: str) -> bool:
    """True if a processor's name, as ``processor`` returns it, is that of a GPU and its host."""
    return HOST in processor


def identity() -> str:
    """Return the name of the hardware, under which its results are filed.

    Vendor, family, model, stepping, widest vectors and cores, as in "amd-25-17-1-avx512-2"; before them the GPU, if kernels
    run there. The host's name and the size of its memory are no part of it: the same hardware has the same name in a
    container, on a hosted runner and at home.
    """
    host = identity_of(fields_of("cpuinfo"), cores())
    return slug(gpu(), host) if settings.device() == "gpu" else host


def identity_of(fields: Mapping[str, str], cores: int) -> str:
    """Return the name of the hardware that these fields of one processor in /proc/cpuinfo describe."""
    parts = next(([fields[name] for name in names] for names in PARTS if all(name in fields for name in names)), None)
    if parts is None:  # a system without /proc/cpuinfo, or a processor that is described otherwise
        parts = [fields.get("model name") or platform.processor() or platform.machine()]
    vendor, *rest = parts
    return slug(VENDORS.get(vendor, vendor), *rest, _widest_vectors(fields), str(cores))


@functools.cache
def gpu() -> str:
    """Return the name of the first GPU, as NVIDIA's driver gives it; "GPU" without that driver."""
    try:
        names = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    except OSError:
        return "GPU"
    return names.stdout.partition("\n")[0].strip() if names.returncode == 0 else "GPU"


def slug(*words: str) -> str:
    """Return the words in lower case, joined by hyphens, as a file's name. "AVX-512" becomes "avx512"."""
    plain = (re.sub(r"[^a-z0-9]+", "-", word.lower().replace("avx-512", "avx512")).strip("-") for word in words)
    return "-".join(filter(None, plain))


def fields_of(file: str) -> dict[str, str]:
    """Return the fields of a file in /proc with lines "name: value", in cpuinfo the last processor's; none on a system
    without the file (not Linux)."""
    path = Path("/proc", file)
    text = path.read_text() if path.exists() else ""
    pairs = (line.partition(":") for line in text.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}


def flags_of(fields: Mapping[str, str]) -> str:
    """Return a processor's flags, one word each, by Linux's names: on x86, on ARM."""
    return fields.get("flags", fields.get("Features", ""))


def _widest_vectors(fields: Mapping[str, str]) -> str:
    """Return their name; "" without any."""
    flags = flags_of(fields).split()
    return next((name for flag, name in VECTORS.items() if flag in flags), "")


def available_bytes() -> int:
    """Return the bytes of memory that a process can still take without swapping, as Linux estimates them; elsewhere those of
    the machine's whole memory."""
    return _bytes("meminfo", "MemAvailable") or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def resident_bytes() -> int:
    """Return the bytes of memory that this process holds now; not on Linux, its peak since its start."""
    return _bytes("self/status", "VmRSS") or _peak_since_start()


def peak_bytes() -> int:
    """Return the most bytes that this process has held since ``reset_peak`` (Linux), or since its start."""
    return _bytes("self/status", "VmHWM") or _peak_since_start()


def _peak_since_start() -> int:
    """Return bytes. getrusage counts kilobytes, except on macOS."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def reset_peak() -> None:
    """Begin a new peak; https://docs.kernel.org/filesystems/proc.html, /proc/PID/clear_refs."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def _bytes(file: str, field: str) -> int:
    """Return the bytes that a field counts in kB; 0 without the field."""
    return int(fields_of(file).get(field, "0").split()[0]) * 1024


def threads_named(name: str) -> int:
    """Return how many threads of this process have the name; 0 on a system that shows no names (not Linux)."""
    count = 0
    for path in Path("/proc/self/task").glob("*/comm"):
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            count += path.read_text().strip() == name
    return count
