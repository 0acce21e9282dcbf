"""max(0, W X) in one program, compared with dense and relu in two: does fusing help?"""

import functools

from ._suite import benchmark, counts, exact, first_calls, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [20, 100]]  # append-only too
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [100]]


class Apart(_Parameters, warm._Warm):
    """Seconds of two programs instead of one: dense, then relu on its result. "jit the two or the whole?"

    To be compared with Warm at the same parameters. Inside the clock: both calls, and one wait for the last result.
    """

    def setup(self, backend, rows):
        self.case, self.number = warm.warmed(_two_programs(backend, self.affordable(backend, rows)))


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [20]]


class Cold(_Parameters, first_calls._Cold):
    params = [benchmark.COMPILERS, [100]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, counts._Fused):
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]


class CountsApart(Counts):
    """The counts of two programs instead of one: dense's and relu's, added up."""

    def figures(self, backend, rows):
        dense, relu = (benchmark.prepared(kernel, backend, rows).artifacts().counts for kernel in ("dense", "relu"))
        return {name: dense[name] + relu[name] for name in dense}


class _TwoPrograms:
    """dense, then relu on its result, with what ``warmed`` needs of a case."""

    def __init__(self, backend, rows):
        self.dense, self.relu = (benchmark.compiled(kernel, backend, rows) for kernel in ("dense", "relu"))

    def __repr__(self):
        return f"{self.dense}, then {self.relu}"

    def settle(self):
        for case in (self.dense, self.relu):
            if hasattr(case, "settle"):  # not in older libraries
                case.settle()

    def call(self):
        return self.relu.compiler.wait(self.relu.program(self.dense.program(*self.dense.arguments)))

    def check(self):
        self.check_answer(self.call())

    def check_answer(self, answer):
        """Raise AssertionError unless relu is right on dense's checked answer, and ``answer`` is the same."""
        apart = self.relu.with_inputs(self.dense.check()).check()
        together = self.relu.compiler.fetch(answer)
        self.dense.kernel.check(together, self.dense.size, self.dense.seed, lambda: apart)


_two_programs = functools.cache(_TwoPrograms)  # setup runs before every single timed call
