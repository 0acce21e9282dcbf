"""What is known of a benchmark, a backend and a kernel without measuring: from this library's tables and asv's list.

Results may be of others: they are listed with what is known of them.
"""

import ast
import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from history.store.results import Cell
from jitkernels import kernels
from jitkernels.backends.table import BACKENDS


@dataclass(frozen=True)
class Benchmark:
    """What asv's list says of a benchmark; of one that is not in it, what its name says. ``parameters``: lists of them."""

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

    def is_of(self, version: str | None) -> bool:
        """Whether what was measured under this version is what is measured today."""
        return not self.listed or version in (None, self.version)

    def cells(self) -> list[Cell]:
        """Its cells in asv's order; the one without parameters where it has none."""
        return list(itertools.product(*self.parameters))

    def named(self, cell: Cell) -> dict[str, Any]:
        """The cell's parameters by name, as Python values; by "backend", "size" and place where asv names none."""
        values = [value(text) for text in cell]
        names = self.names if len(self.names) == len(values) else ("backend", "size", *map(str, range(2, len(values))))
        return dict(zip(names, values, strict=False))


def benchmark(name: str, told: Mapping[str, Any] | None) -> Benchmark:
    """``told``: asv's own entry of its list; None where there is none."""
    if not isinstance(told, Mapping):
        return Benchmark(name)
    return Benchmark(
        name,
        unit=str(told.get("unit", "")),
        type=str(told.get("type", "")),
        version=told.get("version"),
        direction=told.get("direction", "lower"),
        exact=bool(told.get("exact", False)),
        names=tuple(map(str, told.get("param_names") or ())),
        parameters=tuple(tuple(map(str, values)) for values in told.get("params") or ()),
        listed=True,
    )


@functools.lru_cache(maxsize=4096)  # a history repeats the same words in every file
def value(text: str) -> Any:
    """A parameter from how Python writes it; the text itself where that is no plain value."""
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return found if isinstance(found, str | int | float | bool) else text


def kernel(name: str) -> dict[str, Any]:
    """A kernel for the site's index."""
    if name not in kernels.names():
        return {"name": name, "what": "not a kernel of this version", "size": "size", "unit": "size"}
    spec = kernels.load(name)
    return {"name": name, "what": spec.summary, "size": spec.unit, "unit": spec.unit}


def backend(name: str) -> dict[str, Any]:
    """A backend for the site's index."""
    line = BACKENDS.get(name)
    if line is None:
        return {"name": name, "dialect": None, "what": "not a backend of this version", "eager": None}
    return {"name": name, "dialect": line.dialect, "what": line.what, "eager": line.eager}


def size_names(kernel_name: str) -> tuple[str, ...]:
    """What a benchmark of this kernel may call its size."""
    return ("size", kernels.load(kernel_name).unit) if kernel_name in kernels.names() else ("size", "points")


def absent(kernel_name: str, backend_name: str) -> str | None:
    """Why the kernel is not written for the backend; None where it is, or nobody knows."""
    line = BACKENDS.get(backend_name)
    if line is None or kernel_name not in kernels.names():
        return None
    return kernels.load(kernel_name).absent.get(line.dialect)


def packages(backend_name: str) -> tuple[str, ...]:
    """By which of its packages' versions two releases of a backend are told apart, in the order in which they are asked."""
    line = BACKENDS.get(backend_name)
    return (line.framework.distributions or (line.dialect,)) if line else ()
