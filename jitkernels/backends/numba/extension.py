"""Loading an extension module that ``numba.pycc`` made: Numba need not be installed."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels.backends import ahead_of_time
from jitkernels.backends.ahead_of_time import Subject

MODULE = "jitkernels_aot"  # a module's name is part of its machine code: PyInit_jitkernels_aot


class AheadOfTime(ahead_of_time.AheadOfTime):
    def load(self, subject: Subject, directory: Path) -> Callable[..., Any]:
        (path,) = directory.glob(f"{MODULE}*")
        spec = importlib.util.spec_from_file_location(MODULE, path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        program: Callable[..., Any] = module.run
        return program
