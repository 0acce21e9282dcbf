"""A user's functions, written to a file from which each child process makes a ``Kernel``.

The file's path is the kernel's name in every request, and a function's label ("numba", "numba: tiled") its spelling.
"""

import functools
import importlib
import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jitkernels import kernels
from jitkernels.backends.table import Backend, catalogue, find_backend
from jitkernels.errors import Unavailable
from jitkernels.functions import failures, transport
from jitkernels.functions.transport import Address
from jitkernels.kernel import RUN, Kernel, Spelling
from jitkernels.shapes import Array

NAMESPACE = "xp"  # the first parameter of a function that is written to the array API
NAMESPACES = {"numpy": "numpy", "jax": "jax.numpy", "torch": "torch"}  # by dialect
LARGEST_SIZE = 2**62
PLAIN = ("python", "numpy", "numba")  # dialects whose functions take NumPy's arrays


@dataclass(frozen=True)
class Definition:
    """functions, inputs: where a child finds them. arguments: by name, dtype and axes of each array: a length, or the name
    of one that the size decides. path: ``sys.path``. The rest are the arguments of ``compare``.
    """

    functions: Mapping[str, Address]
    inputs: Address
    arguments: Mapping[str, tuple[str, Sequence[int | str]]]
    reference: str
    rtol: float
    atol: float
    static: Sequence[str]
    size: int
    path: list[str]

    def write(self, directory: Path) -> str:
        """Write the file, let this process load the kernel, and return its name."""
        file = directory / "functions.json"
        file.write_text(json.dumps(asdict(self)), encoding="utf-8")
        register([str(file)])
        return str(file)


def register(names: Iterable[str]) -> None:
    """Let this process load the kernels of these files."""
    for name in names:
        kernels.add(kernel_of(name))


def kernel_of(name: str) -> Kernel:
    """Return the kernel of this file. A function is imported when it is asked for."""
    definition = Definition(**json.loads(Path(name).read_text(encoding="utf-8")))
    static, inputs = tuple(definition.static), Inputs(definition)

    @functools.cache
    def function(spelling: str) -> Callable[..., Any]:
        label = definition.reference if spelling == RUN else spelling
        return with_namespace(transport.find(definition.functions[label], definition.path), backend_of(label))

    from jitkernels.functions import differences  # here: it imports NumPy, and every child imports this module

    return Kernel(
        name=name,
        summary="functions that a user gave",
        unit="size",
        sizes=range(1, LARGEST_SIZE),
        default_size=definition.size,
        inputs=inputs,
        check=_check(definition, function, inputs),
        metrics=lambda value, size, seed, reference: {"error": differences.largest(value, reference())},
        work=lambda size: size,
        static=static,
        reference=backend_of(definition.reference).name,
        dimensions=inputs.dimensions,
        arguments={name: Array(dtype, tuple(axes)) for name, (dtype, axes) in definition.arguments.items()},
        spellings={label: Spelling(label, static=static) for label in definition.functions},
        function=function,
        describe=lambda error, spelling: failures.describe(error, function, spelling),
    )


def _check(definition: Definition, function: Callable[[str], Callable[..., Any]], inputs: "Inputs") -> Callable[..., None]:
    """Return ``Kernel.check``."""
    from jitkernels.functions import differences

    def check(value: Any, size: int, seed: int, reference: Any) -> None:
        def narrow() -> Any:
            is_plain = backend_of(definition.reference).dialect in PLAIN
            return function(RUN)(*inputs(size, seed)) if is_plain else None

        try:
            differences.require_close(value, reference(), definition.rtol, definition.atol, narrow)
        except AssertionError:
            if differences.largest(reference.anew(), reference()) > definition.rtol:
                raise AssertionError(
                    f"the reference {definition.reference} gives another answer to the same inputs"
                ) from None
            raise

    return check


