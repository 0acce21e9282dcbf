"""Triton: a cubin, the GPU's machine code, compiled on any machine and run on none without a GPU.

In the process of this module Triton is a compiler, where the backend may have its interpreter.
"""

import inspect
import json
import warnings
from pathlib import Path
from typing import Any

import triton

from jitkernels.backends import ahead_of_time
from jitkernels.backends.ahead_of_time import Subject
from jitkernels.backends.triton import releases
from jitkernels.backends.triton.artifacts import TARGET

LAUNCH = ("name", "num_warps", "num_ctas", "shared")  # what a launcher has to know besides the machine code


class AheadOfTime(ahead_of_time.AheadOfTime):
    def build(self, subject: Subject, directory: Path) -> None:
        dialect: Any = inspect.getmodule(subject.source.run)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that a default of its will change with Triton's next release
            compiled = triton.compile(releases.source(dialect.kernel, dialect.signature), target=TARGET)
        (directory / "run.cubin").write_bytes(compiled.asm["cubin"])
        launch = {word: getattr(compiled.metadata, word) for word in LAUNCH}
        (directory / "run.json").write_text(json.dumps(launch))

    def facts(self, directory: Path) -> dict[str, Any]:
        return {**super().facts(directory), "target": f"sm_{TARGET.arch}"}
