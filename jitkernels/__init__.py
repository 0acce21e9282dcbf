"""Kernels for Python's just-in-time compilers, with checked answers and a clock.

``kernels`` and ``backends`` are the catalogues (``kernels.names()``, ``backends.BACKENDS``). ``prepare`` makes a case of one
kernel and one backend. Importing this package imports no framework and no NumPy: a public name's module is imported when the
name is first used.
"""

import importlib

TYPE_CHECKING = False  # as in ``typing``; importing that takes a tenth of the time that importing this package may take
if TYPE_CHECKING:
    from jitkernels import backends, kernels
    from jitkernels.case import prepare
    from jitkernels.decorators import perf_time, value_acc
    from jitkernels.errors import Unavailable
    from jitkernels.functions.labels import variant
    from jitkernels.functions.report import compare
    from jitkernels.version import __version__ as __version__

__all__ = ["Unavailable", "backends", "compare", "kernels", "perf_time", "prepare", "value_acc", "variant"]

_HOMES = {
    "Unavailable": "errors",
    "compare": "functions.report",
    "perf_time": "decorators",
    "prepare": "case",
    "value_acc": "decorators",
    "variant": "functions.labels",
    "__version__": "version",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"jitkernels.{_HOMES[name]}"), name)
    if name in __all__:
        return importlib.import_module(f"jitkernels.{name}")
    raise AttributeError(f"module 'jitkernels' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__, "__version__"]
