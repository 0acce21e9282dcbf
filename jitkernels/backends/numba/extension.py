"""Loading an extension module that ``numba.pycc`` made: Numba need not be installed."""

from pathlib import Path
from typing import Any

from jitkernels import source
from jitkernels.backends import ahead_of_time

MODULE = "jitkernels_aot"  # a module's name is part of its machine code: PyInit_jitkernels_aot


class AheadOfTime(ahead_of_time.AheadOfTime):
    def load(self, case: Any, directory: Path) -> Any:
        (path,) = directory.glob(f"{MODULE}*")
        return source.execute(MODULE, path).run
