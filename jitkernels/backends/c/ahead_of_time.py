"""C: a shared object. Loading it needs no compiler."""

from pathlib import Path
from typing import Any

from jitkernels.backends import ahead_of_time
from jitkernels.backends.c import compiler, shared_object


class AheadOfTime(ahead_of_time.AheadOfTime):
    def build(self, case: Any, directory: Path) -> None:
        shared_object.build(case.source.path, directory)

    def load(self, case: Any, directory: Path) -> Any:
        """Load the shared object by ``ctypes``."""
        (library,) = directory.glob("*.so")
        return compiler.load_function(library, case.source)
