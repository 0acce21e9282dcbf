"""A user's functions, written to a file. Each child process makes a ``Kernel`` from it.

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
from jitkernels.functions import failures, transport
from jitkernels.functions.inputs import Inputs
from jitkernels.functions.transport import Address
from jitkernels.kernel import RUN, Kernel, Spelling
from jitkernels.shapes import Array

ARRAY_API = "array_api"  # label of a function ``f(xp, x)`` that stands for all its backends
NAMESPACE = "xp"  # first parameter of a function of the array API
NAMESPACES = {"numpy": "numpy", "jax": "jax.numpy", "torch": "torch"}  # by dialect
LARGEST_SIZE = 2**62
PLAIN = ("python", "numpy", "numba")  # dialects whose functions take NumPy's arrays


@dataclass(frozen=True)
class Definition:
    """functions, inputs: where a child finds them. arguments: dtype and axes of each array, by name. An axis is a length or
    the name of one that the size sets. path: ``sys.path``. x64: of JAX, if imported. The rest are arguments of
    ``compare``.
    """

    functions: Mapping[str, Address]
    inputs: Address
    arguments: Mapping[str, tuple[str, Sequence[int | str]]]
    reference: str
    rtol: float
    atol: float
    static: Sequence[str]
    size: int
    seed: int
    path: list[str]
    x64: bool | None

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
    """Return the kernel of this file. Each function is imported at its first use."""
    definition = Definition(**json.loads(Path(name).read_text(encoding="utf-8")))
    static = tuple(definition.static)
    axes = [axes for _, axes in definition.arguments.values()]
    inputs = Inputs(lambda: transport.find(definition.inputs, definition.path, definition.x64), axes, definition.seed)

    def label_of(spelling: str) -> str:
        return definition.reference if spelling == RUN else spelling

    @functools.cache
    def function(spelling: str) -> Callable[..., Any]:
        label = label_of(spelling)
        return with_namespace(
            transport.find(definition.functions[label], definition.path, definition.x64), backend_of(label)
        )

    from jitkernels import differences  # here: it imports NumPy, and every child imports this module

    return Kernel(
        name=name,
        summary="functions that a user gave",
        unit="size",
        sizes=range(1, LARGEST_SIZE),
        default_size=definition.size,
        inputs=inputs,
        check=_check(definition, function, inputs),
        metrics=lambda value, size, seed, reference: {
            "error": differences.largest(value, reference()),
            "nan": differences.count_nan(value),
            "answer_dtypes": dtypes(value),  # type: ignore[dict-item]  # no number, and into the row like one
        },
        work=lambda size: size,
        static=static,
        reference=backend_of(definition.reference).name,
        dimensions=inputs.dimensions,
        arguments={name: Array(dtype, tuple(axes)) for name, (dtype, axes) in definition.arguments.items()},
        spellings={label: Spelling(label, static=static) for label in definition.functions},
        function=function,
        describe=lambda error, spelling: failures.describe(error, definition.functions[label_of(spelling)]["file"]),
    )


def _check(definition: Definition, function: Callable[[str], Callable[..., Any]], inputs: Inputs) -> Callable[..., None]:
    """Return ``Kernel.check``."""
    from jitkernels import differences

    def check(value: Any, size: int, seed: int, reference: Any) -> None:
        def narrow(dtype: str) -> Any:
            """Return the reference's answer to inputs of this dtype; None for a framework with its own arrays."""
            own = (value.astype(dtype) if _is_float(value) else value for value in inputs(size, seed))
            return function(RUN)(*own) if backend_of(definition.reference).dialect in PLAIN else None

        agree = functools.partial(differences.require_close, rtol=definition.rtol, atol=definition.atol)

        truth = reference()
        differences.require_numbers(truth)
        try:
            agree(value, truth, narrow=narrow)
        except AssertionError:
            differences.require_repeated("it", reference.again(), value, agree)
            differences.require_repeated(f"the reference {definition.reference}", reference.anew(), truth, agree)
            raise

    return check


def dtypes(values: Any) -> list[str]:
    """Return the dtypes of an array, or of the arrays in a tuple."""
    return [str(value.dtype) for value in (values if isinstance(values, tuple) else (values,)) if hasattr(value, "dtype")]


def _is_float(value: Any) -> bool:
    return getattr(getattr(value, "dtype", None), "kind", "") == "f"


def require_label(label: object) -> None:
    """Raise ValueError unless this is a label: of a backend, of a variant, or of the array API."""
    if not isinstance(label, str):
        kind = getattr(label, "__name__", repr(label))
        raise ValueError(f"a label is a backend's name, as 'numba' or 'numba: tiled', and not {kind}")
    if label != ARRAY_API:
        backend_of(label)


def backend_of(label: str) -> Backend:
    """Return the backend of a label: "numba" or "numba: tiled". Otherwise ValueError, which lists the backends that take
    functions."""
    name = label.partition(":")[0].strip()
    if name not in catalogue() or catalogue()[name].dialect == "c":
        known = ", ".join(row.name for row in catalogue().values() if row.dialect != "c")
        reason = "C compiles no function of Python's" if name == "c" else f"unknown backend {name!r}"
        raise ValueError(f"{reason}; a label begins with one of {known}")
    return find_backend(name)


def takes_namespace(function: Callable[..., Any]) -> bool:
    """True for a function of the array API: ``def f(xp, x)``."""
    return parameters(function)[:1] == [NAMESPACE]


def require_namespace(backend: Backend) -> None:
    """Raise ValueError if a backend's framework has no namespace of the array API."""
    if backend.dialect not in NAMESPACES:
        raise ValueError(f"{backend.name} has no namespace for {NAMESPACE}; backends of {', '.join(NAMESPACES)} have one")


def parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of a function's parameters; none for a builtin without a signature."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def with_namespace(function: Callable[..., Any], backend: Backend) -> Callable[..., Any]:
    """Return a function of the array API with its namespace bound; any other function unchanged."""
    if not takes_namespace(function):
        return function
    require_namespace(backend)
    namespace = importlib.import_module(NAMESPACES[backend.dialect])

    def own(*arguments: Any) -> Any:
        return function(namespace, *arguments)

    others = list(inspect.signature(function).parameters.values())[1:]
    own.__signature__ = inspect.Signature(others)  # type: ignore[attr-defined]  # static arguments are found by name
    return own
