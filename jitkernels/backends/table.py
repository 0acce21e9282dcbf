"""The table of backends, one row each, readable without importing a framework. Plugins add rows.

These lists of backends are choices, or what asv requires, and do not grow with the table: the literals in
``benchmarks/_suite``, by which asv files results (a test compares them with the table); ``benchmarks/_selection.py``;
``backends.forms``, the files written ahead of time; the defaults of ``command.limit`` and ``measure.ranges``; what
``functions`` knows of arrays and settings of users' own functions; the colours in ``charts.drawing.releases`` and the
frameworks in ``charts.description``.
"""

import functools
import importlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jitkernels import plugins, settings


@dataclass(frozen=True, eq=False)
class DiskCache:
    """The environment variables of a compiler's disk cache."""

    variable: str  # names its directory
    folder: str  # name of its directory below that of all caches
    flag: str = ""  # the option in ``variable`` that names the directory, if the variable holds several options
    is_optional: bool = False  # True if it is off by default
    on: Mapping[str, str] = field(default_factory=dict)  # further variables that turn it on
    off: Mapping[str, str] = field(default_factory=dict)  # and off


@dataclass(frozen=True, eq=False)
class Framework:
    """What all backends of a dialect share."""

    dialect: str  # the language its kernels are written in
    compiler: str  # the class that drives it, "package.module:Class"
    colour: str  # of its curves, "#rrggbb"
    packages: tuple[str, ...] = ()  # what must be installed, by import name; one of them has the classes of its results
    parts: tuple[str, ...] = ()  # pip's names of other packages whose versions affect its speed
    distributions: tuple[str, ...] = ()  # pip's names of ``packages``, if they differ
    devices: tuple[str, ...] = ("cpu",)  # where it runs
    interpreted_on: tuple[str, ...] = ()  # where an interpreter stands in for its compiler
    caches: tuple[DiskCache, ...] = ()  # its disk caches
    settings: tuple[str, ...] = ()  # how the names of environment variables begin that change its programs or their speed
    marks: tuple[str, ...] = ()  # attributes that only functions returned by its own decorators have
    absent: str = ""  # why a kernel has no file in this dialect, unless the kernel's spec says why
    fixed_types: str = ""  # why a source compiles only for the types that it names, if it names types
    # the package with a module of this dialect for each kernel, if the kernels' own folders have no such file
    kernels: str = ""

    @property
    def module(self) -> str:
        """The module that drives it."""
        return self.compiler.partition(":")[0]

    @property
    def versioned(self) -> tuple[str, ...]:
        """pip's names of all packages whose versions affect its speed."""
        return (*(self.distributions or self.packages), *self.parts)


@dataclass(frozen=True, eq=False)
class Backend:
    """One row of the table."""

    name: str  # what users type
    framework: Framework
    mode: str  # which of the framework's compilers, or none
    what: str  # how a page describes it
    dash: tuple[int, ...]  # lengths of strokes and gaps of its curve in pixels
    shape: str  # a symbol's name in Vega
    kind: str = "compiler"  # just in time; or "native" (ahead of time), "eager" (operation by operation), "interpreter"
    options: Mapping[str, Any] = field(default_factory=dict)  # keyword arguments of the framework's function that compiles
    translator: str = ""  # that function, "module:function", if the framework has several
    adds: str = ""  # the stage that it adds to the mode above it, if the framework's modes form a sequence
    toolchain: str = ""  # the language whose system compiler it calls ("c", "c++"), or ""
    preload: tuple[str, ...] = ()  # the modules that a process imports before it compiles
    # modules whose import runs the compiler's tests of the machine, which it runs once in each process
    questions: tuple[str, ...] = ()
    settles_after: int = 0  # calls after which its runtime has stopped adapting to a program; or 0
    # (library, earlier): it imports ``library``, which aborts a process that has imported ``earlier``; or nothing
    clash: tuple[str, ...] = ()
    # variables of its users that make it another compiler or none, with such values in small letters
    disabled_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remembers_sizes: bool = False  # True if its program for a size depends on the sizes that the process has run before
    one_thread: bool = False  # True if its programs use one thread
    needs_threads: bool = False  # True if with one thread it would be another program
    is_slow_to_compile: bool = False  # True if a first call takes half a minute

    @property
    def dialect(self) -> str:
        """The language its kernels are written in."""
        return self.framework.dialect

    @property
    def module(self) -> str:
        """The module that drives the framework."""
        return self.framework.module

    @property
    def compiles(self) -> bool:
        """True if its first call compiles a program."""
        return self.kind not in ("eager", "interpreter")

    @property
    def eager(self) -> str | None:
        """The other backend that runs the same dialect operation by operation, or None."""
        rows = (row for row in catalogue().values() if row.framework is self.framework and row.kind == "eager")
        return next((row.name for row in rows if row is not self), None)


