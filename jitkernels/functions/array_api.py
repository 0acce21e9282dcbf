"""Functions of the array API, ``f(xp, x)``: given once, measured on several backends, each with its framework as ``xp``."""

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from jitkernels.backends.table import Backend

LABEL = "array_api"  # of a function that stands for all of BACKENDS
BACKENDS = ("numpy", "jax", "torch_inductor")
NAMESPACE = "xp"  # the first parameter
NAMESPACES = {"numpy": "numpy", "jax": "jax.numpy", "torch": "torch"}  # by dialect


def takes_namespace(function: Callable[..., Any]) -> bool:
    """True for a function of the array API: ``def f(xp, x)``."""
    return parameters(function)[:1] == [NAMESPACE]


def require_namespace(backend: Backend) -> None:
    """Raise ValueError if a backend's framework has no namespace of the array API."""
    if backend.dialect not in NAMESPACES:
        raise ValueError(f"{backend.name} has no namespace for {NAMESPACE}; backends of {', '.join(NAMESPACES)} have one")


def with_namespace(function: Callable[..., Any], backend: Backend) -> Callable[..., Any]:
    """Return a function of the array API with its namespace bound; any other function unchanged."""
    if not takes_namespace(function):
        return function
    namespace = importlib.import_module(NAMESPACES[backend.dialect])

    def own(*arguments: Any) -> Any:
        return function(namespace, *arguments)

    others = list(inspect.signature(function).parameters.values())[1:]
    own.__signature__ = inspect.Signature(others)  # type: ignore[attr-defined]  # static arguments are found by name
    return own


def parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of a function's parameters; none for a builtin without a signature."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []
