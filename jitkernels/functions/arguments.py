"""Check the arguments of ``compare`` before a process starts. ValueError, in one line, for invalid ones."""

import importlib.util
import inspect
import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jitkernels.functions import labels
from jitkernels.functions.inputs import call_inputs
from jitkernels.functions.labels import ARRAY_API, Function, backend_of, parameters, takes_namespace
from jitkernels.kernel import valid_seed, whole_number
from jitkernels.measure import ranking
from jitkernels.measure.rows import REQUESTED

PLAIN_REFERENCES = ("numpy", "python")
LARGEST_SIZE = 2**62


@dataclass(frozen=True)
class Options:
    """The numbers and names among the arguments."""

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
        if unknown := [life for life in self.lives if life not in REQUESTED]:
            raise ValueError(f"unknown life {unknown[0]!r}; known: {', '.join(REQUESTED)}")
        if not (isinstance(self.timeout, int | float) and 0 < self.timeout <= threading.TIMEOUT_MAX):
            raise ValueError(f"timeout must be seconds, more than 0, got {self.timeout!r}")
        whole_number(self.processes, "processes", 1, ranking.MOST)
        valid_seed(self.seed)


def names(words: Sequence[str], argument: str, example: str) -> tuple[str, ...]:
    """Return several names as a tuple. A single string is refused."""
    if isinstance(words, str) or not isinstance(words, Iterable) or not all(isinstance(name, str) for name in words):
        raise ValueError(f"{argument} must be a tuple of names, as ({example!r},), got {words!r}")
    return tuple(words)


def functions_by_label(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return the functions by label; a function of the array API once for each of its backends that has no own function."""
    if not isinstance(functions, Mapping) or not functions:
        raise ValueError("give functions by backend: {'numpy': f, 'numba': g}")
    by_label: dict[str, Function] = {}
    for label, function in functions.items():
        labels.require_label(label)
        if not callable(function):
            raise ValueError(f"{label!r} must be a function, not a {type(function).__name__}")
        if inspect.isgeneratorfunction(function):
            raise ValueError(f"{label!r} is a generator: its call computes nothing; return the result instead")
        if hasattr(function, "cache_parameters"):
            raise ValueError(f"{label!r} remembers its answers (lru_cache): give it undecorated")
        if hasattr(function, "_measured"):
            raise ValueError(f"{label!r} would be timed with its decorator, perf_time or value_acc: give it undecorated")
        if inspect.iscoroutinefunction(function):
            raise ValueError(f"{label!r} is a coroutine function: its call computes nothing; give a plain function instead")
        for name in labels.ARRAY_BACKENDS if label == ARRAY_API else (label,):
            if takes_namespace(function):
                labels.require_namespace(backend_of(name))
            elif label == ARRAY_API:
                raise ValueError(f"the first parameter of an array_api function must be {labels.NAMESPACE}")
            if name == label or name not in functions:
                by_label[name] = function
    return by_label


def reference(functions: Mapping[str, Function], label: str | None) -> str:
    """Return the label of the reference."""
    if label is None:
        label = next((name for name in PLAIN_REFERENCES if name in functions), None)
    if callable(label):
        raise ValueError("the reference must be a function's label, such as 'numpy', and not the function")
    if not isinstance(label, str) or label not in functions:
        reason = "there is no reference" if label is None else f"the reference {label!r} is none of the functions"
        raise ValueError(f"{reason}: reference= names the function whose answers are right, of {', '.join(functions)}")
    return label


def sizes(numbers: object) -> list[int]:
    """Return the sizes, each once."""
    is_one = isinstance(numbers, str | bytes) or getattr(numbers, "ndim", 1) == 0  # such an array is Iterable too
    if is_one or not isinstance(numbers, Iterable) or not (listed := list(numbers)):
        raise ValueError(f"sizes must be whole numbers, one at least: [100, 1000]; got {numbers!r}")
    whole = (int(size) if isinstance(size, float) and size.is_integer() else size for size in listed)  # 1e6
    return list(dict.fromkeys(whole_number(size, "each size", 1, LARGEST_SIZE) for size in whole))


def values(inputs: Function, size: int, seed: int) -> tuple[Any, ...]:
    """Return the arguments of a call. Every call of ``inputs`` must give the same."""
    if importlib.util.find_spec("numpy") is None:
        raise ValueError("inputs needs NumPy for rng: pip install 'jitkernels[numpy]'")
    from jitkernels import differences  # here: it imports NumPy

    if not callable(inputs):
        raise ValueError(f"inputs must be a function of size and rng, not a {type(inputs).__name__}")
    if mismatch := _mismatch(inputs, size, None):
        raise ValueError(f"inputs must take size and rng: {mismatch}")
    try:
        first, again = (call_inputs(inputs, size, seed) for _ in range(2))
    except MemoryError as error:
        raise ValueError(f"inputs of size {size} do not fit into memory: {error}") from None
    try:
        differences.require_same(again, first)
    except (AssertionError, ValueError):  # other numbers, or another number of arguments
        raise ValueError(f"inputs({size}, rng) gave other numbers the second time: draw them from rng alone") from None
    return first


def require_call(function: Function, arguments: Sequence[Any]) -> None:
    """Raise ValueError if the function's signature does not allow a call with these arguments."""
    namespace = (None,) if takes_namespace(function) else ()
    if mismatch := _mismatch(function, *namespace, *arguments):
        count = len(arguments)
        raise ValueError(f"it does not take the {count} argument{'s' * (count != 1)} that inputs gives: {mismatch}")


def _mismatch(function: Function, *arguments: Any) -> str:
    """Return why the function cannot be called with these arguments; "" if it can, or is a builtin without a signature."""
    if isinstance(count := getattr(function, "nin", None), int):  # a ufunc: the signature is that of the wrapped kernel
        return "" if count == len(arguments) else f"it takes {count}"
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError as error:
        return str(error)
    except ValueError:
        pass
    return ""


def require_static(static: Sequence[str], functions: Iterable[Function]) -> None:
    """Raise ValueError if no function has a static argument of this name."""
    known = dict.fromkeys(name for function in functions for name in parameters(function))
    if unknown := [name for name in static if name not in known]:
        raise ValueError(f"static names {unknown[0]!r}, and no function has an argument of that name: {', '.join(known)}")
