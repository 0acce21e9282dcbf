"""C, compiled ahead of time by the system's compiler: what the hardware can do.

A kernel's ``c.c`` exports a function ``run``, and one for each other spelling; prototypes say how to call them. Where a
kernel works on arrays, the parameters have the names of the kernel's arguments, results and dimensions (``c.arrays``).
Shared objects are kept in the cache directory under a name that holds the hash of the source, the compiler and its flags.
"""

import ctypes
import hashlib
import importlib
import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jitkernels.backends import assembly, caches, toolchain
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler
from jitkernels.errors import Unavailable
from jitkernels.source import Source

FLAGS = (
    "-O3",
    "-march=native",
    "-std=gnu11",
    "-fno-math-errno",  # nobody reads errno after sqrtf; gcc vectorises no loop in which somebody might,
    "-fno-trapping-math",  # and turns a choice between two results into no blend while an exception could be seen
)
PROTOTYPE = r"^(?P<result>\w+) {}\((?P<parameters>[^)]*)\)"

_counts = Counter[str]()  # programs of this process: every compiler shares what the process has loaded
_loaded: dict[str, Any] = {}  # functions, by their source's path and their name


class C(Compiler):
    def versions(self) -> dict[str, str]:
        """Return the compiler's own name and number: "cc (Debian 12.2.0-14) 12.2.0" or "Debian clang version 14.0.6"."""
        name, _, number = toolchain.compiler_version(_required_compiler()).rpartition(" ")
        return {name: number}

    def compile(self, source: Source) -> Callable[..., Any]:
        """Compile on the first call, like the just-in-time compilers; later calls go straight to the machine code."""
        key = f"{source.path}:{source.spelling}"

        def program(*arguments: Any) -> Any:
            function = _loaded.get(key)
            if function is None:
                function = _loaded[key] = exported(build(source.path, caches.root()), source)
            return function(*arguments)

        return program

    def forget(self) -> None:
        _loaded.clear()
        caches.forget()

    def programs(self) -> int:
        return _counts["programs"]

    def from_disk(self) -> int:
        """Return how many shared objects another process had left in the cache directory."""
        return _counts["from disk"]

    def jit(self, function: Any, static: Sequence[str] = (), whole: bool = False) -> Any:
        raise Unavailable("C is compiled before it is called: there is no function of Python's to trace")

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time the compiler driver's run, linking included, and the dynamic loader's."""
        with tempfile.TemporaryDirectory() as directory:
            clock = Clock()
            library = build(source.path, Path(directory))
            clock.lap("compile")
            ctypes.CDLL(str(library))
            clock.lap("load")
            return clock.stages()

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the assembly of the whole file, with counts of its instructions, their bytes, registers and uses of the
        stack."""
        command = [_required_compiler(), *FLAGS, "-fno-asynchronous-unwind-tables"]
        text = _run([*command, "-S", "-o", "-", str(source.path)])
        with tempfile.TemporaryDirectory() as directory:
            object_file = Path(directory) / "run.o"
            _run([*command, "-c", "-o", str(object_file), str(source.path)])
            counts = assembly.counts(assembly.disassemble([object_file]) or text)
        counts["instructions"] = counts.pop("machine_instructions")
        return Artifacts({"assembly": text}, counts)


def exported(library: Path, source: Source) -> Any:
    """Return the source's function, which ``library`` exports, with the types of its prototype."""
    prototype = re.search(PROTOTYPE.format(source.spelling), source.path.read_text(), re.MULTILINE)
    assert prototype, f"{source.path} exports no function {source.spelling}"
    function = getattr(ctypes.CDLL(str(library)), source.spelling)
    parameters = [parameter.split() for parameter in prototype["parameters"].split(",")]
    function.restype = _type(prototype["result"])
    function.argtypes = [ctypes.c_void_p if "*" in "".join(words) else _type(words[0]) for words in parameters]
    if not source.results:
        return function
    arrays: Any = importlib.import_module("jitkernels.backends.c.arrays")  # it needs NumPy; numbers alone do not
    return arrays.on_arrays(function, [words[-1].lstrip("*") for words in parameters], source)


def _type(word: str) -> Any:
    """Return ctypes' type of a number in C's words: ``c_uint64`` for "uint64_t"."""
    return None if word == "void" else getattr(ctypes, f"c_{word.removesuffix('_t')}")


def build(path: Path, directory: Path) -> Path:
    """Return the shared object of the source ``path``; build it where ``directory`` does not hold it yet."""
    command = [_required_compiler(), *FLAGS, "-fPIC", "-shared", str(path), "-lm"]
    identity = "\0".join([path.read_text(), toolchain.compiler_version(command[0]), _processor(), *command])
    library = directory / f"{path.parent.name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.so"
    _counts["programs"] += 1
    if library.exists():
        _counts["from disk"] += 1
    else:
        with tempfile.TemporaryDirectory(dir=directory) as scratch:
            built = Path(scratch) / library.name
            _run([*command, "-o", str(built)])
            os.replace(built, library)  # atomic: another process never loads half a file
    return library


def _processor() -> str:
    """Return the processor's flags: -march=native means something else on another machine that shares the cache."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


def _required_compiler() -> str:
    if reason := toolchain.missing("c"):
        raise Unavailable(reason)
    return str(toolchain.c_compiler())


def _run(command: list[str]) -> str:
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        lines = answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"]
        raise RuntimeError(f"{command[0]} failed: {next((line for line in lines if 'error' in line), lines[-1])}")
    return answer.stdout
