"""C, compiled ahead of time by the system's compiler: a measure of the hardware.

A kernel's ``c.c`` exports a function ``run``, and one for each other spelling. Prototypes say how to call them. If a kernel
works on arrays, the parameters have the names of its arguments, results and dimensions (``c.arrays``). Shared objects are
kept in the cache directory. Their names contain a hash of the source, the compiler and its flags.
"""

import ctypes
import importlib
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jitkernels.backends import assembly, caches, toolchain
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.c import shared_object
from jitkernels.backends.compiler import Compiler
from jitkernels.errors import Unavailable
from jitkernels.source import Source

PROTOTYPE = r"^(?P<result>\w+) {}\((?P<parameters>[^)]*)\)"
ARRAYS = "jitkernels.backends.c.arrays"  # it needs NumPy; a kernel of numbers does not

_loaded: dict[str, Any] = {}  # functions, by source path and name


class C(Compiler):
    def installed(self) -> dict[str, str]:
        """Return the compiler's own name and number: "cc (Debian 12.2.0-14) 12.2.0" or "Debian clang version 14.0.6"."""
        name, _, number = toolchain.version(shared_object.required_compiler()).rpartition(" ")
        return {name: number}

    def start(self) -> None:
        """Read the processor's flags, a part of the names of shared objects. Their other parts are known already."""
        shared_object.processor_flags()

    def compile(self, source: Source) -> Callable[..., Any]:
        """Compile at the first call, like the just-in-time compilers; later calls run the machine code directly."""
        key = f"{source.path}:{source.spelling}"
        if source.results:
            importlib.import_module(ARRAYS)  # now, because the first call has a clock

        def program(*arguments: Any) -> Any:
            function = _loaded.get(key)
            if function is None:
                function = _loaded[key] = load_function(shared_object.build(source.path, caches.root()), source)
            return function(*arguments)

        return program

    def forget(self) -> None:
        _loaded.clear()
        caches.forget()

    def programs(self) -> int:
        return shared_object.counts["programs"]

    def from_disk(self) -> int:
        """Return how many shared objects another process had left in the cache directory."""
        return shared_object.counts["from disk"]

    def jit(self, function: Any, static: Sequence[str] = (), whole: bool = False) -> Any:
        raise Unavailable("C is compiled before it is called: there is no function of Python's to trace")

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time the compiler driver's run, linking included, and the dynamic loader's."""
        with tempfile.TemporaryDirectory() as directory:
            clock = Clock()
            library = shared_object.build(source.path, Path(directory))
            clock.lap("compile")
            ctypes.CDLL(str(library))
            clock.lap("load")
            return clock.stages()

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the assembly of the whole file, with counts of instructions, bytes, registers and uses of the stack."""
        command = [shared_object.required_compiler(), *shared_object.FLAGS, "-fno-asynchronous-unwind-tables"]
        text = shared_object.run([*command, "-S", "-o", "-", str(source.path)])
        with tempfile.TemporaryDirectory() as directory:
            object_file = Path(directory) / "run.o"
            shared_object.run([*command, "-c", "-o", str(object_file), str(source.path)])
            counts = assembly.counts(assembly.disassemble([object_file]) or text, "instructions")
        return Artifacts({"assembly": text}, counts)


def load_function(library: Path, source: Source) -> Any:
    """Return the source's function, which ``library`` exports, with the types of its prototype."""
    prototype = re.search(PROTOTYPE.format(source.spelling), source.path.read_text(), re.MULTILINE)
    assert prototype, f"{source.path} exports no function {source.spelling}"
    function = getattr(ctypes.CDLL(str(library)), source.spelling)
    parameters = [parameter.split() for parameter in prototype["parameters"].split(",")]
    function.restype = _type(prototype["result"])
    function.argtypes = [ctypes.c_void_p if "*" in "".join(words) else _type(words[0]) for words in parameters]
    if not source.results:
        return function
    arrays: Any = importlib.import_module(ARRAYS)
    return arrays.on_arrays(function, [words[-1].lstrip("*") for words in parameters], source)


def _type(word: str) -> Any:
    """Return ctypes' type of a number in C's words: ``c_uint64`` for "uint64_t"."""
    return None if word == "void" else getattr(ctypes, f"c_{word.removesuffix('_t')}")
