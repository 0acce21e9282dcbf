"""pi from random points of each framework's own generator."""

from ._suite import benchmark, exact, first_calls, warm

LARGEST = {  # a framework's own generator takes ten times as long for a point as philox_pi's integers
    **benchmark.LARGEST,
    **dict.fromkeys(("c", "numba", "numba_parallel", "jax", "tensorflow_xla", "torch_inductor"), 10_000_000),
}
SPELLED = [  # append-only; backends whose users write whole arrays, or in Numba a loop
    *("numpy", "numba", "numba_parallel"),
    *("jax_eager", "jax"),
    *("tensorflow_eager", "tensorflow_graph", "tensorflow_xla"),
    *("torch_eager", "torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
]


class Warm(warm._Warm):
    largest = LARGEST


class Interpreted(warm._Interpreted):
    """Seconds of a call where Triton is interpreted."""


class Cold(first_calls._Cold):
    def setup(self, backend, size):
        if backend == "torch_inductor":
            raise NotImplementedError("eight compilations of Inductor's are minutes; philox_pi.Cold has them")
        super().setup(backend, size)


class Accuracy(exact._Accuracy):
    """How near each backend comes to pi."""


class Spellings(warm._Spelled):
    """Code written for the generator, compared with whole arrays of its floats."""

    params = [SPELLED, ["run", "plain"], [1_000_000]]
    param_names = ["backend", "spelling", "points"]
