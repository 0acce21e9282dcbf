"""Labels of a user's functions: a backend's name, "backend: variant" ("numba: tiled"), or "array_api".

A function of the array API is ``f(xp, x)``: given once as "array_api", measured on several backends, each with its framework
as ``xp``.
"""

import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

from jitkernels.backends.table import Backend, catalogue

Function = Callable[..., Any]
VARIANTS = "__jitkernels_variants__"  # in a module: its marked functions by label
ARRAY_API = "array_api"  # the label that stands for all of ARRAY_BACKENDS
ARRAY_BACKENDS = ("numpy", "jax", "torch_inductor")
NAMESPACE = "xp"  # the first parameter of a function of the array API
NAMESPACES = {"numpy": "numpy", "jax": "jax.numpy", "torch": "torch"}  # by dialect


def variant(label: str) -> Callable[[Function], Function]:
    """Return a decorator that marks a function of a file for ``jitkernels compare FILE.py``; the function is not changed.

    label: a backend's name, "backend: variant" ("numba: tiled"), or "array_api". ValueError for any other label, and for
    one that another function of the file has.
    """
    require_label(label)

    def mark(function: Function) -> Function:
        marked = sys._getframe(1).f_globals.setdefault(VARIANTS, {})
        if not _is_again(marked.get(label, function), function):
            raise ValueError(f"two functions are {label!r}: name one of them, as '{label.partition(':')[0]}: other'")
        marked[label] = function
        return function

    return mark


def _is_again(old: Function, new: Function) -> bool:
    """True if both are one function, or ``new`` comes from executing its definition again, as of a notebook's cell."""
    name, code = getattr(new, "__name__", ""), getattr(new, "__code__", None)
    is_another = code is not None and code is getattr(old, "__code__", None)  # of one ``def`` that makes several
    return old is new or (name.isidentifier() and name == getattr(old, "__name__", "") and not is_another)


def require_label(label: object) -> None:
    """Raise ValueError unless this is a label: of a backend, of a variant, or of the array API."""
    if not isinstance(label, str):
        kind = getattr(label, "__name__", repr(label))
        raise ValueError(f"a label is a backend's name, as 'numba' or 'numba: tiled', and not {kind}")
    if label != ARRAY_API:
        backend_of(label)


def backends() -> list[Backend]:
    """Return the backends that take functions of Python's: all but C's."""
    return [row for row in catalogue().values() if row.dialect != "c"]


def backend_of(label: str) -> Backend:
    """Return the backend of a label: "numba" or "numba: tiled". Otherwise ValueError, which lists the backends that take
    functions."""
    name = label.partition(":")[0].strip()
    if name not in (known := [row.name for row in backends()]):
        reason = "C compiles no function of Python's" if name == "c" else f"unknown backend {name!r}"
        raise ValueError(f"{reason}; a label begins with one of {', '.join(known)}")
    return catalogue()[name]


def takes_namespace(function: Function) -> bool:
    """True for a function of the array API: ``def f(xp, x)``."""
    return parameters(function)[:1] == [NAMESPACE]


def require_namespace(backend: Backend) -> None:
    """Raise ValueError if a backend's framework has no namespace of the array API."""
    if backend.dialect not in NAMESPACES:
        raise ValueError(f"{backend.name} has no namespace for {NAMESPACE}; backends of {', '.join(NAMESPACES)} have one")


def with_namespace(function: Function, backend: Backend) -> Function:
    """Return a function of the array API with its namespace bound; any other function unchanged."""
    if not takes_namespace(function):
        return function
    namespace = importlib.import_module(NAMESPACES[backend.dialect])

    def own(*arguments: Any) -> Any:
        return function(namespace, *arguments)

    others = list(inspect.signature(function).parameters.values())[1:]
    own.__signature__ = inspect.Signature(others)  # type: ignore[attr-defined]  # static arguments are found by name
    return own


def parameters(function: Function) -> list[str]:
    """Return the names of a function's parameters; none for a builtin without a signature."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []
