"""One kernel on one backend at one size: the only place where the three meet."""

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from jitkernels import clock, kernels, settings, shapes, source
from jitkernels.availability import absent, too_large, unavailable
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.compiler import class_of, map_entries, plain, require_awaited
from jitkernels.backends.table import Backend, find_backend
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN, Kernel, valid_seed
from jitkernels.kernel import Reference as Reference  # older suites and gate/faults.py look for it here

DEFAULT_SEED = 42
DOUBLE = {"float16": "float64", "float32": "float64", "complex64": "complex128"}  # double precision, by dtype
SETTLING_SECONDS = 2.0  # enough for a hundred calls of 20 ms; in a longer call, how quick operations run matters little


class Case:
    """A kernel that is ready to run. ``prepare`` makes it.

    Attributes: ``kernel`` (its Kernel), ``backend`` (its row of the table), ``size``, ``seed``, ``device``, ``spelling``,
    ``compiler`` (what drives the backend), ``source``, ``arguments`` (native, on the device), ``program`` (the callable).
    """

    def __init__(
        self, kernel: Kernel, backend: Backend, size: int, seed: int, device: str, spelling: str = RUN, inputs: Any = None
    ) -> None:
        self.kernel, self.backend, self.size, self.seed = kernel.in_spelling(spelling), backend, size, seed
        self.device, self.spelling = device, spelling
        self._inputs: tuple[Any, ...] | None = inputs
        count = settings.process_threads()
        self.compiler = class_of(backend.framework)(backend, device)
        if count:
            self.compiler.limit(count)
        self.source = source.load(kernel, backend.dialect, spelling)
        self.arguments = self._put(self.inputs())
        self.program = _program(kernel.name, backend.name, device, spelling)
        self._wait = self.compiler.wait

    def __repr__(self) -> str:
        """Return the call of ``prepare`` that makes this case, without its inputs if they are others."""
        inputs = "" if self._inputs is None else ".with_inputs(...)"
        spelling = "" if self.spelling == RUN else f", spelling={self.spelling!r}"
        return f"prepare({self.kernel.name!r}, {self.backend.name!r}, {self.size}, seed={self.seed}{spelling}){inputs}"

    def with_inputs(self, *inputs: Any) -> "Case":
        """Return the same case on other inputs: NumPy arrays with the dtypes and shapes of the kernel's ``arguments``, or
        numbers for a spelling that takes other arguments.

        Raises TypeError for a wrong number or dtype, ValueError for empty arrays or shapes that do not fit each other.
        """
        if self.kernel.reference_spelling(self.spelling) == RUN:
            shapes.bind(inputs, self.kernel.arguments)
        return self.with_unchecked_inputs(*inputs)

    def with_unchecked_inputs(self, *inputs: Any) -> "Case":
        """Return the same case on inputs with dtypes or shapes that the kernel does not promise. Arrays that are not in
        row-major order, the only one that C and Triton read, are copied, except for a user's function."""
        if not self.source.is_user_function:
            inputs = tuple(map_entries(_row_major, value) for value in inputs)
        return Case(self.kernel, self.backend, self.size, self.seed, self.device, self.spelling, inputs)

    def call(self) -> Any:
        """Run, wait, and return the native result. Inside any clock: the call and the wait, nothing else."""
        return self._wait(self.program(*self.arguments))

    def settle(self, limit: float = SETTLING_SECONDS, clock: Callable[[], float] = perf_counter) -> None:
        """Make the ``Backend.settles_after`` calls in which the backend's runtime learns how to run the program. Stop
        earlier after ``limit`` seconds. A runtime that learns nothing gets no call."""
        begin = clock()
        for _ in range(self.backend.settles_after):
            self.call()
            if clock() - begin > limit:
                break

    def time(self) -> clock.Times:
        """Return the seconds of a warm call: median, quartiles and samples, as ``jitkernels time`` measures them.

        Inside the clock: loops of about 10 ms of ``call``; seconds are divided by the number of calls. Before it: checks of
        two answers, ``settle``, 0.1 s of calls. After it: a check of the last answer. Raises AssertionError for a wrong
        answer.
        """
        for _ in range(2):  # a program may be right at first and wrong when it is called again
            self.check()
        return clock.summary(clock.samples(self))

    def value(self) -> Any:
        """Run, and return the result as Python numbers and NumPy arrays."""
        return self.compiler.fetch(self.call())

    def check(self) -> Any:
        """Run, and return the value. Raises AssertionError, which names the difference, if it is wrong."""
        with nothing_checked():
            answer = self.call()
        return self.check_answer(answer)

    def check_answer(self, answer: Any) -> Any:
        """Check an answer that ``call`` returned, such as the last timed one, and return its value; errors as in ``check``.

        A user's own function fails too if it changed its arguments, or if ``call`` cannot wait for its answer. RuntimeError
        under ``python -O``, which checks nothing.
        """
        if not __debug__:
            raise RuntimeError("python -O (PYTHONOPTIMIZE) drops the asserts that check answers: run without it")
        if self.source.is_user_function:
            from jitkernels import differences  # here: it imports NumPy, which plain Python does not need

            require_awaited(answer, self.compiler)
            differences.require_numbers(answer)
            differences.require_same(self.compiler.fetch(self.arguments), self.inputs())
        value = self.compiler.fetch(answer)
        if self.source.is_user_function:
            value = map_entries(_copy, value)  # the reference may write its answer into the same memory
        elif self._inputs is None or _dtypes(self._inputs) <= {array.dtype for array in self.kernel.arguments.values()}:
            _require_dtypes(value, self.kernel)
        self.kernel.check(value, self.size, self.seed, Reference(self))
        return value

    def metrics(self) -> dict[str, float]:
        """Run, check, and return the numbers that the kernel tracks: ``value``, ``error`` and others, all finite."""
        return self.kernel.metrics(self.check(), self.size, self.seed, Reference(self))

    @property
    def interpreted(self) -> bool:
        """True if an interpreter runs this case: its time says nothing about the compiler's speed."""
        return self.compiler.interpreted

    def start(self) -> None:
        """Start the framework, so that its one-off costs are outside the clock of a first call."""
        with nothing_checked():
            self.compiler.start()

    def forget(self) -> None:
        """Drop every compiled program of this backend's framework; the next call compiles again."""
        self.compiler.forget()
        _program.cache_clear()
        self.program = _program(self.kernel.name, self.backend.name, self.device, self.spelling)

    def compiled(self) -> int:
        """Return how many programs this process has compiled for the case's framework, without those from a disk cache."""
        return self.compiler.programs() - self.compiler.from_disk()

    @property
    def is_jitted(self) -> bool:
        """True if the function is a user's own and already decorated by its framework's compiler."""
        return self.source.is_user_function and _is_jitted(self.source.run, self.backend)

    def stages(self) -> Stages:
        """Return the seconds of one fresh compilation, by stage and in total; none in eager mode, or for a decorated
        function."""
        if self.is_jitted or self.compiler.is_eager:
            return Stages()
        with nothing_checked():
            return self.compiler.stages(self.source, self.arguments)

    def artifacts(self) -> Artifacts:
        """Return what the compiler makes of this case."""
        with nothing_checked():
            return self.compiler.artifacts(self.source, self.arguments)

    def _put(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return ``values`` on the device. Static arguments are part of the program and stay Python's numbers."""
        names = list(inspect.signature(self.source.run).parameters) if self.source.run and self.source.static else []
        static = {names.index(name) for name in self.source.static if name in names}
        put: Callable[[Any], Any] = functools.partial(map_entries, self.compiler.put)
        if self.source.is_user_function:
            put = self.compiler.place
        return tuple(plain(value) if place in static else put(value) for place, value in enumerate(values))

    def inputs(self) -> tuple[Any, ...]:
        """Return the arguments before they are put on the device."""
        return self.kernel.inputs(self.size, self.seed) if self._inputs is None else self._inputs

    def truth(self) -> Any:
        """Return the reference backend's answer to the same inputs in float64."""
        if self._inputs is None:
            return _answer(self.kernel.name, self.size, self.seed, self.kernel.reference_spelling(self.spelling))
        return self.new_truth()

    def new_truth(self) -> Any:
        """Call the reference backend again and return its answer."""
        return _truth(self.kernel, self.size, self.seed, self.inputs(), self.kernel.reference_spelling(self.spelling))


def prepare(kernel: str, backend: str, size: int, seed: int = DEFAULT_SEED, spelling: str = RUN) -> Case:
    """Make a case, on the device that ``JITKERNELS_DEVICE`` names, with the number of threads in ``JITKERNELS_THREADS``.

    kernel, backend: their names. size: in the kernel's unit. seed: from 0 to 2^64-1. spelling: one of the kernel's.
    Raises ValueError for an unknown name or an impossible size or seed. Raises Unavailable if the case cannot run here, also
    for lack of memory, which is checked before anything is allocated. Nothing runs before the first call, and a compiler
    that compiles at a call has not compiled yet.
    """
    if not isinstance(kernel, str) or not isinstance(backend, str):
        raise ValueError(f"a kernel and a backend are given by name, got {kernel!r} and {backend!r}")
    spec = kernels.load(kernel)
    row = find_backend(backend)
    size, seed = spec.valid_size(size, spelling), valid_seed(seed)
    device = settings.device()
    if reason := absent(spec, row, spelling):
        raise Unavailable(reason, by_design=True)
    if reason := unavailable(spec, row, device) or too_large(spec, size):
        raise Unavailable(reason)
    return Case(spec, row, size, seed, device, spelling)


@contextlib.contextmanager
def nothing_checked() -> Iterator[None]:
    """A context in which an assert that fails is no wrong answer, but the function's or the compiler's own: RuntimeError."""
    try:
        yield
    except AssertionError as error:
        raise RuntimeError(f"an assert failed: {error}").with_traceback(error.__traceback__) from None


@functools.cache  # one program for all sizes, as a user decorates a function once
def _program(kernel: str, backend: str, device: str, spelling: str) -> Callable[..., Any]:
    row = find_backend(backend)
    loaded = source.load(kernels.load(kernel), row.dialect, spelling)
    compiler = class_of(row.framework)(row, device)
    if not loaded.is_user_function or not loaded.run:
        return compiler.compile(loaded)
    is_jitted = _is_jitted(loaded.run, row)
    return compiler.adopt(loaded.run) if is_jitted else compiler.program(loaded.run, loaded.static)


def _is_jitted(function: Any, backend: Backend) -> bool:
    return any(hasattr(function, mark) for mark in backend.framework.marks)


@functools.lru_cache(maxsize=64)  # more than the sizes and seeds that one process checks
def _answer(kernel: str, size: int, seed: int, spelling: str) -> Any:
    spec = kernels.load(kernel).in_spelling(spelling)
    return _truth(spec, size, seed, spec.inputs(size, seed), spelling)


def _truth(kernel: Kernel, size: int, seed: int, inputs: tuple[Any, ...], spelling: str) -> Any:
    """Return the reference backend's answer to the inputs in double precision."""
    row, device = find_backend(kernel.reference), settings.device()
    if reason := unavailable(kernel, row, "cpu"):
        raise Unavailable(f"its answer cannot be checked, because the reference is not there: {reason}")
    device = device if device in row.framework.devices else "cpu"
    try:
        return map_entries(_copy, Case(kernel, row, size, seed, device, spelling, in_float64(inputs)).value())
    except MemoryError as error:
        raise Unavailable(f"its answer cannot be checked, because the reference needs too much memory: {error}") from error


def in_float64(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return NumPy's ``inputs`` with float32 and float16 converted to float64, complex64 to complex128, also in
    dictionaries."""
    return tuple(map_entries(_in_float64, value) for value in inputs)


def _require_dtypes(value: Any, kernel: Kernel) -> None:
    """Raise AssertionError if an array of an answer has a dtype that the kernel does not promise: another type is other
    work."""
    dtypes, promised = _dtypes(value), {result.dtype for result in kernel.results.values()}
    assert dtypes <= promised, f"the answer is {', '.join(sorted(dtypes))}, not {', '.join(sorted(promised))}"


def _dtypes(value: Any) -> set[str]:
    """Return the dtypes of all arrays in a value; numbers have none."""
    dtypes = set[str]()
    map_entries(lambda entry: dtypes.add(str(entry.dtype)) if getattr(entry, "shape", ()) else None, value)
    return dtypes


def _copy(value: Any) -> Any:
    return value.copy() if hasattr(value, "copy") else value


def _row_major(value: Any) -> Any:
    """Return an array, of whatever library, as NumPy's in row-major order, and one without axes as a number."""
    if not hasattr(value, "dtype"):
        return value
    array = value if hasattr(getattr(value, "flags", None), "c_contiguous") else value.__array__()
    array = array if array.flags.c_contiguous else array.copy()
    return array if array.ndim else array[()]


def _in_float64(value: Any) -> Any:
    wider = DOUBLE.get(str(getattr(value, "dtype", "")))
    return value.astype(wider) if wider else value
