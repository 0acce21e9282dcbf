"""JAX: StableHLO by ``jax.export``, which XLA compiles where it is loaded, and XLA's own executable, which it does not.

The second is experimental (``jax.experimental.serialize_executable``): a pickle, to be loaded from those one trusts.
"""

import dataclasses
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
from jax import export
from jax.experimental import serialize_executable

from jitkernels.backends import elf
from jitkernels.backends.ahead_of_time import started as ready
from jitkernels.backends.jax import compiler as backend
from jitkernels.case import Case

__all__ = ["build", "facts", "load", "ready"]

FILE = {"stablehlo": "run.stablehlo", "executable": "run.pickle"}


def build(subject: Case, form: str, directory: Path) -> None:
    """``jax.export`` drops the compiler options of ``jax.jit``: the loading process uses XLA's own."""
    with backend._on(subject.device):
        jitted = backend._jitted(subject.source, subject.device)
        if form == "stablehlo":
            made = export.export(jitted)(*subject.arguments).serialize()
        else:
            made = pickle.dumps(serialize_executable.serialize(jitted.lower(*subject.arguments).compile()))
    (directory / FILE[form]).write_bytes(made)


def load(case: Case, form: str, directory: Path) -> Callable[..., Any]:
    """stablehlo: deserialised, and called like any function that is decorated with ``jax.jit``."""
    stored = (directory / FILE[form]).read_bytes()
    if form == "executable":
        return _without_static(case, serialize_executable.deserialize_and_load(*pickle.loads(stored)))
    exported = export.deserialize(bytearray(stored))
    source = dataclasses.replace(case.source, run=exported.call, static=(), options={})
    return _without_static(case, backend.compile(source, "jit", case.device))


def facts(form: str, directory: Path) -> dict[str, Any]:
    stored = (directory / FILE[form]).read_bytes()
    if form == "stablehlo":
        exported = export.deserialize(bytearray(stored))
        return {"platforms": list(exported.platforms), "calling_convention": exported.calling_convention_version}
    place = stored.find(elf.MAGIC)
    features = sorted({name.decode() for name in re.findall(rb"[ ,]?\+([a-z][\w.]+)", stored)})
    paths = re.findall(rb"/[\w./-]+/kernels/\w+/jax\.py", stored)
    return {
        "elf_machine": elf.machine(stored[place : place + 20]) if place >= 0 else None,
        "processor_features": [name for name in features if name.startswith(("avx", "sse", "fma", "sve", "neon"))],
        "names_the_source_file": bool(paths),
    }


def _without_static(case: Case, program: Callable[..., Any]) -> Callable[..., Any]:
    """Static arguments are in the program: it takes the others."""
    if not case.source.static:
        return program
    return lambda *arguments: program(*(value for value in arguments if isinstance(value, jax.Array | dict)))
