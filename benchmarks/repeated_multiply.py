"""A loop that depends on a value: in the program, or in Python around a compiled multiplication."""

from ._suite import benchmark, counts, exact, warm

LOOPED = [  # append-only
    *("numpy", "numba"),
    *("jax_eager", "jax"),
    *("tensorflow_eager", "tensorflow_graph", "tensorflow_xla"),
    *("torch_eager", "torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
]


class _Parameters:
    params = [benchmark.ON_ARRAYS, [1_000]]  # append-only too
    param_names = ["backend", "multiplications"]


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [1_000]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Loop(warm._Spelled):
    """The compiled loop, compared with a compiled multiplication and a loop in Python."""

    params = [LOOPED, ["run", "per_iteration"], [1_000]]
    param_names = ["backend", "spelling", "multiplications"]


class Spellings(counts._CallPattern):
    """What each compiler does with each way to write the loop."""

    params = [benchmark.OBSERVED, ["run", "naive", "static", "per_iteration"], ["new_value"]]
