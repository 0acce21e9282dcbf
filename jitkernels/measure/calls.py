"""cold, cached, warm and memory for the command line (asv has its own clock).

Every function here measures in the process that calls it; ``worker`` gives each its fresh process. Seconds are wall time.
"""

import resource
import time
from pathlib import Path

from jitkernels.case import Case, prepare

SAMPLES = 10  # enough for a median and quartiles; asv's own test needs at least 7 a side
SAMPLE_SECONDS = 0.01  # far above the clock's resolution, of the order of a scheduler's slice
SERIES_CALLS = 200  # kept one by one: where a compiler compiles again or a runtime settles, it has by then
SERIES_SECONDS = 1.0  # enough for a verdict on calls of up to 30 ms; slower ones have too few for one
WARM_UP_SECONDS = 0.1  # long enough for the clock frequency to settle


def warm(case: Case) -> list[float]:
    """SAMPLES samples of seconds a call, of a case that has been checked. Inside the clock: the calls and the waits, and
    the loop around them. Before it: ``Case.settle``, and WARM_UP_SECONDS of calls."""
    case.settle()
    last = _warm_up(case)
    calls = max(1, round(SAMPLE_SECONDS / last))
    return [_seconds(case, calls) / calls for _ in range(SAMPLES)]


def first_calls(case: Case) -> list[float]:
    """Seconds of each of the next calls: SERIES_CALLS of them, or those that begin within SERIES_SECONDS, but at least two.

    The clock is read between the calls, which is in the seconds of each: tens of nanoseconds.
    """
    begin = time.perf_counter()
    seconds = [_seconds(case, 1), _seconds(case, 1)]
    while len(seconds) < SERIES_CALLS and time.perf_counter() - begin < SERIES_SECONDS:
        seconds.append(_seconds(case, 1))
    return seconds


def first_call(kernel: str, backend: str, size: int, seed: int) -> tuple[float, int, int]:
    """Seconds of the first call in this process: cold where the caches are empty, cached where they are filled. And how
    many programs it compiled, and how many a disk cache gave it.

    Outside the clock: the framework's import, its one-off start, and moving the inputs to the device.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    compiled, from_disk = case.compiled(), case.compiler.from_disk()
    seconds = _seconds(case, 1)
    return seconds, case.compiled() - compiled, case.compiler.from_disk() - from_disk


def peak_bytes(kernel: str, backend: str, size: int, seed: int) -> int:
    """Bytes by which this process's peak grows over what it holds when the framework is imported and started, in two calls:
    one that compiles, one that is warm."""
    return max(peaks(kernel, backend, size, seed))


def peaks(kernel: str, backend: str, size: int, seed: int) -> tuple[int, int]:
    """The bytes of ``peak_bytes`` apart: in the first call, which compiles and runs, and in the second, which only runs.

    Both over what the process held before the first, so that what compiling leaves behind counts in both. Compilers that
    are processes of their own (C's, and the one that Inductor calls) are not in it.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    before = resident_bytes()
    found = []
    for _ in range(2):
        reset_peak()
        case.call()
        found.append(max(0, high_water_bytes() - before))
    return found[0], found[1]


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
