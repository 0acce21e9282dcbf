"""JAX: StableHLO by ``jax.export``, which XLA compiles after loading, and XLA's own executable, which is machine code.

The executable is experimental (``jax.experimental.serialize_executable``). It is a pickle: load only files you trust.
"""

import dataclasses
import importlib.util
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
from jax import export
from jax.experimental import serialize_executable

from jitkernels.backends import ahead_of_time
from jitkernels.backends.ahead_of_time import ELF, elf_machine
from jitkernels.errors import Unavailable

FILE = {"stablehlo": "run.stablehlo", "executable": "run.pickle"}


class AheadOfTime(ahead_of_time.AheadOfTime):
    def ready(self, case: Any) -> None:
        """Check for the package that writes StableHLO to a file."""
        if self.form.name == "stablehlo" and importlib.util.find_spec("flatbuffers") is None:
            raise Unavailable("jax.export needs flatbuffers: pip install flatbuffers")
        super().ready(case)

    def build(self, case: Any, directory: Path) -> None:
        """``jax.export`` drops the compiler options of ``jax.jit``: the loading process uses XLA's own."""
        with case.compiler.on_device():
            jitted = case.compiler.jitted(case.source)
            if self.form.name == "stablehlo":
                content = export.export(jitted)(*case.arguments).serialize()
            else:
                executable = jitted.lower(*case.arguments).compile()
                content = pickle.dumps(serialize_executable.serialize(executable))
        (directory / FILE[self.form.name]).write_bytes(content)

    def load(self, case: Any, directory: Path) -> Any:
        """stablehlo: deserialised, and called like a function decorated with ``jax.jit``."""
        content = (directory / FILE[self.form.name]).read_bytes()
        if self.form.name == "executable":
            return _without_static(case, serialize_executable.deserialize_and_load(*pickle.loads(content)))
        exported = export.deserialize(bytearray(content))
        source = dataclasses.replace(case.source, run=exported.call, static=(), options={})
        return _without_static(case, case.compiler.compile(source))

    def facts(self, directory: Path) -> dict[str, Any]:
        content = (directory / FILE[self.form.name]).read_bytes()
        if self.form.name == "stablehlo":
            exported = export.deserialize(bytearray(content))
            return {"platforms": list(exported.platforms), "calling_convention": exported.calling_convention_version}
        place = content.find(ELF)
        features = sorted({name.decode() for name in re.findall(rb"[ ,]?\+([a-z][\w.]+)", content)})
        paths = re.findall(rb"/[\w./-]+/kernels/\w+/jax\.py", content)
        return {
            "elf_machine": elf_machine(content[place : place + 20]) if place >= 0 else None,
            "processor_features": [name for name in features if name.startswith(("avx", "sse", "fma", "sve", "neon"))],
            "names_the_source_file": bool(paths),
        }


def _without_static(case: Any, program: Callable[..., Any]) -> Callable[..., Any]:
    """Return a program that drops static arguments, because the loaded one contains their values."""
    if not case.source.static:
        return program
    return lambda *arguments: program(*(value for value in arguments if isinstance(value, jax.Array | dict)))
