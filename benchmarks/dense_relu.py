"""max(0, W X) in one program, against dense and relu in two: does fusing buy anything?"""

import functools

from ._exact import _Error, _Fused
from ._suite import ON_ARRAYS, _compiled, _Interpreted, _prepared, _Warm, _warmed

ROWS = [20, 100]  # append-only too
LARGEST = {"triton": 20}  # its interpreter


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]
    largest = LARGEST


class Apart(_Warm):
    """Seconds of two programs instead of one: dense's, then relu's on its result as it is. "jit the two or the whole?"

    Against Warm at the same parameters. Inside the clock: both calls, and one wait, for the last result.
    """

    version = "1"
    params = [ON_ARRAYS, ROWS]
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
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]
    largest = LARGEST


class Counts(_Fused):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    version = "1"
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
    param_names = ["backend", "rows"]


class CountsApart(Counts):
    """The same of two programs instead of one: dense's and relu's, added up."""

    version = "1"

    def figures(self, backend, rows):
        dense, relu = (_prepared(kernel, backend, rows).artifacts().counts for kernel in ("dense", "relu"))
        return {name: dense[name] + relu[name] for name in dense}


class _TwoPrograms:
    """dense, then relu on its result, with what ``_warmed`` asks of a case."""

    def __init__(self, backend, rows):
        self.dense, self.relu = (_compiled(kernel, backend, rows) for kernel in ("dense", "relu"))

    def __repr__(self):
        return f"{self.dense}, then {self.relu}"

    def settle(self):
        for case in (self.dense, self.relu):
            case.settle()

    def call(self):
        return self.relu.compiler.wait(self.relu.program(self.dense.program(*self.dense.arguments)))

    def check(self):
        """AssertionError unless relu is right on dense's checked answer, and the two one after the other agree with that."""
        apart = self.relu.with_inputs(self.dense.check()).check()
        together = self.relu.compiler.fetch(self.call())
        self.dense.kernel.check(together, self.dense.size, self.dense.seed, lambda: apart)


_two_programs = functools.cache(_TwoPrograms)  # setup runs before every single timed call
