"""Which side effects remain under a compiler, and when it compiles again."""

from ._suite.benchmark import OBSERVED, ON_ARRAYS
from ._suite.counts import _CallPattern, _Effect
from ._suite.exact import _Error
from ._suite.warm import _Interpreted, _Warm

PATTERNS = ["same", "new_value", "new_number", "new_shape", "new_dtype", "anew", "anew_closure"]  # append-only


class _Parameters:
    params = [ON_ARRAYS, [3]]  # append-only too
    param_names = ["backend", "number"]


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [3]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Caching(_CallPattern):
    """What makes a compiler compile again."""

    params = [OBSERVED, ["run"], PATTERNS]


class Effects(_Effect):
    """How many prints and appended entries of a list remain."""

    params = [OBSERVED, ["prints", "appends"], ["new_value"]]
