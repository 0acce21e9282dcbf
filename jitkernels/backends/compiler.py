"""What every module in this package promises to ``case``.

A module drives one framework and imports it at its top. ``mode`` is the word in the table of backends. Arguments and
results are the framework's own ("native") except where NumPy or Python is said. Any function may raise ``Unavailable``;
nothing else is caught on the way up.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.source import Source


class Compiler(Protocol):
    def versions(self) -> dict[str, str]:
        """What is really installed: the framework and its compiler's parts, by package name."""

    def threads(self, mode: str) -> int:
        """How many threads a compiled program may use, as the process stands now."""

    def limit(self, mode: str, count: int) -> None:
        """Have compiled programs use ``count`` threads from now on; RuntimeError where the framework's runtime has started
        with another number and cannot change it. Nothing where programs have one thread whatever is asked for."""

    def interpreted(self, mode: str, device: str) -> bool:
        """True where a time would be that of an interpreter standing in for the compiler."""

    def start(self, mode: str, device: str) -> None:
        """Pay the framework's one-off costs (threads, LLVM, CUDA context, toolchain), so that no cold clock sees them."""

    def compile(self, source: Source, mode: str, device: str) -> Callable[..., Any]:
        """The callable a user of this backend would make from ``source``. It takes what ``put`` gave and returns at once;
        a compiler that compiles on the first call is left to do so."""

    def put(self, value: Any, device: str) -> Any:
        """A Python number or NumPy array as a native argument on the device."""

    def wait(self, result: Any) -> Any:
        """``result``, once the device has finished it."""

    def fetch(self, result: Any) -> Any:
        """``result`` as Python numbers and NumPy arrays."""

    def forget(self) -> None:
        """Drop every program this process has compiled, and see to it that no disk cache gives one back."""

    def programs(self) -> int:
        """How many programs this process has got from the framework so far, compiled or from a disk cache; never shrinks."""

    def from_disk(self) -> int:
        """How many of ``programs`` a disk cache gave back, so that nothing was compiled; 0 where nothing is kept on disk."""

    def jit(self, function: Callable[..., Any], mode: str, static: Sequence[str] = (), whole: bool = False) -> Any:
        """``function`` as its user decorates it, with none of this library's plumbing in between.

        static: names of the arguments that the compiler sees as constants. whole: the compiler is told to trace the function
        as it stands and to take all of it, where it would otherwise translate Python first or leave parts to Python.
        Unavailable where there is no function of Python's to compile.
        """

    def breaks(self) -> int:
        """How often the compiler has left a part of a function to Python since it was last told to forget."""

    def stages(self, source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
        """One fresh compilation: seconds by stage, in the pipeline's order, and of the whole; no stages where there is no
        compiler. Where to compile means to call, the whole is the first call, the run in it."""

    def artifacts(self, source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
        """What the compiler makes of ``source`` for these arguments; no texts where there is no compiler."""
