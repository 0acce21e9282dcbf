"""A training step of AlexNet's shape, and what a warm-up without its backward pass leaves to the first step."""

import statistics

from ._library import load
from ._suite import benchmark, exact, lives, warm

BACKENDS = benchmark.MODELS[1:]  # append-only; the kernel says why others are missing
COMPILERS = ["jax", "tensorflow_xla", "torch_dynamo", "torch_aot", "torch_inductor"]  # append-only
PIXELS = [64]  # append-only too; 112 is half the article's side and widths, 224 the full ones


class _Parameters:
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation, forward and backward


class Warm(_Parameters, warm._WarmModel):
    """Seconds of a training step."""


class Roof(_Parameters, lives._Roof):
    params = [COMPILERS, PIXELS]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class FirstStep(exact._Exact):
    """Seconds of the first step after a warm-up, in a process that had compiled nothing before: the median of at most three
    processes. Inside the clock: what the warm-up left to compile, the step, the wait."""

    params = [COMPILERS, PIXELS, ["forward"]]
    param_names = ["backend", "pixels", "warm_up"]
    is_measured = True

    def figures(self, backend, size, kind):
        load("warm_up", "first_step")  # an older library lacks it, which skips
        answers = lives.repeat(lambda: lives.in_empty_caches("warm_up.first_step", self.kernel, backend, size, kind=kind))
        return {"seconds": statistics.median(answer["seconds"] for answer in answers)}

    track_seconds = exact.figure("seconds", "seconds")


class Programs(exact._Exact):
    """Programs compiled in the first steps after a warm-up."""

    params = [COMPILERS, PIXELS, ["no_grad", "forward", "step"]]
    param_names = ["backend", "pixels", "warm_up"]

    def figures(self, backend, size, kind):
        if backend == "torch_inductor" and kind != "forward":
            raise NotImplementedError("Inductor takes half a minute for each: it is asked for what FirstStep times alone")
        case = benchmark.compiled(self.kernel, backend, size)
        case.forget()
        first, second = load("warm_up", "programs").programs(case, kind, 2)
        return {"first": first, "second": second}

    track_programs_in_first_step = exact.figure("first", "programs", exact=True)
    track_programs_in_second_step = exact.figure("second", "programs", exact=True)
