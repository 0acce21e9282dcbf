"""The table of backends, and the modules that drive their frameworks."""

from jitkernels.backends.table import BACKENDS, Backend

__all__ = ["BACKENDS", "Backend"]
