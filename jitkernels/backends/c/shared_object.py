"""A C file as a shared object, built by the system's compiler, once in each directory."""

import functools
import hashlib
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from jitkernels import machine
from jitkernels.backends import toolchain
from jitkernels.errors import Unavailable

FLAGS = (
    "-O3",
    "-march=native",
    "-std=gnu11",
    "-fno-math-errno",  # errno after sqrtf is not read; otherwise gcc does not vectorise the loop
    "-fno-trapping-math",  # otherwise gcc makes no blend of a choice between two results
)

counts = Counter[str]()  # programs of this process, which all compilers share


def build(path: Path, directory: Path) -> Path:
    """Return the shared object of the source ``path``; build it if ``directory`` lacks it."""
    command = [required_compiler(), *FLAGS, "-fPIC", "-shared", str(path), "-lm"]
    identity = "\0".join([path.read_text(), toolchain.version(command[0]), processor_flags(), *command])
    library = directory / f"{path.parent.name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.so"
    if library.exists():
        counts["from disk"] += 1
    else:
        with tempfile.TemporaryDirectory(dir=directory) as scratch:
            built = Path(scratch) / library.name
            run([*command, "-o", str(built)])
            os.replace(built, library)  # atomic, so another process never loads a partial file
    counts["programs"] += 1
    return library


@functools.cache
def processor_flags() -> str:
    """Return this processor's flags: -march=native differs on another machine with the same cache directory."""
    return machine.flags_of(machine.fields_of("cpuinfo"))


def required_compiler() -> str:
    """Return the path of the C compiler. Raises Unavailable if no compiler works."""
    if reason := toolchain.missing("c"):
        raise Unavailable(reason)
    return str(toolchain.path("c"))


def run(command: list[str]) -> str:
    """Return what a command prints. RuntimeError, with its first error, if it fails."""
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        lines = answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"]
        raise RuntimeError(f"{command[0]} failed: {next((line for line in lines if 'error' in line), lines[-1])}")
    return answer.stdout