CPU_GPU = ("cpu", "gpu")
# Settings of libraries for arithmetic, threads and memory, which the frameworks load.
LIBRARIES = ("DNNL_", "GLIBC_TUNABLES", "GOMP_", "KMP_", "LD_PRELOAD", "MALLOC_", "MKL_", "OMP_", "ONEDNN_", "OPENBLAS_")
NO_SETTINGS = ("TORCHINDUCTOR_VEC_ISA_OK",)  # this library sets them, to what the framework would find out
# fmt: off
JAX_CACHE = DiskCache(
    "JAX_COMPILATION_CACHE_DIR", "jax", is_optional=True, off={"JAX_ENABLE_COMPILATION_CACHE": "false"},
    on={"JAX_ENABLE_COMPILATION_CACHE": "true",
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",  # its default of 1 s would keep none of our kernels
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"})
TENSORFLOW_CACHES = (
    DiskCache("KERAS_HOME", "keras"),  # no cache, but TensorFlow's import writes a file there
    DiskCache("TF_XLA_FLAGS", "tensorflow", "--tf_xla_persistent_cache_directory", is_optional=True))
INDUCTOR_CACHE = DiskCache("TORCHINDUCTOR_CACHE_DIR", "inductor")
TRITON_CACHE = DiskCache("TRITON_CACHE_DIR", "triton")

PYTHON = Framework("python", "jitkernels.backends.python:Python", "#6a6868")
NUMPY = Framework("numpy", "jitkernels.backends.numpy:NumPy", "#006bae", ("numpy",), settings=("NPY_", "NUMPY_", *LIBRARIES))
C = Framework("c", "jitkernels.backends.c.compiler:C", "#878685", caches=(DiskCache("JITKERNELS_CACHE_DIR", "c"),),
              fixed_types="the types stand in the prototype: C compiles no other")
NUMBA = Framework("numba", "jitkernels.backends.numba.compiler:Numba", "#c37a1a", ("numba",), ("llvmlite", "numpy"),
                  caches=(DiskCache("NUMBA_CACHE_DIR", "numba"),), settings=("NUMBA_", *LIBRARIES),
                  marks=("py_func", "_dispatcher"))
JAX = Framework("jax", "jitkernels.backends.jax.compiler:JAX", "#008d53", ("jax", "jaxlib"), ("numpy",), devices=CPU_GPU,
                caches=(JAX_CACHE,), settings=("JAX_", "XLA_", *LIBRARIES), marks=("eval_shape",))
TENSORFLOW = Framework("tensorflow", "jitkernels.backends.tensorflow.compiler:TensorFlow", "#b44800", ("tensorflow",),
                       ("numpy",), ("tensorflow", "tensorflow-cpu"), CPU_GPU, caches=TENSORFLOW_CACHES,
                       settings=("TF_CUDNN_", "TF_DETERMINISTIC_", "TF_DISABLE_", "TF_ENABLE_", "TF_FUNCTION_", "TF_GPU_",
                                 "TF_XLA_", "XLA_", *LIBRARIES), marks=("get_concrete_function",))
TORCH = Framework("torch", "jitkernels.backends.torch.compiler:Torch", "#089be1", ("torch",), ("triton", "numpy"),
                  devices=CPU_GPU, caches=(INDUCTOR_CACHE,), settings=("PYTORCH_", "TORCH", "TRITON_", *LIBRARIES),
                  marks=("_torchdynamo_orig_callable", "inlined_graph"))
TRITON = Framework("triton", "jitkernels.backends.triton.compiler:Triton", "#bd79aa", ("triton", "torch"), ("numpy",),
                   devices=CPU_GPU, interpreted_on=("cpu",), caches=(TRITON_CACHE,), settings=("TRITON_", *LIBRARIES))
# fmt: on
SOLID = (1, 0)  # a framework's own compiler
INTERPRETER = (1, 3)
EAGER = ("eager", "operation by operation", (2, 3), "circle", "eager")
CLASH = ("triton", "tensorflow")  # each has an LLVM, and Triton's registers the same options again
TRUE = ("1", "t", "true", "y", "yes", "on")
DYNAMO: dict[str, Any] = {
    "disabled_by": {"TORCHDYNAMO_DISABLE": ("1",), "TORCH_COMPILE_DISABLE": ("1",)},
    "translator": "torch:compile",
    "preload": ("torch._dynamo.backends.common",),
    "clash": CLASH,
    "remembers_sizes": True,  # after a second length Dynamo leaves it open
}
INDUCTOR: dict[str, Any] = {**DYNAMO, "preload": ("torch._inductor.compile_fx",)}  # AOTAutograd's mode imports it too
QUESTIONS = ("jitkernels.backends.torch.inductor_preload",)
SCRIPT = "jitkernels.backends.torch.programs:script_on_first_call"
LEARNT = 100
"""TensorFlow's executor first assumes 1e8 cycles for each operation of a graph, and moves a tenth of the way to each
measured value. It runs an operation in place if the estimate is below 8,000 (KernelStats in its common_runtime/executor.cc).
A quick operation gets there after 90 runs."""

# fmt: off
ROWS = (
    Backend("python", PYTHON, "interpreter", "Python's interpreter", INTERPRETER, "cross", "interpreter", one_thread=True),
    Backend("numpy", NUMPY, *EAGER),
    Backend("c", C, "native", "compiled ahead of time by the system's C compiler", SOLID, "diamond", "native",
            toolchain="c", one_thread=True),
    Backend("numba", NUMBA, "serial", "njit", SOLID, "square", one_thread=True, disabled_by={"NUMBA_DISABLE_JIT": ("1",)}),
    Backend("numba_parallel", NUMBA, "parallel", "njit(parallel=True)", (10, 3), "square",
            options={"parallel": True}, needs_threads=True, disabled_by={"NUMBA_DISABLE_JIT": ("1",)}),
    Backend("jax_eager", JAX, *EAGER),
    Backend("jax", JAX, "jit", "jax.jit, XLA", SOLID, "triangle-up", disabled_by={"JAX_DISABLE_JIT": TRUE}),
    Backend("tensorflow_eager", TENSORFLOW, *EAGER),
    Backend("tensorflow_graph", TENSORFLOW, "graph", "tf.function", (6, 3), "triangle-down", settles_after=LEARNT,
            disabled_by={"TF_FUNCTION_JIT_COMPILE_DEFAULT": ("1", "true")}),
    Backend("tensorflow_xla", TENSORFLOW, "xla", "tf.function(jit_compile=True)", SOLID, "triangle-down",
            options={"jit_compile": True}),
    Backend("torch_eager", TORCH, *EAGER),
    Backend("torch_script", TORCH, "script", "TorchScript", (6, 3), "triangle-right", translator=SCRIPT,
            remembers_sizes=True, disabled_by={"PYTORCH_JIT": ("0", "false", "no")}),
    Backend("torch_dynamo", TORCH, "dynamo", "torch.compile, Dynamo alone", (4, 2, 1, 2), "triangle-left",
            options={"backend": "eager"}, adds="dynamo", **DYNAMO),
    Backend("torch_aot", TORCH, "aot", "torch.compile, Dynamo and AOTAutograd", (8, 2, 2, 2), "cross",
            options={"backend": "aot_eager_decomp_partition"}, adds="aot_autograd", **INDUCTOR),
    Backend("torch_inductor", TORCH, "inductor", "torch.compile, Inductor", SOLID, "circle",
            options={"backend": "inductor"}, adds="inductor", toolchain="c++", questions=QUESTIONS, is_slow_to_compile=True,
            **INDUCTOR),
    Backend("triton", TRITON, "jit", "triton.jit; without a GPU its interpreter", SOLID, "triangle-up", clash=CLASH),
)
# fmt: on
BACKENDS = {row.name: row for row in ROWS}
"""Every built-in backend by its name. The order is that of rows and columns everywhere. New backends are added at the
end."""
FRAMEWORKS = tuple(dict.fromkeys(row.framework for row in ROWS))


def find_backend(name: str) -> Backend:
    """Return the row of this name; ValueError, with the reason or the known names, for any other word."""
    return plugins.lookup("backend", name, catalogue(), broken())


@functools.cache
def catalogue() -> dict[str, Backend]:
    """Return every backend by its name: the built-in ones, then those of plugins. ValueError if two have the same name."""
    return BACKENDS | _plugins().additions


def frameworks() -> tuple[Framework, ...]:
    """Return the frameworks of all backends in the catalogue, in its order."""
    return tuple(dict.fromkeys(row.framework for row in catalogue().values()))


def settings_of(chosen: Iterable[Framework]) -> dict[str, str]:
    """Return the environment variables, by name, that change the programs of these frameworks or their speed.

    Those of disk caches are left out, and numbers of threads, which rows have.
    """
    rows = list(chosen)
    starts = tuple(start for row in rows for start in row.settings)
    values = {name: os.environ[name] for name in sorted(os.environ) if name.startswith(starts) and name not in NO_SETTINGS}
    for cache in (cache for row in frameworks() for cache in row.caches):  # Inductor's rows have Triton's variables too
        for name in values.keys() & {*cache.on, *cache.off, cache.variable}:
            flags = [flag for flag in settings.flags_of(values[name]) if cache.flag not in flag] if cache.flag else []
            values[name] = " ".join(flags)
    return {name: value for name, value in values.items() if value and not name.endswith("_NUM_THREADS")}


def broken() -> dict[str, str]:
    """Return why a plugin's backend cannot be used, by name."""
    return _plugins().broken


@functools.cache
def _plugins() -> plugins.Plugins[Backend]:
    return plugins.load(plugins.BACKENDS, BACKENDS, _valid)


def _valid(name: str, value: Any) -> Backend:
    if not isinstance(value, Backend) or value.name != name:
        raise TypeError(f"{value!r} is no Backend named {name!r}")
    if value.framework.kernels:
        importlib.import_module(value.framework.kernels)  # without it, each kernel's file would be looked for in vain
    return value
