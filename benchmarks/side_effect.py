"""Which side effects remain under a compiler, and when it compiles again."""

from ._suite import benchmark, counts, exact, warm

PATTERNS = ["same", "new_value", "new_number", "new_shape", "new_dtype", "anew", "anew_closure"]  # append-only


class _Parameters:
    params = [benchmark.ON_ARRAYS, [3]]  # append-only too
    param_names = ["backend", "number"]


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [3]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Caching(counts._CallPattern):
    """What makes a compiler compile again."""

    params = [benchmark.OBSERVED, ["run"], PATTERNS]


class Effects(counts._Effect):
    """How many prints and appended entries of a list remain."""

    params = [benchmark.OBSERVED, ["prints", "appends"], ["new_value"]]
