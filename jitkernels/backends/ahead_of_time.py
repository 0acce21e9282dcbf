"""The class that makes and loads the files of a form (a kind of file). Each framework has a subclass in its own module.

A process that loads a file imports only what loading needs. So such a module imports the framework's compiler only if
loading needs it too.
"""

import importlib
from pathlib import Path
from typing import Any

from jitkernels import source
from jitkernels.backends.forms import Form
from jitkernels.backends.table import find_backend

ELF = b"\x7fELF"
"""The first bytes of an ELF file: Tool Interface Standard, "Executable and Linking Format Specification", 1.2."""
MACHINES = {62: "x86_64", 183: "aarch64", 190: "cuda", 243: "riscv"}  # by the System V ABI's registry
MODULE = "jitkernels_aot"  # the name of an extension module is part of its machine code: PyInit_jitkernels_aot


class AheadOfTime:
    """One form. As it stands, it loads an extension module of Python's, which needs no framework.

    A ``case`` is a ``jitkernels.case.Case``: of the form's backend to build a file, of its host to load one. For a form that
    is never run it has only ``source`` and ``compiler``.
    """

    def __init__(self, form: Form) -> None:
        self.form = form

    def ready(self, case: Any) -> None:
        """Prepare what ``build`` needs and no clock should include. Unavailable if that is impossible here."""
        case.compiler.start()

    def build(self, case: Any, directory: Path) -> None:
        """Compile ahead of time, and leave in ``directory`` only the files to be shipped."""

    def load(self, case: Any, directory: Path) -> Any:
        """Return the program in ``directory``, which has the arguments and results of the case's own."""
        (path,) = directory.glob(f"{MODULE}*")
        return source.execute(MODULE, path).run

    def facts(self, directory: Path) -> dict[str, Any]:
        """Return cheap facts about the files: what they are for, and on what they depend."""
        files = [path for path in directory.rglob("*") if path.is_file()]
        machines = {path.suffix.lstrip("."): elf_machine(path.read_bytes()[:20]) for path in files}
        return {"elf_machine": {suffix: name for suffix, name in machines.items() if name}}


def elf_machine(header: bytes) -> str | None:
    """Return the machine's name, or its number; None if it is not an ELF file. header: its first 20 bytes or more."""
    if header[:4] != ELF:
        return None
    number = int.from_bytes(header[18:20], "little" if header[5] == 1 else "big")  # e_machine; EI_DATA
    return MACHINES.get(number, str(number))


def files_of(form: Form, module: str = "") -> AheadOfTime:
    """Return the object that makes and loads the form's files. Imports the framework, or instead ``module``, the form's
    loader."""
    module = module or f"jitkernels.backends.{find_backend(form.backend).dialect}.ahead_of_time"
    files: AheadOfTime = importlib.import_module(module).AheadOfTime(form)
    return files
