"""Tasks of a child process about one case, for ``process``.

Every task takes a case by its names and returns figures for JSON. Seconds are wall time. asv has its own clock. A wrong
answer has no speed, so the first answers and the last timed one are checked. After a first call a second answer is checked
too, because a program may be wrong only when it is called again.
"""

from jitkernels import kernels, machine, shapes
from jitkernels.case import Case, in_float64, nothing_checked, prepare
from jitkernels.clock import samples, series, timed
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN, Kernel
from jitkernels.measure.instructions import count as count_instructions
from jitkernels.measure.instructions import forget_lookups
from jitkernels.measure.retrace import neighbour, static_spelling
from jitkernels.measure.rows import STAGES, Row, version

SERIES_CALLS = 200  # timed one by one: by then a compiler has compiled again and a runtime has settled
LEARNING_CALLS = 50  # Python 3.11 and later specialise a function within its first calls
SERIES_SECONDS = 1.0  # enough to judge calls of up to 30 ms; slower ones are too few


def check(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return the checked answer and its origin."""
    return _check(prepare(kernel, backend, size, seed, spelling))


def warm(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return the checked answer, the seconds of each later call, and samples of the seconds of a warm call."""
    case = prepare(kernel, backend, size, seed, spelling)
    row = _check(case)
    try:
        first_calls = [float(f"{seconds:.4g}") for seconds in series(case, 1, SERIES_CALLS, SERIES_SECONDS)]
        return {**row, "first_calls": first_calls, "samples": samples(case)}
    except AssertionError as error:
        raise AssertionError(f"a later answer to the inputs of a right one: {error}") from None


def first_call(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return the seconds of this process's first call: cold if the caches are empty, cached if they are filled.

    Also how many programs it compiled, and how many a disk cache gave it. Outside the clock: the framework's import, its
    one-off start, and moving the inputs to the device.
    """
    case = prepare(kernel, backend, size, seed, spelling)
    case.start()
    compiled, from_disk = case.compiled(), case.compiler.from_disk()
    with nothing_checked():
        seconds, answer = timed(case.call)
    programs = {"programs": case.compiled() - compiled, "from_disk": case.compiler.from_disk() - from_disk}
    case.check_answer(answer)
    case.check()
    return {"seconds": seconds, **programs}


def retrace(kernel: str, backend: str, size: int, seed: int, kind: str, spelling: str = RUN) -> Row:
    """Return the seconds of the second call, with the change, the programs that it compiled, and the change in words.

    Inside the clock: the call and the wait. No program means that the backend reuses a program, or compiles
    nothing at all. The answer before the change is checked too.
    """
    if kind == "static" and spelling == RUN:
        spelling = _static_spelling(kernels.load(kernel), size)
    case = prepare(kernel, backend, size, seed, spelling)
    if kind == "dtype" and case.interpreted:
        raise Unavailable("an interpreter stands in for the compiler on this device: there is nothing to compile anew")
    case.check()
    other = _with_change(case, kind)
    if kind == "dtype" and shapes.dtypes(case.arguments) == shapes.dtypes(other.arguments):
        raise Unavailable(f"{backend} takes float64 for float32 here")
    before = case.compiled()
    with nothing_checked():
        seconds, answer = timed(other.call)
    programs = case.compiled() - before
    other.check_answer(answer)
    other.check()
    return {"seconds": seconds, "programs": programs, "change": _change_in_words(case, other, kind)}


def stages(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return the seconds of each stage of one compilation, of the rest, and of the whole."""
    case = prepare(kernel, backend, size, seed, spelling)
    case.start()
    whole = case.stages()
    return dict(zip(STAGES, (dict(whole.seconds), whole.other, whole.total, whole.cpu_seconds), strict=True))


def memory(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return by how many bytes the process's peak grows in the first call (compile and run) and in the second (run).

    Both are relative to the started framework, so memory that compiling leaves behind counts in both. Compilers in their own
    processes (C's, and the one that Inductor calls) are not included. The second answer is checked.
    """
    case = prepare(kernel, backend, size, seed, spelling)
    case.start()
    before = machine.resident_bytes()
    peaks, answer = [], None
    for _ in range(2):
        answer = None  # the first answer must not be in memory during the second call
        machine.reset_peak()
        with nothing_checked():
            answer = case.call()
        peaks.append(max(0, machine.peak_bytes() - before))
    case.check_answer(answer)
    return {"compile_peak_bytes": peaks[0], "run_peak_bytes": peaks[1], "peak_bytes": max(peaks)}


def instructions(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return the instructions of a warm call on its own thread, after the calls in which Python specialises.

    The fewest of three calls, before each of which Python forgets where it found attributes. A call that starts a thread
    ends the process.
    """
    case = prepare(kernel, backend, size, seed, spelling)
    case.check()
    case.settle()
    counts = []
    for _ in range(3):
        forget_lookups()
        for _ in range(LEARNING_CALLS):
            case.call()
        counts.append(count_instructions(case.call))
    case.check()
    return {"instructions": min(counts)}


def artifacts(kernel: str, backend: str, size: int, seed: int, spelling: str = RUN) -> Row:
    """Return the texts and counts of the compiler's output."""
    product = prepare(kernel, backend, size, seed, spelling).artifacts()
    return {"texts": dict(product.texts), "counts": dict(product.counts)}


def _static_spelling(kernel: Kernel, size: int) -> str:
    """Return the spelling in which an argument is a constant. Unavailable if it does not allow this size."""
    spelling = static_spelling(kernel) or RUN
    try:
        kernel.valid_size(size, spelling)
    except ValueError as error:
        raise Unavailable(f"spelled {spelling!r}, {error}") from error
    return spelling


def _with_change(case: Case, kind: str) -> Case:
    """Return the case with another size; for "dtype" with the same numbers in float64. Unavailable if a user's ``inputs``
    refuses that size, or gives the same lengths and numbers for it."""
    if kind == "dtype":
        return case.with_unchecked_inputs(*in_float64(case.inputs()))
    size = neighbour(case.kernel, case.size, case.spelling)
    try:
        other = prepare(case.kernel.name, case.backend.name, size, case.seed, case.spelling)
    except ValueError as error:
        raise Unavailable(str(error)) from error
    if case.source.is_user_function and not _differs(case, other, kind):
        raise Unavailable(f"size {size} gives the {'lengths' if kind == 'shape' else 'numbers'} of size {case.size}")
    return other


def _differs(case: Case, other: Case, kind: str) -> bool:
    """True if an array has another shape; for another kind than "shape", if an argument that is no array, such as a constant
    of the program, has another value."""
    pairs = [(one, two, getattr(one, "shape", ())) for one, two in zip(case.inputs(), other.inputs(), strict=False)]
    if kind == "shape":
        return any(shape != getattr(two, "shape", ()) for _, two, shape in pairs)
    return any(one != two for one, two, shape in pairs if not shape)


def _change_in_words(case: Case, other: Case, kind: str) -> str:
    if kind == "dtype":
        return "float64 for float32"
    unit = case.kernel.unit
    change = f"{other.size} {unit} for {case.size}"
    if unit in ("number", "size"):  # names of the size itself: nothing is counted
        change = f"the {unit} {other.size} for {case.size}"
    return change if case.spelling == RUN or case.source.is_user_function else f"{change}, spelled {case.spelling!r}"


def _check(case: Case) -> Row:
    metrics = case.metrics()
    if "hits" in metrics:
        metrics["hits"] = int(metrics["hits"])
    return {
        **metrics,
        "version": version(case.compiler.versions()),
        "threads": case.compiler.threads(),
        "interpreted": case.interpreted,
        "processor": machine.processor(),
        **(_of_user_function(case) if case.source.is_user_function else {}),
    }


def _of_user_function(case: Case) -> Row:
    """Return if it came compiled, and the dtypes of its arguments: JAX narrows NumPy's."""
    return {"jitted": case.is_jitted, "argument_dtypes": shapes.dtypes(case.compiler.fetch(case.arguments))}
