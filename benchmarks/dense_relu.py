"""max(0, W X) in one program, against dense and relu in two: does fusing buy anything?"""

import functools

from ._suite import _artifacts, _compiled, _Counts, _Error, _Interpreted, _Warm, _warmed

BACKENDS = [  # append-only; python is not among them: the kernel says why
    "numpy",
    "c",
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
    "triton",
]
ROWS = [20, 100]  # append-only too
LARGEST = {"triton": 20}  # its interpreter


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = LARGEST


class Apart(_Warm):
    """Seconds of two programs instead of one: dense's, then relu's on its result as it is. "jit the two or the whole?"

    Against Warm at the same parameters. Inside the clock: both calls, and one wait, for the last result.
    """

    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = LARGEST

    def setup(self, backend, rows):
        self.case, self.number = _warmed(_two_programs(backend, self.affordable(backend, rows)))


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [20]]
    param_names = ["backend", "rows"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = LARGEST


class Counts(_Counts):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    version = "1"
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
    param_names = ["backend", "rows"]

    def track_bytes_accessed(self, backend, rows):
        """Bytes that the operations read and write, by XLA's own estimate; a fused one counts once."""
        return self.count("bytes_accessed", backend)

    track_bytes_accessed.unit = "bytes"
    track_bytes_accessed.direction = "lower"
    track_bytes_accessed.exact = True

    def track_fusions(self, backend, rows):
        """Parts that XLA makes one loop, or one call of a library, of."""
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
    track_fusions.exact = True

    def track_kernels(self, backend, rows):
        """Loops that Inductor writes itself; a library's product is none."""
        return self.count("kernels", backend)

    track_kernels.unit = "kernels"
    track_kernels.direction = "lower"
    track_kernels.exact = True


class CountsApart(Counts):
    """The same of two programs instead of one: dense's and relu's, added up."""

    version = "1"

    def setup(self, backend, rows):
        dense, relu = (_artifacts(kernel, backend, rows).counts for kernel in ("dense", "relu"))
        self.counts = {name: dense[name] + relu[name] for name in dense}


class _TwoPrograms:
    """dense, then relu on its result, with what ``_warmed`` asks of a case."""

    def __init__(self, backend, rows):
        self.dense, self.relu = (_compiled(kernel, backend, rows) for kernel in ("dense", "relu"))

    def call(self):
        return self.relu.compiler.wait(self.relu.program(self.dense.program(*self.dense.arguments)))

    def check(self):
        """AssertionError unless relu is right on dense's checked answer, and the two one after the other agree with that."""
        apart = self.relu.with_inputs(self.dense.check()).check()
        together = self.relu.compiler.fetch(self.call())
        self.dense.kernel.check(together, self.dense.size, self.dense.seed, lambda: apart)


_two_programs = functools.cache(_TwoPrograms)  # setup runs before every single timed call
