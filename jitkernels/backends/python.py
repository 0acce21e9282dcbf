"""The interpreter."""

import dis
import io
import platform
from collections.abc import Sequence
from typing import Any

from jitkernels.backends.artifacts import Artifacts
from jitkernels.backends.compiler import Compiler
from jitkernels.source import Source


class Python(Compiler):
    """This backend is the interpreter itself, not a stand-in for a compiler."""

    def installed(self) -> dict[str, str]:
        return {platform.python_implementation().lower(): platform.python_version()}

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the byte code of ``run``, nested functions included."""
        text = io.StringIO()
        dis.dis(source.run, file=text)
        operations = sum(1 for _ in dis.get_instructions(self.compile(source)))
        return Artifacts({"bytecode": text.getvalue()}, {"bytecode_operations": operations})
