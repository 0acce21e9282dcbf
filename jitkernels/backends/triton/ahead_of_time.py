"""Triton: a cubin, the GPU's machine code. Any machine can compile it; only a GPU can run it.

In the process of this module Triton is a compiler; the backend may have its interpreter.
"""

import inspect
import json
import warnings
from pathlib import Path
from typing import Any

import triton

from jitkernels.backends import ahead_of_time
from jitkernels.backends.triton import releases
from jitkernels.backends.triton.artifacts import TARGET

LAUNCH = ("name", "num_warps", "num_ctas", "shared")  # what a launcher needs besides the machine code


class AheadOfTime(ahead_of_time.AheadOfTime):
    def build(self, case: Any, directory: Path) -> None:
        dialect: Any = inspect.getmodule(case.source.run)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about a default that will change in Triton's next release
            compiled = triton.compile(releases.source(dialect.kernel, dialect.signature), target=TARGET)
        (directory / "run.cubin").write_bytes(compiled.asm["cubin"])
        launch = {word: getattr(compiled.metadata, word) for word in LAUNCH}
        (directory / "run.json").write_text(json.dumps(launch))

    def facts(self, directory: Path) -> dict[str, Any]:
        return {**super().facts(directory), "target": f"sm_{TARGET.arch}"}
