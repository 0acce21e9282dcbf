"""The class of every benchmark, its usual parameters, and the case that it measures.

asv 0.6.6 and asv_runner 0.3.2 dictate the form. Lists of backends and sizes are literals, because asv files results by
position. A test compares the lists of backends with the table. ``version`` is set by hand, because asv's default is a hash
of the source, so every edit would drop all history.
"""

import functools
import math
from typing import Any

from jitkernels import Unavailable, prepare

from .. import _records
from .._library import load

BACKENDS = [  # append-only: asv files results by position
    *("python", "numpy", "c", "numba", "numba_parallel"),
    *("jax_eager", "jax"),
    *("tensorflow_eager", "tensorflow_graph", "tensorflow_xla"),
    *("torch_eager", "torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
    "triton",
]
ON_ARRAYS = [  # append-only; the backends of kernels on arrays; plain Python has no arrays
    *("numpy", "c", "numba", "numba_parallel"),
    *("jax_eager", "jax"),
    *("tensorflow_eager", "tensorflow_graph", "tensorflow_xla"),
    *("torch_eager", "torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
    "triton",
]
MODELS = [  # append-only; the backends of models: the frameworks that differentiate, and NumPy by hand
    "numpy",
    *("jax_eager", "jax"),
    *("tensorflow_eager", "tensorflow_graph", "tensorflow_xla"),
    *("torch_eager", "torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
]
COMPILERS = [  # append-only; the backends whose first call compiles
    *("c", "numba", "numba_parallel"),
    "jax",
    *("tensorflow_graph", "tensorflow_xla"),
    *("torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
]
MODEL_COMPILERS = [  # append-only; those of models
    "jax",
    *("tensorflow_graph", "tensorflow_xla"),
    *("torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
]
STAGED = [  # append-only; the compilers, and Triton: its stages and counts need no GPU
    *("c", "numba", "numba_parallel"),
    "jax",
    *("tensorflow_graph", "tensorflow_xla"),
    *("torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
    "triton",
]
CACHED = [  # append-only; the compilers with a disk cache
    *("c", "numba", "numba_parallel"),
    "jax",
    *("tensorflow_xla", "torch_inductor"),
]
NOT_CACHED = [  # the other compilers, which keep nothing on disk
    "tensorflow_graph",
    *("torch_script", "torch_dynamo", "torch_aot"),
]
OBSERVED = [  # append-only; the just-in-time compilers that are called in patterns
    *("numba", "jax"),
    *("tensorflow_graph", "tensorflow_xla"),
    *("torch_script", "torch_dynamo"),
]
NOT_OBSERVED = [  # the others compile when numba and torch_dynamo do (tests check it)
    "numba_parallel",
    *("torch_aot", "torch_inductor"),
]
STAGES = [  # append-only; of all compilers
    *("trace", "lower", "compile", "instantiate", "load"),
    *("numba_ir", "type_inference", "parfors", "lowering", "llvm"),
    *("script", "dynamo", "aot_autograd", "inductor"),
    *("ir_initialization", "ttir", "ttgir", "llir", "ptx", "cubin", "store_results"),
    *("other", "total"),
]
COUNTS = [  # append-only; of all compilers: counts that show what a release compiled differently
    *("jaxpr_operations", "graph_operations", "fx_operations", "aten_operations"),
    *("hlo_instructions", "fusions", "kernels"),
    *("llvm_instructions", "ptx_instructions", "sass_instructions"),
    *("code_bytes", "widest_vector_bits", "stack_loads", "stack_stores", "registers", "spilled_bytes"),
]
POINTS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]  # append-only too
LARGEST = {  # points that take a backend about a second on one slow core; larger sizes are skipped
    **dict.fromkeys(("python", "jax_eager", "triton"), 1_000_000),
    **dict.fromkeys(("numpy", "tensorflow_eager", "tensorflow_graph"), 10_000_000),
    **dict.fromkeys(("torch_eager", "torch_script", "torch_dynamo", "torch_aot"), 10_000_000),
}


class _Benchmark:
    """What all classes share. The default parameters are those of the kernels that count points.

    If the figures of a class change their meaning, it sets its own ``version``, and asv begins a new history.
    """

    version = "1"
    params = [BACKENDS, POINTS]
    param_names = ["backend", "points"]
    largest = LARGEST
    timeout = 180  # seconds for one process: imports, compilation (Inductor's is the longest), warm-up and samples
    is_recorded = False  # True once setup has written its records

    def __init_subclass__(cls) -> None:
        """Wrap setups, teardowns and ``track_`` methods, so that asv gets only values that it can store, and records say why
        a case has none."""
        for name, method in list(vars(cls).items()):
            if name.startswith("track_"):
                method.__name__ = name  # all methods from ``figure`` have the same name
                setattr(cls, name, _records.explained(_storable(method)))
            if name == "setup":
                setattr(cls, name, _records.recorded(method))
            if name == "teardown":
                setattr(cls, name, _records.explained(method))

    @property
    def kernel(self) -> str:
        """The kernel's name: the module's."""
        return type(self).__module__.rpartition(".")[2]

    def affordable(self, backend, size):
        """Return ``size``. NotImplementedError (asv's skip) if it would take the backend too long on a processor; on a GPU
        triton has its compiler."""
        most = self.largest.get(backend, size)
        if size > most and load("settings").device() == "cpu":
            raise NotImplementedError(f"{backend} would take longer than about a second above {most} {self.param_names[1]}")
        return size


class _Shared(_Benchmark):
    """asv runs all classes with the same ``setup_cache`` in one directory, which exists as long as the run. Their processes
    share files there."""

    def setup_cache(self):
        """Do nothing. asv only needs the method to exist."""


class _ModelParameters:
    """The parameters of models whose inputs are samples."""

    params = [MODELS, [1, 32]]  # append-only too
    param_names = ["backend", "samples"]


def _storable(track):
    """Make ``track`` raise ValueError for values that asv cannot store: an infinity makes its publisher fill all memory."""

    @functools.wraps(track)
    def checked(*arguments):
        number = float(track(*arguments))
        if not math.isfinite(number) or number < 0:
            raise ValueError(f"a tracked value must be finite and at least 0, not {number}")
        return number

    return checked


def check_answer(case, answer):
    """Check an answer that was timed. An older library checks the answer of a new call instead."""
    if hasattr(case, "check_answer"):
        case.check_answer(answer)
    else:
        case.check()


def prepared(kernel: str, backend: str, size: int, spelling: str = "run"):
    """Return the case. NotImplementedError (asv's skip) if it is unavailable."""
    options: dict[str, Any] = {} if spelling == "run" else {"spelling": spelling}  # the oldest libraries have no other
    try:
        return prepare(kernel, backend, size, **options)
    except Unavailable as error:
        raise NotImplementedError(error.reason) from error


@functools.cache  # setup runs before every single timed call: only the first may do the work
def filed_under(name: str, kernel: str, backend: str, size: int, spelling: str = "run"):
    """Return the case if its time belongs to the class of this name: Interpreted if an interpreter stands in for the case's
    compiler, otherwise Warm. NotImplementedError if it belongs to the other one."""
    case = prepared(kernel, backend, size, spelling)
    kind, home = ("interpreted", "Interpreted") if case.interpreted else ("compiled", "Warm")
    if name != home:
        raise NotImplementedError(f"{backend} is {kind} on this device: its time is filed under {home}")
    return case


compiled = functools.partial(filed_under, "Warm")
interpreted = functools.partial(filed_under, "Interpreted")
