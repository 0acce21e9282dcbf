"""What is known of benchmarks, backends and kernels without measuring: the library's tables and asv's list.

Results may name others; they get what is known from their name alone.
"""

import ast
import functools
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jitkernels import kernels
from jitkernels.backends.table import BACKENDS
from jitkernels.measure.speedup import eager_mode
from website.schema import index as schema

PACKAGES = {
    "tensorflow": ("tensorflow", "tensorflow-cpu")
}  # what asv's matrix or pip calls a dialect, where it is not its name
MODES = {
    "interpreter": "Python's interpreter",
    "native": "compiled ahead of time by the system's C compiler",
    "serial": "njit",
    "parallel": "njit(parallel=True)",
    "graph": "tf.function",
    "xla": "tf.function(jit_compile=True)",
    "script": "TorchScript",
    "dynamo": "torch.compile, Dynamo alone",
    "aot": "torch.compile, Dynamo and AOTAutograd",
    "inductor": "torch.compile, Inductor",
}
EAGER = "operation by operation, nothing compiled"
JIT = {"jax": "jax.jit, XLA", "triton": "triton.jit; without a GPU its interpreter"}


Case = tuple[str, ...]  # a benchmark case's parameters, each as Python writes it: ("'numba'", "1000")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark in asv's list; ``listed`` is False where the list lacks it and only its name is known.

    ``names``: of its parameters. ``parameters``: the values of each.
    """

    name: str
    unit: str = ""
    type: str = ""
    version: str | None = None
    direction: str | None = None
    exact: bool = False
    names: tuple[str, ...] = ()
    parameters: tuple[tuple[str, ...], ...] = ()
    listed: bool = False

    @property
    def kernel(self) -> str:
        return self.name.partition(".")[0]

    @property
    def group(self) -> str:
        """Its class: "Warm"."""
        return self.name.partition(".")[2].rpartition(".")[0]

    @property
    def method(self) -> str:
        return self.name.rpartition(".")[2]

    def has_version(self, version: str | None) -> bool:
        """True if a result of this version can be compared with today's results."""
        return not self.listed or version in (None, self.version)

    def cases(self) -> list[Case]:
        """Return its cases in asv's order; one empty case where it has no parameters."""
        return list(itertools.product(*self.parameters))

    def place(self, case: Case) -> int | None:
        """Return the case's place among all cases in asv's order; None where it is not one of them."""
        cases = self.cases()
        return cases.index(case) if case in cases else None

    def named(self, case: Case) -> dict[str, Any]:
        """Return the case's parameters as Python values by name; "backend", "size" and numbers where asv names none."""
        values = [value(text) for text in case]
        names = self.names if len(self.names) == len(values) else ("backend", "size", *map(str, range(2, len(values))))
        return dict(zip(names, values, strict=False))


Find = Callable[[str], Benchmark]  # the benchmark of a name


def finder(listed: Mapping[str, Any]) -> Find:
    """Return a function that gives the benchmark of a name from asv's list."""
    return functools.cache(lambda name: benchmark(name, listed.get(name)))


def benchmark(name: str, entry: Mapping[str, Any] | None) -> Benchmark:
    """Return a benchmark from its entry in asv's list; None where it has no entry."""
    if not isinstance(entry, Mapping):
        return Benchmark(name)
    return Benchmark(
        name,
        unit=str(entry.get("unit", "")),
        type=str(entry.get("type", "")),
        version=entry.get("version"),
        direction=entry.get("direction", "lower"),
        exact=bool(entry.get("exact", False)),
        names=tuple(map(str, entry.get("param_names") or ())),
        parameters=tuple(tuple(map(str, values)) for values in entry.get("params") or ()),
        listed=True,
    )


@functools.lru_cache(maxsize=4096)  # a history repeats the same words in every file
def value(text: str) -> Any:
    """Return the value of a parameter that Python wrote; the text itself where it is no plain value."""
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return literal if isinstance(literal, str | int | float | bool) else text


def kernel(name: str) -> schema.Kernel:
    """Return a kernel's row of the index."""
    if name not in kernels.names():
        return {"name": name, "what": "not a kernel of this version", "size": "size", "unit": "size"}
    spec = kernels.load(name)
    return {"name": name, "what": spec.summary, "size": spec.unit, "unit": spec.unit}


def backend(name: str) -> schema.Backend:
    """Return a backend's row of the index."""
    line = BACKENDS.get(name)
    if line is None:
        return {"name": name, "dialect": None, "what": "not a backend of this version", "eager": None}
    what = JIT.get(line.dialect, "") if line.mode == "jit" else EAGER if line.mode == "eager" else MODES[line.mode]
    return {"name": name, "dialect": line.dialect, "what": what, "eager": eager_mode(name)}


def size_names(kernel_name: str) -> tuple[str, ...]:
    """Return the names that a benchmark of this kernel may give its size parameter."""
    return ("size", kernels.load(kernel_name).unit) if kernel_name in kernels.names() else ("size", "points")


def absent(kernel_name: str, backend_name: str) -> str | None:
    """Return why the kernel has no file for the backend; None where it has one, or where the reason is unknown."""
    line = BACKENDS.get(backend_name)
    if line is None or kernel_name not in kernels.names():
        return None
    return kernels.load(kernel_name).absent.get(line.dialect)


def packages(backend_name: str) -> tuple[str, ...]:
    """By which of its packages' versions two releases of a backend are told apart, in the order in which they are asked."""
    line = BACKENDS.get(backend_name)
    return PACKAGES.get(line.dialect, (line.dialect,)) if line else ()
