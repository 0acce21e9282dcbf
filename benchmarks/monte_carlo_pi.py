"""pi from random points of each framework's own generator."""

from ._exact import _Accuracy
from ._lives import _Cold
from ._suite import LARGEST as LARGEST_STREAM
from ._suite import _Interpreted, _Spelled, _Warm

LARGEST = {  # a framework's own generator takes ten times as long for a point as philox_pi's integers
    **LARGEST_STREAM,
    "c": 10_000_000,
    "numba": 10_000_000,
    "numba_parallel": 10_000_000,
    "jax": 10_000_000,
    "tensorflow_xla": 10_000_000,
    "torch_inductor": 10_000_000,
}

SPELLED = [  # append-only; the backends whose users write whole arrays, or in Numba a loop
    "numpy",
    "numba",
    "numba_parallel",
    "jax_eager",
    "jax",
    "tensorflow_eager",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_eager",
    "torch_script",
    "torch_dynamo",
    "torch_aot",
    "torch_inductor",
]


class Warm(_Warm):
    version = "1"
    largest = LARGEST


class Interpreted(_Interpreted):
    version = "1"


class Cold(_Cold):
    version = "1"

    def setup(self, backend, size):
        if backend == "torch_inductor":
            raise NotImplementedError("eight compilations of Inductor's are minutes; philox_pi.Cold has them")
        super().setup(backend, size)


class Accuracy(_Accuracy):
    version = "1"


class Spellings(_Spelled):
    """What is written for the generator, against whole arrays of its floats."""

    version = "1"
    params = [SPELLED, ["run", "plain"], [1_000_000]]
    param_names = ["backend", "spelling", "points"]
