"""A branch on a value: what a call costs, and what each compiler does with each way to write it."""

from ._suite.benchmark import COMPILERS, OBSERVED, ON_ARRAYS
from ._suite.counts import _CallPattern
from ._suite.exact import _Error
from ._suite.lives import _Retraces
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [ON_ARRAYS, [3]]  # append-only too
    param_names = ["backend", "number"]


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [3]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Retraces(_Retraces):
    params = [COMPILERS, [3], ["value", "static"]]
    param_names = ["backend", "number", "kind"]


class Spellings(_CallPattern):
    """What each compiler does with each way to write the branch."""

    params = [OBSERVED, ["run", "naive", "static", "where", "cond"], ["new_value"]]
