"""Triton: compiled on a GPU; on the CPU its interpreter, for correctness only.

A dialect's file names ``kernel``, its jit function, and ``signature``, the types for which artifacts are compiled: types
by parameter, in Triton's words ("*i64", "u64"), a number for a constexpr. ``run`` may take ``device``, torch's name of it.

From its import on, Triton is either its interpreter or its compiler for the whole process: its own functions (``tl.sum``,
``tl.rand``) are built for one of them. So the interpreter's switch, TRITON_INTERPRET, is on only while this module imports
Triton, while a dialect's file is executed for it, and while it runs.
"""

import contextlib
import functools
import inspect
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from jitkernels import settings
from jitkernels.backends import apart, caches
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.table import TRITON
from jitkernels.backends.torch.tensors import Tensors, device_name
from jitkernels.errors import Unavailable
from jitkernels.source import Source, execute

SWITCH = "TRITON_INTERPRET"
COMPILE = "jitkernels.backends.triton.artifacts:compile_apart"
_interpreter = functools.partial(settings.variable, SWITCH, "1")  # a context in which Triton's switch is on

with _interpreter() if settings.device() in TRITON.interpreted_on else contextlib.nullcontext():
    import triton
from triton.runtime.interpreter import InterpretedFunction  # noqa: E402  # only now, because Triton reads its switch at import

from jitkernels.backends.triton import releases  # noqa: E402  # imports Triton too

INTERPRETER = isinstance(triton.language.rand, InterpretedFunction)

# Registries of the process, like Triton's own: a listener is registered once, and programs belong to jit functions.
_kernels: set[Any] = set()  # jit functions that were run
_counts = Counter[str]()  # dropped programs, and those from the disk cache


class Triton(Tensors):
    def start(self) -> None:
        """Start CUDA's context and Triton's driver; the interpreter has nothing to start."""
        self.wait(torch.ones(1, device=device_name(self.device)))
        if not INTERPRETER:
            triton.runtime.driver.active.get_current_target()

    def compile(self, source: Source) -> Callable[..., Any]:
        """Return ``run`` unchanged, because Triton compiles when a kernel is launched. On the CPU return ``run`` of a second
        copy of the file, whose kernels are interpreted."""
        _require(self.device)
        run: Any = source.run
        keywords = {"device": device_name(self.device)} if "device" in inspect.signature(run).parameters else {}
        return functools.partial(_launcher(run), **keywords)

    def forget(self) -> None:
        _counts["dropped"] = self.programs()
        for kernel in _kernels:
            releases.programs_by_device(kernel).clear()
        caches.forget()

    def programs(self) -> int:
        """Count the programs compiled from the library's kernels in this process. The interpreter compiles none."""
        return _counts["dropped"] + sum(map(releases.programs, _kernels))

    def from_disk(self) -> int:
        """Count what Triton's compiler reported to its listener. The interpreter compiles nothing."""
        if not INTERPRETER and not releases.LISTENS:
            raise Unavailable(f"Triton {triton.__version__} does not say whether a program came from its disk cache")
        return _counts["from disk"]

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Any:
        """A function that launches kernels stays Python: the dialect's file decorates what Triton compiles."""
        if INTERPRETER:
            raise Unavailable("Triton is interpreted on this device: it compiles nothing that could be counted")
        return _launcher(function)

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time Triton's stages by its own names, compiled for the GPU of ``triton.artifacts`` on any machine."""
        return _compiled(source)[0]

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return Triton's languages down to the GPU's machine code, and ptxas's use of registers, for the same GPU."""
        return _compiled(source)[1]


def _listen() -> None:
    """Count programs from the disk cache, then call the listener that was registered before."""
    before = triton.knobs.compilation.listener

    def listener(*, cache_hit: bool, **others: Any) -> None:
        _counts["from disk"] += cache_hit
        if before is not None:
            before(cache_hit=cache_hit, **others)

    triton.knobs.compilation.listener = listener


def _require(device: str) -> None:
    """Raise Unavailable if Triton was imported as an interpreter and the device needs the compiler, or the reverse."""
    device_name(device)
    if device == "cpu" and not INTERPRETER:
        raise Unavailable(
            "Triton is already loaded as a compiler in this process; its interpreter needs a process of its own"
        )
    if device != "cpu" and INTERPRETER:
        raise Unavailable("Triton is already loaded as its interpreter in this process; the GPU needs one of its own")


def _launcher(run: Any) -> Callable[..., Any]:
    """Return ``run``, or without a GPU the function of that name in a copy of its file whose kernels are interpreted."""
    module: Any = inspect.getmodule(run)
    if INTERPRETER:
        path = Path(module.__file__)
        with _interpreter():
            copy = execute(f"{path.parent.name}_interpreted", path)
        program: Callable[..., Any] = getattr(copy, run.__name__)
        return _interpreter()(program)  # as a decorator: each call has its own context
    _kernels.update(value for value in vars(module).values() if isinstance(value, triton.JITFunction))
    return run  # type: ignore[no-any-return]


def _compiled(source: Source) -> tuple[Stages, Artifacts]:
    """Compile in a process where Triton is a compiler and its cache is empty."""
    try:
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "TRITON_CACHE_DIR": cache, SWITCH: ""}
            stages, artifacts = apart.call(COMPILE, source.kernel, environment=environment)
    except RuntimeError as error:
        if missing := re.search(r"Cannot find ([\w-]+)", str(error)):
            variable = f"TRITON_{missing[1].replace('-', '_').upper()}_PATH"
            reason = f"there is no {missing[1]}: it comes with Triton; install it anew, or name one in {variable}"
            raise Unavailable(reason) from error
        raise RuntimeError(f"Triton failed on {source.path}: {error}") from error
    return stages, artifacts


if not INTERPRETER and releases.LISTENS:
    _listen()
