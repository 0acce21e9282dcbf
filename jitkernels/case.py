"""One kernel on one backend at one size: the only place where the three meet."""

import functools
import importlib
import importlib.util
import inspect
import time
from collections.abc import Callable
from typing import Any

from jitkernels import kernels, machine, settings, shapes, source
from jitkernels.backends import toolchain
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.compiler import Compiler
from jitkernels.backends.table import BACKENDS, Backend
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN, Kernel, valid_seed

DEFAULT_SEED = 42
SETTLING_SECONDS = 2.0  # enough for a hundred calls of 20 ms; in longer ones, how a quick operation is run is little


class Case:
    """A kernel that is ready to run; made by ``prepare``.

    Attributes: ``kernel`` (its Kernel), ``backend`` (its line of the table), ``size``, ``seed``, ``device``, ``spelling``,
    ``compiler`` (the backend's module), ``source``, ``arguments`` (native, on the device).
    """

    def __init__(
        self, kernel: Kernel, backend: Backend, size: int, seed: int, device: str, spelling: str = RUN, inputs: Any = None
    ) -> None:
        self.kernel, self.backend, self.size, self.seed = kernel, backend, size, seed
        self.device, self.spelling, self._inputs = device, spelling, inputs
        self.compiler = _compiler(backend)
        self.source = source.load(kernel, backend.dialect, spelling)
        self.arguments = self._put(kernel.inputs(size, seed) if inputs is None else inputs)
        self.program = _program(kernel.name, backend.name, device, spelling)
        self._wait = self.compiler.wait

    def __repr__(self) -> str:
        """The call that makes it."""
        spelling = "" if self.spelling == RUN else f", spelling={self.spelling!r}"
        return f"prepare({self.kernel.name!r}, {self.backend.name!r}, {self.size}, seed={self.seed}{spelling})"

    def with_inputs(self, *inputs: Any) -> "Case":
        """The same cell on other inputs, given as NumPy arrays of the dtypes and shapes that the kernel's ``arguments`` say.

        Raises TypeError for another dtype, ValueError for shapes that do not fit each other or are empty.
        """
        shapes.bind(inputs, self.kernel.arguments)
        return Case(self.kernel, self.backend, self.size, self.seed, self.device, self.spelling, inputs)

    def call(self) -> Any:
        """Run and wait: the native result, finished. Inside any clock: the call and the wait, nothing else."""
        return self._wait(self.program(*self.arguments))

    def settle(self, limit: float = SETTLING_SECONDS, clock: Callable[[], float] = time.perf_counter) -> None:
        """Call as often as the backend's runtime takes to learn how to run the program (``Backend.settles_after``), for at
        most ``limit`` seconds; no call where it learns nothing."""
        begin = clock()
        for _ in range(self.backend.settles_after):
            self.call()
            if clock() - begin > limit:
                break

    def value(self) -> Any:
        """Run, and give the result as Python numbers and NumPy arrays."""
        return self.compiler.fetch(self.call())

    def check(self) -> Any:
        """Run, and return the value when it is right; AssertionError, saying what differed, when it is not."""
        value = self.value()
        self.kernel.check(value, self.size, self.seed, Reference(self))
        return value

    def metrics(self) -> dict[str, float]:
        """Check, and give the answer's numbers: ``value``, ``error`` and what else the kernel tracks, all finite."""
        return self.kernel.metrics(self.check(), self.size, self.seed, Reference(self))

    @property
    def interpreted(self) -> bool:
        """True where a time of this case says nothing about the compiler's speed."""
        return self.compiler.interpreted(self.backend.mode, self.device)

    def start(self) -> None:
        """Pay the framework's one-off costs before a cold clock runs."""
        self.compiler.start(self.backend.mode, self.device)

    def forget(self) -> None:
        """Drop every compiled program of this backend's framework; the next call compiles again."""
        self.compiler.forget()
        _program.cache_clear()
        self.program = _program(self.kernel.name, self.backend.name, self.device, self.spelling)

    def compiled(self) -> int:
        """How many programs this process has compiled for the case's framework; what a disk cache gave back is none."""
        return self.compiler.programs() - self.compiler.from_disk()

    def stages(self) -> Stages:
        """Seconds by stage of one fresh compilation, and of the whole."""
        return self.compiler.stages(self.source, self.backend.mode, self.device, self.arguments)

    def artifacts(self) -> Artifacts:
        """What the compiler makes of this case."""
        return self.compiler.artifacts(self.source, self.backend.mode, self.device, self.arguments)

    def _put(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """``values`` on the device, but for static arguments, which are part of the program and stay Python's."""
        names = list(inspect.signature(self.source.run).parameters) if self.source.run and self.source.static else []
        static = {names.index(name) for name in self.source.static if name in names}
        put = functools.partial(self.compiler.put, device=self.device)
        return tuple(_plain(value) if place in static else _each(put, value) for place, value in enumerate(values))

    def inputs(self) -> tuple[Any, ...]:
        """What the arguments were before they went to the device."""
        given: tuple[Any, ...] = self.kernel.inputs(self.size, self.seed) if self._inputs is None else self._inputs
        return given

    def truth(self) -> Any:
        """The reference backend's answer to the same inputs in float64."""
        if self._inputs is None:
            return _answer(self.kernel.name, self.size, self.seed)
        return _truth(self.kernel, self.size, self.seed, self._inputs)


class Reference:
    """What a check compares with: called, it gives the case's truth; ``inputs()`` gives what the case was given."""

    def __init__(self, case: Case) -> None:
        self.inputs = case.inputs
        self._truth = case.truth

    def __call__(self) -> Any:
        return self._truth()


def prepare(kernel: str, backend: str, size: int, seed: int = DEFAULT_SEED, spelling: str = RUN) -> Case:
    """Make a case, on the device that ``JITKERNELS_DEVICE`` names, with as many threads as ``JITKERNELS_THREADS`` says.

    kernel, backend: their names. size: in the kernel's unit. seed: from 0 to 2^64-1. spelling: one of the kernel's.
    Raises ValueError for an unknown name or an impossible size or seed, Unavailable where the cell cannot run here, be it
    for lack of memory, which is asked for before anything is allocated.
    Nothing is computed, and no lazy compiler compiles, before the first call.
    """
    spec = kernels.load(kernel)
    line = find_backend(backend)
    size, seed = spec.valid_size(size, spelling), valid_seed(seed)
    device = settings.device()
    if reason := absent(spec, line, spec.valid_spelling(spelling)):
        raise Unavailable(reason, by_design=True)
    if reason := unavailable(spec, line, device) or _too_large(spec, size):
        raise Unavailable(reason)
    return Case(spec, line, size, seed, device, spelling)


def find_backend(name: str) -> Backend:
    """The table's line of this name; ValueError, listing the known ones, for any other word."""
    if name not in BACKENDS:
        raise ValueError(f"unknown backend {name!r}; known: {', '.join(BACKENDS)}")
    return BACKENDS[name]


def absent(kernel: Kernel, backend: Backend, spelling: str = RUN) -> str | None:
    """Why the kernel is not written for this backend; None where it is."""
    if not source.path(kernel.name, backend.dialect).exists():
        return kernel.absent.get(backend.dialect, f"{kernel.name} is not written in {backend.dialect}")
    return None if spelling == RUN else kernel.spellings[spelling].absent.get(backend.dialect)


def unavailable(kernel: Kernel, backend: Backend, device: str) -> str | None:
    """Why this cell cannot run here, as far as can be told without importing a framework; None when it can."""
    if reason := absent(kernel, backend):
        return reason
    if device not in backend.devices:
        return f"{backend.name} has no {device} mode; it runs on the {' and the '.join(backend.devices)}"
    for package in backend.packages:
        if not _installed(package):
            return f"{package} is not installed: pip install 'jitkernels[{backend.dialect}]'"
    if kernel.arguments and not _installed("numpy"):
        return f"{kernel.name} works on arrays, and numpy is not installed: pip install 'jitkernels[numpy]'"
    return toolchain.missing(backend.toolchain)


@functools.cache
def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _compiler(backend: Backend) -> Compiler:
    """The module that drives the backend's framework, told of the threads that it may use."""
    count = settings.process_threads()
    module: Any = importlib.import_module(backend.module)
    compiler: Compiler = module
    if count:
        compiler.limit(backend.mode, count)
    return compiler


def _too_large(kernel: Kernel, size: int) -> str | None:
    """Why a case of this size does not fit into the memory that is free; None when it may."""
    needed, free = kernel.bytes_needed(size), machine.available_bytes()
    if needed <= free:
        return None
    return f"{size} {kernel.unit} need at least {needed / 1e9:.3g} GB of memory, and {free / 1e9:.3g} GB are available"


@functools.cache  # one program serves every case of a cell, as one decorated function serves every call of a user's
def _program(kernel: str, backend: str, device: str, spelling: str) -> Callable[..., Any]:
    line = BACKENDS[backend]
    return _compiler(line).compile(source.load(kernels.load(kernel), line.dialect, spelling), line.mode, device)


@functools.lru_cache(maxsize=64)  # the handful of sizes one process checks, times its seeds
def _answer(kernel: str, size: int, seed: int) -> Any:
    spec = kernels.load(kernel)
    return _truth(spec, size, seed, spec.inputs(size, seed))


def _truth(kernel: Kernel, size: int, seed: int, inputs: tuple[Any, ...]) -> Any:
    """What the reference backend makes of the inputs, with all float32 among them as float64."""
    line, device = find_backend(kernel.reference), settings.device()
    reason = unavailable(kernel, line, "cpu")
    if reason:
        raise Unavailable(f"its answer cannot be checked, because the reference is not there: {reason}")
    device = device if device in line.devices else "cpu"
    return Case(kernel, line, size, seed, device, inputs=widened(inputs)).value()


def widened(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """NumPy's ``inputs`` with all float32 among them as float64, in dictionaries too."""
    return tuple(_each(_widened, value) for value in inputs)


def _plain(value: Any) -> Any:
    """NumPy's number as Python's."""
    return value.item() if getattr(value, "shape", None) == () else value


def _widened(value: Any) -> Any:
    return value.astype("float64") if str(getattr(value, "dtype", "")) == "float32" else value


def _each(function: Callable[[Any], Any], value: Any) -> Any:
    """``function`` of the value, or of each entry of a dictionary."""
    return {name: function(entry) for name, entry in value.items()} if isinstance(value, dict) else function(value)
