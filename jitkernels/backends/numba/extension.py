"""Loading an extension module that ``numba.pycc`` made: Numba need not be installed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels import source
from jitkernels.backends import ahead_of_time
from jitkernels.backends.ahead_of_time import Subject

MODULE = "jitkernels_aot"  # a module's name is part of its machine code: PyInit_jitkernels_aot


class AheadOfTime(ahead_of_time.AheadOfTime):
    def load(self, subject: Subject, directory: Path) -> Callable[..., Any]:
        (path,) = directory.glob(f"{MODULE}*")
        program: Callable[..., Any] = source.execute(MODULE, path).run
        return program
