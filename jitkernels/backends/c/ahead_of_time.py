"""C: a shared object. Loading it needs no compiler."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels.backends import ahead_of_time
from jitkernels.backends.ahead_of_time import Subject
from jitkernels.backends.c import compiler, shared_object


class AheadOfTime(ahead_of_time.AheadOfTime):
    def build(self, subject: Subject, directory: Path) -> None:
        shared_object.build(subject.source.path, directory)

    def load(self, subject: Subject, directory: Path) -> Callable[..., Any]:
        """Load the shared object by ``ctypes``."""
        (library,) = directory.glob("*.so")
        program: Callable[..., Any] = compiler.load_function(library, subject.source)
        return program