class Inputs:
    """``inputs(size, seed)`` of a kernel: copies of what the user's function returns for a generator of that seed."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._make = functools.lru_cache(maxsize=2)(self._new)

    def __call__(self, size: int, seed: int) -> tuple[Any, ...]:
        """Return the arguments. Unavailable where they do not fit into memory."""
        try:
            return tuple(value.copy() if hasattr(value, "copy") else value for value in self._make(size, seed))
        except MemoryError as error:
            raise Unavailable(f"inputs of size {size} do not fit into memory: {error}") from error

    def dimensions(self, size: int) -> dict[str, int]:
        """Return the lengths that the size decides, by name."""
        arrays = [value for value in self(size, 0) if hasattr(value, "shape")]
        axes = [axes for _, axes in self._definition.arguments.values()]
        pairs = [pair for array, names in zip(arrays, axes, strict=True) for pair in zip(names, array.shape, strict=True)]
        return {name: length for name, length in pairs if isinstance(name, str)}

    def _new(self, size: int, seed: int) -> tuple[Any, ...]:
        return make_inputs(transport.find(self._definition.inputs, self._definition.path), size, seed)


def make_inputs(inputs: Callable[..., Any], size: int, seed: int) -> tuple[Any, ...]:
    """Call a user's ``inputs(size, rng)``. ValueError, in one line, where it returns no arrays and numbers."""
    import numpy as np

    values = inputs(size, np.random.default_rng(seed))
    values = values if isinstance(values, tuple) else (values,)
    for place, value in enumerate(values):
        if not isinstance(value, np.ndarray | np.generic | bool | int | float | complex):
            kind = type(value).__name__
            raise ValueError(f"inputs must return NumPy arrays and numbers, in a tuple; entry {place} is a {kind}")
        if isinstance(value, np.ndarray) and value.dtype.kind not in "biufc":
            raise ValueError(f"inputs must return arrays of numbers; entry {place} holds {value.dtype}")
    return values


def arguments(inputs: Callable[..., Any], size: int, names: Sequence[str]) -> dict[str, tuple[str, Sequence[int | str]]]:
    """Return the dtype and the axes of each array; an axis that is longer at the next size has a name."""
    try:
        others: tuple[Any, ...] = make_inputs(inputs, size + 1, 0)
    except Exception:  # a function may take even sizes alone
        others = make_inputs(inputs, size, 0)
    described: dict[str, tuple[str, Sequence[int | str]]] = {}
    for name, value, other in zip(names, make_inputs(inputs, size, 0), others, strict=False):
        if hasattr(value, "shape") and len(value.shape) == len(other.shape):
            axes = enumerate(zip(value.shape, other.shape, strict=True))
            described[name] = (str(value.dtype), [f"{name}_{axis}" if one != two else one for axis, (one, two) in axes])
    return described


def backend_of(label: str) -> Backend:
    """Return the backend of a label: "numba" or "numba: tiled". ValueError, listing those that take functions, otherwise."""
    name = label.partition(":")[0].strip()
    if name not in catalogue() or catalogue()[name].dialect == "c":
        known = ", ".join(row.name for row in catalogue().values() if row.dialect != "c")
        reason = "C compiles no function of Python's" if name == "c" else f"unknown backend {name!r}"
        raise ValueError(f"{reason}; a label begins with one of {known}")
    return find_backend(name)


def takes_namespace(function: Callable[..., Any]) -> bool:
    """True for a function that is written to the array API: ``def f(xp, x)``."""
    try:
        return next(iter(inspect.signature(function).parameters), "") == NAMESPACE
    except (TypeError, ValueError):  # a builtin has no signature
        return False


def require_namespace(backend: Backend) -> None:
    """Raise ValueError where a backend's framework has no namespace of the array API."""
    if backend.dialect not in NAMESPACES:
        raise ValueError(f"{backend.name} has no namespace for {NAMESPACE}; backends of {', '.join(NAMESPACES)} have one")


def with_namespace(function: Callable[..., Any], backend: Backend) -> Callable[..., Any]:
    """Return a function of the array API with its namespace bound; any other function as it is."""
    if not takes_namespace(function):
        return function
    require_namespace(backend)
    namespace = importlib.import_module(NAMESPACES[backend.dialect])

    def own(*arguments: Any) -> Any:
        return function(namespace, *arguments)

    parameters = list(inspect.signature(function).parameters.values())[1:]
    own.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # static arguments are found by name
    return own
