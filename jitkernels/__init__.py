"""Kernels for Python's just-in-time compilers: every answer checked, ready to be timed.

``kernels`` and ``backends`` are the two catalogues (``kernels.names()``, ``backends.BACKENDS``); ``prepare`` makes a case
of one of each. Importing this package imports no framework, not even NumPy.
"""

from jitkernels import backends, kernels
from jitkernels.case import prepare
from jitkernels.decorators import perf_time, value_acc
from jitkernels.errors import Unavailable

__version__ = "0.1.0"

__all__ = ["Unavailable", "backends", "kernels", "perf_time", "prepare", "value_acc"]
