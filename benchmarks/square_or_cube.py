"""A branch on a value: what a call costs, and what each compiler does with each way to write it."""

from ._suite import benchmark, counts, exact, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [3]]  # append-only too
    param_names = ["backend", "number"]


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [3]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Retraces(lives._Retraces):
    params = [benchmark.COMPILERS, [3], ["value", "static"]]
    param_names = ["backend", "number", "kind"]


class Spellings(counts._CallPattern):
    """What each compiler does with each way to write the branch."""

    params = [benchmark.OBSERVED, ["run", "naive", "static", "where", "cond"], ["new_value"]]
