"""cold, cached, warm, retrace and memory for the command line (asv has its own clock).

Every function here measures in the process that calls it; ``worker`` gives each its fresh process. Seconds are wall time.
"""

import resource
import time
from pathlib import Path

from jitkernels.case import Case, prepare

SAMPLES = 10  # enough for a median and quartiles; asv's own test needs at least 7 a side
SAMPLE_SECONDS = 0.01  # far above the clock's resolution, of the order of a scheduler's slice
WARM_UP_SECONDS = 0.1  # long enough for the clock frequency to settle


def warm(case: Case) -> list[float]:
    """SAMPLES samples of seconds a call, of a case that has been checked. Inside the clock: the calls and the waits, and
    the loop around them."""
    last = _warm_up(case)
    calls = max(1, round(SAMPLE_SECONDS / last))
    return [_seconds(case, calls) / calls for _ in range(SAMPLES)]


def first_call(kernel: str, backend: str, size: int, seed: int) -> float:
    """Seconds of the first call in this process: cold where the caches are empty, cached where they are filled.

    Outside the clock: the framework's import, its one-off start, and moving the inputs to the device.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    return _seconds(case, 1)


def retrace(case: Case) -> tuple[float, int]:
    """Seconds of the first call at another size in a process that is warm, and how many programs it compiled.

    None compiled means that this backend runs any size with the program it has.
    """
    other = prepare(case.kernel.name, case.backend.name, _neighbour(case), case.seed)
    before = case.compiler.programs()
    seconds = _seconds(other, 1)
    return seconds, case.compiler.programs() - before


def peak_bytes(kernel: str, backend: str, size: int, seed: int) -> int:
    """Bytes by which this process's peak grows over what it holds when the framework is imported and started.

    Two calls are made: one that compiles, one that is warm.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    before = resident_bytes()
    reset_peak()
    case.call()
    case.call()
    return max(0, high_water_bytes() - before)


def resident_bytes() -> int:
    """Bytes of memory that this process holds now."""
    return _status("VmRSS")


def high_water_bytes() -> int:
    """The most this process has held since ``reset_peak`` (Linux), or since its start."""
    return _status("VmHWM")


def reset_peak() -> None:
    """Start the high-water mark anew; https://docs.kernel.org/filesystems/proc.html, /proc/PID/clear_refs."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def _status(field: str) -> int:
    status = Path("/proc/self/status")
    if not status.exists():  # not Linux: the high-water mark is all there is
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024


def _warm_up(case: Case) -> float:
    """Call for WARM_UP_SECONDS, at least twice; the last call's seconds."""
    begin = time.perf_counter()
    seconds = [_seconds(case, 1), _seconds(case, 1)]
    while time.perf_counter() - begin < WARM_UP_SECONDS:
        seconds.append(_seconds(case, 1))
    return seconds[-1]


def _seconds(case: Case, calls: int) -> float:
    call = case.call
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return time.perf_counter() - begin


def _neighbour(case: Case) -> int:
    """Another allowed size, as near as can be."""
    return case.size + 1 if case.size + 1 in case.kernel.sizes else case.size - 1
