"""The table of backends: a compiler, or a mode of one, applied to a dialect. Nothing is imported to read it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Backend:
    """One line of the table.

    name: what users say.
    dialect: the language its kernels are written in; also the module in this package that drives the framework.
    mode: which of the framework's compilers, or none.
    packages: what must be installed, by import name.
    devices: where it can run.
    toolchain: the language whose system compiler it calls ("c", "c++"), or "".
    settles_after: calls until its runtime, which learns how to run a program by running it, has learnt that; or 0.
    """

    name: str
    dialect: str
    mode: str
    packages: tuple[str, ...] = ()
    devices: tuple[str, ...] = ("cpu",)
    toolchain: str = ""
    settles_after: int = 0

    @property
    def module(self) -> str:
        """The module that drives the framework."""
        return module_of(self.dialect)


def module_of(dialect: str) -> str:
    """The module that drives the framework of this dialect, by its import name."""
    return f"jitkernels.backends.{dialect}" + ("" if dialect in ("python", "numpy") else ".compiler")


CPU_GPU = ("cpu", "gpu")
LEARNT = 100
"""TensorFlow's executor takes each operation of a graph for one of 1e8 cycles, averages that with what it sees, a tenth at a
time, and runs in place what it takes to be below 8,000 (KernelStats in its common_runtime/executor.cc). To find a quick one
quick takes it 90 runs."""

BACKENDS: dict[str, Backend] = {
    backend.name: backend
    for backend in (
        Backend("python", "python", "interpreter"),
        Backend("numpy", "numpy", "eager", ("numpy",)),
        Backend("c", "c", "native", toolchain="c"),
        Backend("numba", "numba", "serial", ("numba",)),
        Backend("numba_parallel", "numba", "parallel", ("numba",)),
        Backend("jax_eager", "jax", "eager", ("jax",), CPU_GPU),
        Backend("jax", "jax", "jit", ("jax",), CPU_GPU),
        Backend("tensorflow_eager", "tensorflow", "eager", ("tensorflow",), CPU_GPU),
        Backend("tensorflow_graph", "tensorflow", "graph", ("tensorflow",), CPU_GPU, settles_after=LEARNT),
        Backend("tensorflow_xla", "tensorflow", "xla", ("tensorflow",), CPU_GPU),
        Backend("torch_eager", "torch", "eager", ("torch",), CPU_GPU),
        Backend("torch_script", "torch", "script", ("torch",), CPU_GPU),
        Backend("torch_dynamo", "torch", "dynamo", ("torch",), CPU_GPU),
        Backend("torch_aot", "torch", "aot", ("torch",), CPU_GPU),
        Backend("torch_inductor", "torch", "inductor", ("torch",), CPU_GPU, "c++"),
        Backend("triton", "triton", "jit", ("triton", "torch"), CPU_GPU),
    )
}
"""Every backend by its name; the order is the order of rows and columns everywhere, and only ever grows at its end."""
