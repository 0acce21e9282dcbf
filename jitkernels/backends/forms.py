"""The table of the files that compilers write ahead of time. Reading it imports no framework.

``backends.ahead_of_time`` has the class that makes and loads them.
"""

from dataclasses import dataclass

from jitkernels.backends.table import Backend, find_backend

DEFAULT_KERNELS = ("dense_relu", "black_scholes", "philox_pi", "mlp_infer")


@dataclass(frozen=True)
class Form:
    """One kind of file. It is compared with the just-in-time compiler of its backend."""

    name: str  # what users write
    backend: str
    host: str  # the backend that handles a loaded program's arguments, waiting and results; it compiles nothing itself
    built: str  # what is inside the clock of the build
    platform: str  # what ties the file to a machine, by the format's documents
    left: str = ""  # what the process that loads it still compiles, or ""
    front_end: tuple[str, ...] = ()  # the modules of the compiler's front end, which traces, types or lowers Python
    is_cache: bool = False  # True if the file is the compiler's own disk cache, whose directory the environment names
    loader: str = ""  # the module that loads it, by import name, if it is not the framework's own
    unrun: str = ""  # why it is only built, or ""


_TORCH = ("torch._dynamo", "torch._inductor", "torch._functorch.aot_autograd", "sympy")
_NUMBA = ("numba.core.compiler", "numba.core.typeinfer", "llvmlite.binding")
_XLA = ("jax._src.interpreters.partial_eval", "jax._src.interpreters.mlir")
_TENSORFLOW = ("tensorflow.python.autograph.impl.api", "tensorflow.python.eager.polymorphic_function.tracing_compilation")
_ALL_OF_XLA = "all of XLA's work, at the first call"
_A_GRAPH = "any that TensorFlow has: a graph"
# fmt: off
_NUMBA_CACHE = ("type inference, LLVM, and writing the cache",
                "one processor model, one version of Numba, and the source file's path and time of change", "", _NUMBA, True)

FORMS = (
    Form("shared_object", "c", "c", "the compiler driver's run, linking included",
         "this processor's family (-march=native) and operating system"),
    Form("extension_module", "numba", "numpy",
         "type inference, LLVM, and the C compiler's run that makes a module of Python's",
         "this processor's family (target_cpu), one operating system and version of CPython", front_end=_NUMBA,
         loader="jitkernels.backends.ahead_of_time"),
    Form("disk_cache", "numba", "numba", *_NUMBA_CACHE),
    Form("disk_cache", "numba_parallel", "numba_parallel", *_NUMBA_CACHE),
    Form("stablehlo", "jax", "jax", "tracing, lowering and writing; XLA is not asked",
         "none beyond the named kinds of device; six months of compatibility backwards", _ALL_OF_XLA, _XLA),
    Form("executable", "jax", "jax", "tracing, lowering, XLA, and writing",
         "this processor's features, and one version of jaxlib", front_end=_XLA),
    Form("saved_model", "tensorflow_graph", "tensorflow_eager", "tracing and writing", _A_GRAPH,
         "the graph's optimisation, at the first call", _TENSORFLOW),
    Form("saved_model", "tensorflow_xla", "tensorflow_eager", "tracing and writing; XLA is not asked", _A_GRAPH,
         _ALL_OF_XLA, _TENSORFLOW),
    Form("script_file", "torch_script", "torch_eager", "scripting and writing", "any that PyTorch has: byte code",
         "its own optimisation, in the first calls", _TORCH),
    Form("package", "torch_inductor", "torch_eager", "torch.export, Inductor, the C++ compiler's run, and packing",
         "one operating system, processor and vector length, and one version of PyTorch", front_end=_TORCH),
    Form("cubin", "triton", "triton", "Triton's stages, ptxas included", "one GPU architecture: sm_90, a Hopper's",
         unrun="built, not run: a cubin needs the GPU that it is for, and CUDA's driver loads it, not Triton"),
)
# fmt: on
"""In the order of their backends' table."""

WITHOUT = {
    "python": "it compiles byte code, which Python itself keeps in .pyc files",
    "numpy": "its operations were compiled ahead of time by those who built NumPy",
    "torch_dynamo": "PyTorch's aot_compile, which writes its byte code and guards to a file, is experimental and not used",
    "torch_aot": "PyTorch's aot_compile, which writes its graphs to a file, is experimental and not used",
}
"""Why a backend has no form, if its kind does not say so."""
WITHOUT_KIND = {"eager": "its mode runs operation by operation; there is no program to keep"}


def forms_of(backend: str) -> tuple[Form, ...]:
    """Return the backend's forms; ValueError, in one line, for an unknown backend or one that has none."""
    row = find_backend(backend)
    forms = tuple(form for form in FORMS if form.backend == row.name)
    if not forms:
        others = ", ".join(dict.fromkeys(form.backend for form in FORMS))
        raise ValueError(f"{row.name} has no ahead-of-time way: {reason_without(row)}; those that have: {others}")
    return forms


def reason_without(backend: Backend) -> str:
    """Return why a backend has no form."""
    return WITHOUT.get(backend.name) or WITHOUT_KIND.get(backend.kind, "this library knows of no file that it writes")


def find_form(backend: str, name: str) -> Form:
    """Return the backend's form of this name."""
    return next(form for form in FORMS if (form.backend, form.name) == (backend, name))
