"""A training step of AlexNet's shape, and what a warm-up without its backward pass leaves to the first step."""

from jitkernels import warm_up

from ._exact import _Error, _Exact, exact
from ._lives import _Fresh
from ._suite import _compiled, _Warm

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


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation, forward and backward


class Error(_Error):
    version = "1"
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300


class FirstStep(_Fresh):
    """Seconds of the first step after a warm-up, in a process that has compiled nothing before it.

    Inside the clock: what the warm-up left to compile, the step, the wait. Eight processes a cell, as for every first call:
    fewer samples asv cannot tell apart. Eight of Inductor's are six minutes; they, and the other warm-ups, are only counted,
    in ``Programs``.
    """

    version = "2"
    params = [COMPILERS, PIXELS, ["forward"]]
    param_names = ["backend", "pixels", "warm_up"]

    def setup(self, backend, size, kind):
        if backend == "torch_inductor":
            raise NotImplementedError("eight of Inductor's compilations of this step are minutes; Programs counts them")
        super().setup(backend, size)
        warm_up.warm_up(self.case, kind)

    def time_first_step(self, backend, size, kind):
        self.case.call()


class Programs(_Exact):
    """Programs compiled in the first steps after a warm-up."""

    version = "1"
    params = [COMPILERS, PIXELS, list(warm_up.WARM_UPS)]
    param_names = ["backend", "pixels", "warm_up"]

    def figures(self, backend, size, kind):
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
