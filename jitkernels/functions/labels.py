"""Labels of a user's functions: a backend's name, "backend: variant" ("numba: tiled"), or "array_api"."""

import sys
from collections.abc import Callable
from typing import Any

from jitkernels.backends.table import Backend, catalogue
from jitkernels.functions import array_api

Function = Callable[..., Any]
VARIANTS = "__jitkernels_variants__"  # in a module: its marked functions by label


def variant(label: str) -> Callable[[Function], Function]:
    """Return a decorator that marks a function of a file for ``jitkernels compare FILE.py``; the function is not changed.

    label: a backend's name, "backend: variant" ("numba: tiled"), or "array_api". ValueError for any other label, and for
    one that another function of the file has.
    """
    require_label(label)

    def mark(function: Function) -> Function:
        marked = sys._getframe(1).f_globals.setdefault(VARIANTS, {})
        if getattr(marked.get(label, function), "__name__", "") != getattr(function, "__name__", ""):
            raise ValueError(f"two functions are {label!r}: name one of them, as '{label.partition(':')[0]}: other'")
        marked[label] = function
        return function

    return mark


def require_label(label: object) -> None:
    """Raise ValueError unless this is a label: of a backend, of a variant, or of the array API."""
    if not isinstance(label, str):
        kind = getattr(label, "__name__", repr(label))
        raise ValueError(f"a label is a backend's name, as 'numba' or 'numba: tiled', and not {kind}")
    if label != array_api.LABEL:
        backend_of(label)


def backend_of(label: str) -> Backend:
    """Return the backend of a label: "numba" or "numba: tiled". Otherwise ValueError, which lists the backends that take
    functions."""
    name = label.partition(":")[0].strip()
    if name not in catalogue() or catalogue()[name].dialect == "c":
        known = ", ".join(row.name for row in catalogue().values() if row.dialect != "c")
        reason = "C compiles no function of Python's" if name == "c" else f"unknown backend {name!r}"
        raise ValueError(f"{reason}; a label begins with one of {known}")
    return catalogue()[name]
