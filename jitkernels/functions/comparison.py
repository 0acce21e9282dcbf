"""Measure a user's own functions, each on its compiler, checked against one of them."""

import inspect
import math
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitkernels import machine, settings
from jitkernels.functions import definition, transport
from jitkernels.kernel import valid_seed, whole_number
from jitkernels.measure import lives as of_a_call
from jitkernels.measure import timing
from jitkernels.measure.rows import LIVES, Row

Function = Callable[..., Any]
Progress = Callable[[Iterable[Row], int], Iterable[Row]]
MOST_PROCESSES = 100
REGISTER = "jitkernels.functions.definition:register"  # called by each child
TIMEOUT = 300.0  # seconds: torch.compile's longest first calls take a minute
ARRAY_API = "array_api"  # the label of a function ``f(xp, x)`` that is by_label once
OF_ARRAY_API = ("numpy", "jax", "torch_inductor")
VARIANTS = "__jitkernels_variants__"  # in a module: its marked functions by label
PLAIN_REFERENCES = ("numpy", "python")


@dataclass(frozen=True)
class Options:
    """Arguments of ``compare``. Raises ValueError, in one line, for those that cannot be."""

    rtol: float
    atol: float
    static: tuple[str, ...]
    lives: tuple[str, ...]
    processes: int
    seed: int
    timeout: float

    def __post_init__(self) -> None:
        for name, number in (("rtol", self.rtol), ("atol", self.atol)):
            if not (isinstance(number, int | float) and math.isfinite(number) and number >= 0):
                raise ValueError(f"{name} must be a number, 0 or more, got {number!r}")
        if unknown := [life for life in self.lives if life not in of_a_call.LIVES]:
            raise ValueError(f"unknown life {unknown[0]!r}; known: {', '.join(of_a_call.LIVES)}")
        if not (isinstance(self.timeout, int | float) and self.timeout > 0):
            raise ValueError(f"timeout must be seconds, more than 0, got {self.timeout!r}")
        whole_number(self.processes, "processes", 1, MOST_PROCESSES)
        valid_seed(self.seed)


def measure(
    functions: Mapping[str, Function],
    inputs: Function,
    sizes: Sequence[int],
    reference: str | None,
    options: Options,
    progress: Progress | None,
) -> tuple[list[Row], str]:
    """Describe the functions in a file and measure them by processes that read it. Return the rows, and the reference."""
    by_label = _labelled(functions)
    truth = _reference(by_label, reference)
    sizes = [whole_number(size, "each size", 1, definition.LARGEST_SIZE) for size in _listed(sizes)]
    values = _inputs(inputs, sizes[0], options.seed)
    problems = {label: problem for label, function in by_label.items() if (problem := _problem(function, values))}
    if truth in problems:
        raise ValueError(f"the reference {truth} cannot be called: {problems[truth]}")
    callable_ = {label: function for label, function in by_label.items() if label not in problems}
    with tempfile.TemporaryDirectory(prefix="jitkernels-compare-") as directory:
        described = definition.Definition(
            functions={label: transport.address(function, label) for label, function in callable_.items()},
            inputs=transport.address(inputs, "inputs"),
            arguments=definition.arguments(inputs, sizes[0], _names(by_label[truth])),
            reference=truth,
            rtol=options.rtol,
            atol=options.atol,
            static=options.static,
            size=sizes[0],
            path=sys.path,
        )
        cases = tuple((described.write(Path(directory)), size) for size in sizes)
        variants = tuple((definition.backend_of(label).name, label) for label in callable_)
        counts = options.lives, options.processes
        request = timing.Request(cases, (), options.seed, *counts, variants, options.timeout, REGISTER)
        rows = list((progress or _bar)(_rows(request, problems, sizes), len(by_label) * len(sizes)))
    order = {label: place for place, label in enumerate(by_label)}
    return sorted(rows, key=lambda row: (row["size"], order[row["label"]])), truth


def variant(label: str) -> Callable[[Function], Function]:
    """Return a decorator that marks a function of a file for ``jitkernels compare FILE.py``; the function stays as it is.

    label: a backend's name, or that and a variant's ("numba: tiled").
    """
    definition.backend_of(label)

    def mark(function: Function) -> Function:
        sys._getframe(1).f_globals.setdefault(VARIANTS, {})[label] = function
        return function

    return mark


def _bar(rows: Iterable[Row], total: int) -> Iterable[Row]:
    """Show a bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        return rows
    from rich.console import Console
    from rich.progress import track

    return track(rows, "measuring", total, console=Console(stderr=True), transient=True)


def _rows(request: timing.Request, problems: Mapping[str, str], sizes: Sequence[int]) -> Iterator[Row]:
    """Yield the rows of ``jitkernels time`` with the functions' labels, and those of functions that cannot be called."""
    for label, problem in problems.items():
        for size in sizes:
            failed = {"status": "failed", "reason": problem}
            yield {"label": label, "backend": definition.backend_of(label).name, "size": size, **failed, **_nothing()}
    for row in timing.rows(request):
        yield {"label": row.pop("spelling"), **{key: value for key, value in row.items() if key != "kernel"}}


def _nothing() -> Row:
    keys = ("version", "error", "first_calls", "warm_seconds", "warm_quartiles", "warm_samples", "warm_processes", "settled")
    return {**dict.fromkeys((*keys, *LIVES)), "device": settings.device(), "processor": machine.processor()}


def _labelled(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return the functions by label, one of the array API for each of its backends. ValueError for what is none."""
    if not isinstance(functions, Mapping) or not functions:
        raise ValueError("give functions by backend: {'numpy': f, 'numba': g}")
    by_label: dict[str, Function] = {}
    for label, function in functions.items():
        if not callable(function):
            raise ValueError(f"{label!r} must be a function, not a {type(function).__name__}")
        if inspect.isgeneratorfunction(function):
            raise ValueError(f"{label!r} is a generator: its call computes nothing; return the result instead")
        for name in OF_ARRAY_API if label == ARRAY_API else (label,):
            if definition.takes_namespace(function):
                definition.require_namespace(definition.backend_of(name))
            elif label == ARRAY_API:
                raise ValueError(f"the first parameter of an array_api function must be {definition.NAMESPACE}")
            definition.backend_of(name)
            by_label.setdefault(str(name), function)
    return by_label


def _reference(functions: Mapping[str, Function], wanted: str | None) -> str:
    if wanted is None:
        wanted = next((name for name in PLAIN_REFERENCES if name in functions), None)
    if wanted is None or wanted not in functions:
        reason = "there is no reference" if wanted is None else f"the reference {wanted!r} is none of the functions"
        raise ValueError(f"{reason}: reference= names the function whose answers are right, of {', '.join(functions)}")
    return wanted


def _listed(sizes: object) -> list[object]:
    if isinstance(sizes, str | bytes) or not isinstance(sizes, Iterable) or not (listed := list(sizes)):
        raise ValueError(f"sizes must be whole numbers, one at least: [100, 1000]; got {sizes!r}")
    return listed


def _inputs(inputs: Function, size: int, seed: int) -> tuple[Any, ...]:
    """Return the arguments of the smallest call. ValueError where they are none, or others each time."""
    import numpy as np

    if not callable(inputs):
        raise ValueError(f"inputs must be a function of size and rng, not a {type(inputs).__name__}")
    try:
        inspect.signature(inputs).bind(size, None)
    except TypeError as error:
        raise ValueError(f"inputs must take size and rng: {error}") from None
    values, again = (definition.make_inputs(inputs, size, seed) for _ in range(2))
    pairs = zip(values, again, strict=True)
    if not all(np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind in "fc") for one, other in pairs):
        raise ValueError(f"inputs({size}, rng) gave other numbers the second time: draw them from rng alone")
    return values


def _problem(function: Function, values: Sequence[Any]) -> str:
    """Return why the function cannot be called with these arguments, as far as its signature tells; or ""."""
    namespace = (None,) if definition.takes_namespace(function) else ()
    try:
        inspect.signature(function).bind(*namespace, *values)
    except TypeError as error:
        return f"it cannot be called with the {len(values)} arguments that inputs gives: {error}"
    except ValueError:  # a builtin has no signature
        pass
    return ""


def _names(function: Function) -> list[str]:
    """Return names for the arguments: those of the function's parameters."""
    parameters = list(inspect.signature(function).parameters)
    return parameters[1:] if definition.takes_namespace(function) else parameters
