"""The memory that this process holds, and its peak."""

import resource
from pathlib import Path


def resident_bytes() -> int:
    """Return the bytes of memory that this process holds now."""
    return _status("VmRSS")


def peak_bytes() -> int:
    """Return the most bytes that this process has held since ``reset_peak`` (Linux), or since its start."""
    return _status("VmHWM")


def reset_peak() -> None:
    """Begin a new peak; https://docs.kernel.org/filesystems/proc.html, /proc/PID/clear_refs."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def _status(field: str) -> int:
    status = Path("/proc/self/status")
    if not status.exists():  # not Linux: the peak since the start is all there is
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024
