"""A training step of AlexNet's shape, and what a warm-up without its backward pass leaves to the first step."""

import statistics
import time

from jitkernels import prepare
from jitkernels.measure import warm_up

from ._exact import _Error, _Exact, exact
from ._lives import _answers, _in_empty_caches
from ._suite import _compiled, _WarmModel

BACKENDS = [  # append-only; the kernel says why the others are not among them
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
COMPILERS = ["jax", "tensorflow_xla", "torch_dynamo", "torch_aot", "torch_inductor"]  # append-only
PIXELS = [64]  # append-only too; 112 is half the article's side and widths, 224 the article's


class Warm(_WarmModel):
    version = "1"
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation, forward and backward


class Error(_Error):
    version = "1"
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300


class FirstStep(_Exact):
    """Seconds of the first step after a warm-up, in a process that has compiled nothing before it: the median of three
    processes, of those that begin in time. Inside the clock: what the warm-up left to compile, the step, the wait."""

    version = "1"
    params = [COMPILERS, PIXELS, ["forward"]]
    param_names = ["backend", "pixels", "warm_up"]
    measured = True

    def figures(self, backend, size, kind):
        tasks = {"first_step": _first_step}
        answers = _answers(lambda: _in_empty_caches("first_step", self.kernel, backend, size, tasks, kind=kind))
        return {"seconds": statistics.median(answer["seconds"] for answer in answers)}

    def track_seconds(self, backend, size, kind):
        return self.row["seconds"]

    track_seconds.unit = "seconds"
    track_seconds.direction = "lower"


def _first_step(kernel, backend, size, seed, kind):
    case = prepare(kernel, backend, size, seed)
    case.start()
    warm_up.warm_up(case, kind)
    begin = time.perf_counter()
    case.call()
    return {"seconds": time.perf_counter() - begin}


class Programs(_Exact):
    """Programs compiled in the first steps after a warm-up."""

    version = "1"
    params = [COMPILERS, PIXELS, list(warm_up.WARM_UPS)]
    param_names = ["backend", "pixels", "warm_up"]

    def figures(self, backend, size, kind):
        if backend == "torch_inductor" and kind != "forward":
            raise NotImplementedError("Inductor takes half a minute for each: it is asked for what FirstStep times alone")
        case = _compiled(self.kernel, backend, size)
        case.forget()
        first, second = warm_up.programs(case, kind, 2)
        return {"first": first, "second": second}

    @exact("programs")
    def track_programs_in_first_step(self, backend, size, kind):
        return self.row["first"]

    @exact("programs")
    def track_programs_in_second_step(self, backend, size, kind):
        return self.row["second"]
