"""What the library's tables say of kernels and backends; results may name others."""

from jitkernels import kernels
from jitkernels.backends.table import BACKENDS
from jitkernels.measure.speedup import eager_mode
from website.schema import index as schema

PACKAGES = {
    "tensorflow": ("tensorflow", "tensorflow-cpu")
}  # what asv's matrix or pip calls a dialect, where it is not its name
MODES = {
    "interpreter": "Python's interpreter",
    "native": "compiled ahead of time by the system's C compiler",
    "serial": "njit",
    "parallel": "njit(parallel=True)",
    "graph": "tf.function",
    "xla": "tf.function(jit_compile=True)",
    "script": "TorchScript",
    "dynamo": "torch.compile, Dynamo alone",
    "aot": "torch.compile, Dynamo and AOTAutograd",
    "inductor": "torch.compile, Inductor",
}
EAGER = "operation by operation, nothing compiled"
JIT = {"jax": "jax.jit, XLA", "triton": "triton.jit; without a GPU its interpreter"}


def kernel(name: str) -> schema.Kernel:
    """Return a kernel's row of the index."""
    if name not in kernels.names():
        return {"name": name, "what": "not a kernel of this version", "size": "size", "unit": "size"}
    spec = kernels.load(name)
    return {"name": name, "what": spec.summary, "size": spec.unit, "unit": spec.unit}


def backend(name: str) -> schema.Backend:
    """Return a backend's row of the index."""
    line = BACKENDS.get(name)
    if line is None:
        return {"name": name, "dialect": None, "what": "not a backend of this version", "eager": None}
    what = JIT.get(line.dialect, "") if line.mode == "jit" else EAGER if line.mode == "eager" else MODES[line.mode]
    return {"name": name, "dialect": line.dialect, "what": what, "eager": eager_mode(name)}


def absent(kernel_name: str, backend_name: str) -> str | None:
    """Return why the kernel has no file for the backend; None where it has one, or where the reason is unknown."""
    line = BACKENDS.get(backend_name)
    if line is None or kernel_name not in kernels.names():
        return None
    return kernels.load(kernel_name).absent.get(line.dialect)


def packages(backend_name: str) -> tuple[str, ...]:
    """By which of its packages' versions two releases of a backend are told apart, in the order in which they are asked."""
    line = BACKENDS.get(backend_name)
    return PACKAGES.get(line.dialect, (line.dialect,)) if line else ()
