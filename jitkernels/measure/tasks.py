"""What a child can be asked about one case: the tasks of ``process``, and the clocks of the command line.

Every task takes a case by its names and returns figures as JSON has them. Seconds are wall time. asv has a clock of its own.
"""

import math
import time

from jitkernels import kernels, machine
from jitkernels.case import Case, prepare, widened
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN
from jitkernels.measure import memory as process_memory
from jitkernels.measure import retrace as changes
from jitkernels.measure.child import Figures

SAMPLES = 10  # enough for a median and quartiles; asv's own test needs at least 7 a side
SAMPLE_SECONDS = 0.01  # far above the clock's resolution, of the order of a scheduler's slice
SERIES_CALLS = 200  # each with its own seconds: by then a compiler has compiled again and a runtime has settled
SERIES_SECONDS = 1.0  # enough for a verdict on calls of up to 30 ms; slower ones have too few for one
WARM_UP_SECONDS = 0.1  # long enough for the clock frequency to settle


def check(kernel: str, backend: str, size: int, seed: int) -> Figures:
    """The checked answer and where it comes from."""
    return _checked(prepare(kernel, backend, size, seed))


def warm(kernel: str, backend: str, size: int, seed: int) -> Figures:
    """The checked answer, the seconds of each call after it, and samples of the seconds of a warm call."""
    case = prepare(kernel, backend, size, seed)
    row = _checked(case)
    first_calls = [float(f"{seconds:.4g}") for seconds in series(case, 2, SERIES_CALLS, SERIES_SECONDS)]
    return {**row, "first_calls": first_calls, "samples": samples(case)}


def first_call(kernel: str, backend: str, size: int, seed: int) -> Figures:
    """The seconds of this process's first call: cold where the caches are empty, cached where they are filled.

    Beside them the programs that it compiled, and those that a disk cache gave it. Outside the clock: the framework's
    import, its one-off start, and moving the inputs to the device.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    compiled, from_disk = case.compiled(), case.compiler.from_disk()
    seconds = timed(case)
    return {
        "seconds": seconds,
        "programs": case.compiled() - compiled,
        "from_disk": case.compiler.from_disk() - from_disk,
    }


def retrace(kernel: str, backend: str, size: int, seed: int, kind: str) -> Figures:
    """Return the seconds of the first call after the change, the programs that it compiled, and the change in words.

    Inside the clock: the call and the wait. Both answers are checked, the first before the clock and the second after it.
    No program means that the backend runs the new thing with a program it has, or compiles nothing at all.
    """
    spelling = changes.static_spelling(kernels.load(kernel)) if kind == "static" else RUN
    case = prepare(kernel, backend, size, seed, spelling or RUN)
    if kind == "dtype" and case.interpreted:
        raise Unavailable("an interpreter stands in for the compiler on this device: there is nothing to compile anew")
    case.check()
    other = (
        _widened(case)
        if kind == "dtype"
        else prepare(kernel, backend, changes.neighbour(case.kernel, size), seed, case.spelling)
    )
    before = case.compiled()
    seconds = timed(other)
    programs = case.compiled() - before
    other.check()
    return {"seconds": seconds, "programs": programs, "change": _change(case, other, kind)}


def stages(kernel: str, backend: str, size: int, seed: int) -> Figures:
    """The seconds of each stage of one compilation, of what is in no stage, and of the whole."""
    case = prepare(kernel, backend, size, seed)
    case.start()
    compilation = case.stages()
    return {
        "stages": dict(compilation.seconds),
        "stages_other": compilation.other,
        "stages_total": compilation.total,
        "stages_cpu_seconds": compilation.cpu_seconds,
    }


def memory(kernel: str, backend: str, size: int, seed: int) -> Figures:
    """The bytes by which the process's peak grows in the first call, which compiles and runs, and in the second, which runs.

    Both over what the process held when the framework had started, so what compiling leaves behind counts in both. Compilers
    that are processes of their own (C's, and the one that Inductor calls) are not in it.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    before = process_memory.resident_bytes()
    peaks = []
    for _ in range(2):
        process_memory.reset_peak()
        case.call()
        peaks.append(max(0, process_memory.peak_bytes() - before))
    return {"compile_peak_bytes": peaks[0], "run_peak_bytes": peaks[1], "peak_bytes": max(peaks)}


def artifacts(kernel: str, backend: str, size: int, seed: int) -> Figures:
    """The texts and counts of what the compiler produced."""
    product = prepare(kernel, backend, size, seed).artifacts()
    return {"texts": dict(product.texts), "counts": dict(product.counts)}


def samples(case: Case) -> list[float]:
    """Return SAMPLES samples of the seconds of one call of a case that has been checked.

    Inside the clock: the calls, the waits, and the loop around them. Before it: ``Case.settle``, and WARM_UP_SECONDS of
    calls.
    """
    case.settle()
    *_, last = series(case, 2, limit=WARM_UP_SECONDS)
    calls = max(1, round(SAMPLE_SECONDS / last))
    return [timed(case, calls) / calls for _ in range(SAMPLES)]


def series(case: Case, fewest: int, most: float = math.inf, limit: float = math.inf) -> list[float]:
    """Return the seconds of each of the next calls: of ``most``, or of those that begin within ``limit`` seconds."""
    begin = time.perf_counter()
    seconds: list[float] = []
    while len(seconds) < fewest or (len(seconds) < most and time.perf_counter() - begin < limit):
        seconds.append(timed(case))
    return seconds


def timed(case: Case, calls: int = 1) -> float:
    """Return the seconds of so many calls, their waits, and the loop around them."""
    call = case.call
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return time.perf_counter() - begin


def _widened(case: Case) -> Case:
    """Return the case on the same numbers in float64: no promise of the kernel's, so ``with_inputs`` refuses it."""
    return Case(case.kernel, case.backend, case.size, case.seed, case.device, case.spelling, widened(case.inputs()))


def _change(case: Case, other: Case, kind: str) -> str:
    if kind == "dtype":
        return "float64 for float32"
    change = f"{other.size} {case.kernel.unit} for {case.size}"
    return change if case.spelling == RUN else f"{change}, spelled {case.spelling!r}"


def _checked(case: Case) -> Figures:
    metrics = case.metrics()
    if "hits" in metrics:
        metrics["hits"] = int(metrics["hits"])
    return {
        **metrics,
        "versions": case.compiler.versions(),
        "threads": case.compiler.threads(),
        "interpreted": case.interpreted,
        "processor": machine.processor(),
    }
