"""Numba: its disk cache, and the deprecated ``numba.pycc``, which makes an extension module that needs no Numba."""

import functools
import importlib
import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core.errors import NumbaPendingDeprecationWarning

from jitkernels.backends import ahead_of_time, toolchain
from jitkernels.errors import Unavailable


class AheadOfTime(ahead_of_time.AheadOfTime):
    def ready(self, case: Any) -> None:
        """Check for the tools that build Python's extension modules."""
        if self.form.name == "extension_module":
            if importlib.util.find_spec("setuptools") is None:
                raise Unavailable("numba.pycc needs setuptools: pip install setuptools")
            if reason := toolchain.missing("c"):
                raise Unavailable(reason)
            _pycc()  # here, outside of the build's clock
        super().ready(case)

    def build(self, case: Any, directory: Path) -> None:
        """disk_cache: the directory is already the process's cache."""
        types = tuple(map(numba.typeof, case.arguments))
        if self.form.name == "disk_cache":
            case.program.compile(types)
            return
        extension = _pycc().CC(ahead_of_time.MODULE)
        extension.output_dir, extension.target_cpu = str(directory), "host"
        extension.export("run", types)(case.source.run)
        extension.compile()

    def load(self, case: Any, directory: Path) -> Any:
        """Load from the disk cache. RuntimeError if Numba compiled again. The other form is loaded without Numba."""
        case.program.compile(tuple(map(numba.typeof, case.arguments)))
        if not case.program.stats.cache_hits:
            raise RuntimeError("Numba found nothing in its cache, and compiled anew")
        return case.program

    def facts(self, directory: Path) -> dict[str, Any]:
        """Return whether the cache's index names this processor's model, as LLVM calls it."""
        processor = binding.get_host_cpu_name()
        names_it = any(processor.encode() in path.read_bytes() for path in directory.rglob("*.nbi"))
        return {**super().facts(directory), "processor": processor if names_it else None}


@functools.cache
def _pycc() -> Any:
    """Import ``numba.pycc``, and so setuptools, which a process that loads from the disk cache does not need."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaPendingDeprecationWarning)  # docs/aot.md says so
        return importlib.import_module("numba.pycc")
