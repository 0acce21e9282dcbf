"""Ahead of time against just in time: what a compiler's file costs to make, to ship, to load and to call.

``FORMS`` is the table of files that compilers write, as ``jitkernels.backends`` is that of compilers. Nothing is imported to
read it. One module for each framework keeps the contract in ``_contract``; ``rows`` measures, in fresh processes.
"""

from dataclasses import dataclass
from typing import Any

from jitkernels.case import find_backend

DEFAULT_KERNELS = ("dense_relu", "black_scholes", "philox_pi", "mlp_infer")


@dataclass(frozen=True)
class Form:
    """One kind of file.

    name, backend: what users say; the backend is also the just-in-time compiler that it is compared with.
    host: the backend whose arguments, waiting and results a loaded program shares; it compiles nothing by itself.
    built: what is inside the clock of the build.
    platform: what ties the file to a machine, as the format's documents say.
    left: what is still compiled in the process that loads it, or "".
    front_end: the modules that are the compiler's front end: they trace, type or lower Python.
    is_cache: the file is the compiler's own disk cache, and the compiler has to be told where that is.
    loader: the module that loads it, by import name, where that is not the framework's own.
    unrun: why it is built only, or "".
    """

    name: str
    backend: str
    host: str
    built: str
    platform: str
    left: str = ""
    front_end: tuple[str, ...] = ()
    is_cache: bool = False
    loader: str = ""
    unrun: str = ""


_TORCH = ("torch._dynamo", "torch._inductor", "torch._functorch.aot_autograd", "sympy")
_NUMBA = ("numba.core.compiler", "numba.core.typeinfer", "llvmlite.binding")
_XLA = ("jax._src.interpreters.partial_eval", "jax._src.interpreters.mlir")
_TENSORFLOW = ("tensorflow.python.autograph.impl.api", "tensorflow.python.eager.polymorphic_function.tracing_compilation")
_NUMBA_CACHE: dict[str, Any] = {
    "built": "type inference, LLVM, and writing the cache",
    "platform": "one processor model, one version of Numba, and the source file's path and time of change",
    "front_end": _NUMBA,
    "is_cache": True,
}
_SAVED_MODEL: dict[str, Any] = {
    "host": "tensorflow_eager",
    "platform": "any that TensorFlow has: a graph",
    "front_end": _TENSORFLOW,
}
_ALL_OF_XLA = "all of XLA's work, at the first call"

FORMS: tuple[Form, ...] = (
    Form(
        "shared_object", "c", "c",
        built="the compiler driver's run, linking included",
        platform="this processor's family (-march=native) and operating system",
    ),
    Form(
        "extension_module", "numba", "numpy",
        built="type inference, LLVM, and the C compiler's run that makes a module of Python's",
        platform="this processor's family (target_cpu), one operating system and version of CPython",
        front_end=_NUMBA,
        loader="jitkernels.backends.numba.extension",
    ),
    Form("disk_cache", "numba", "numba", **_NUMBA_CACHE),
    Form("disk_cache", "numba_parallel", "numba_parallel", **_NUMBA_CACHE),
    Form(
        "stablehlo", "jax", "jax",
        built="tracing, lowering and writing; XLA is not asked",
        left=_ALL_OF_XLA,
        platform="none beyond the named kinds of device; six months of compatibility backwards",
        front_end=_XLA,
    ),
    Form(
        "executable", "jax", "jax",
        built="tracing, lowering, XLA, and writing",
        platform="this processor's features, and one version of jaxlib",
        front_end=_XLA,
    ),
    Form("saved_model", "tensorflow_graph", built="tracing and writing", left="the graph's optimisation, at the first call",
         **_SAVED_MODEL),
    Form("saved_model", "tensorflow_xla", built="tracing and writing; XLA is not asked", left=_ALL_OF_XLA, **_SAVED_MODEL),
    Form(
        "script_file", "torch_script", "torch_eager",
        built="scripting and writing",
        left="its own optimisation, in the first calls",
        platform="any that PyTorch has: byte code",
        front_end=_TORCH,
    ),
    Form(
        "package", "torch_inductor", "torch_eager",
        built="torch.export, Inductor, the C++ compiler's run, and packing",
        platform="one operating system, processor and vector length, and one version of PyTorch",
        front_end=_TORCH,
    ),
    Form(
        "cubin", "triton", "triton",
        built="Triton's stages, ptxas included",
        platform="one GPU architecture: sm_90, a Hopper's",
        unrun="built, not run: a cubin needs the GPU that it is for, and CUDA's driver loads it, not Triton",
    ),
)  # fmt: skip  # an argument a line would be twice as long
"""In the order of their backends' table."""

WITHOUT = {
    "python": "it compiles byte code, which Python itself keeps in .pyc files",
    "numpy": "its operations were compiled ahead of time by those who built NumPy",
    "jax_eager": "its mode runs operation by operation; there is no program to keep",
    "tensorflow_eager": "its mode runs operation by operation; there is no program to keep",
    "torch_eager": "its mode runs operation by operation; there is no program to keep",
    "torch_dynamo": "it makes byte code and guards of one process; what torch.export makes is for Inductor to compile",
    "torch_aot": "its graphs are run operation by operation; what torch.export makes is for Inductor to compile",
}
"""Why a backend has no form."""


def forms(backend: str) -> tuple[Form, ...]:
    """The backend's forms; ValueError, in one line, for an unknown backend or one that has none."""
    name = find_backend(backend).name
    found = tuple(form for form in FORMS if form.backend == name)
    if not found:
        others = ", ".join(dict.fromkeys(form.backend for form in FORMS))
        raise ValueError(f"{name} has no ahead-of-time way: {WITHOUT[name]}; those that have: {others}")
    return found


def form(backend: str, name: str) -> Form:
    """The backend's form of this name."""
    return next(form for form in FORMS if (form.backend, form.name) == (backend, name))
