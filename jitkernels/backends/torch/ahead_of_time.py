"""PyTorch: AOTInductor's package (torch.export, Inductor, a C++ compiler), and TorchScript's file.

If a dialect's file names the parts that its user would compile, each part has a file, and ``run`` itself stays in Python.

A package is loaded by the class that C++ programs use. Python's documented function, ``torch._inductor.aoti_load_package``,
uses the same class, but imports Dynamo and Inductor, which a loaded program does not need.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from jitkernels.backends import ahead_of_time
from jitkernels.backends.ahead_of_time import elf_machine
from jitkernels.backends.torch import programs
from jitkernels.errors import Unavailable

ENDING = {"package": ".pt2", "script_file": ".pt"}


class AheadOfTime(ahead_of_time.AheadOfTime):
    def ready(self, case: Any) -> None:
        """Call the case once, to record the arguments of each part's first call."""
        super().ready(case)
        case.program = self._bind(case, _Recorded)
        case.program(*case.arguments)

    def build(self, case: Any, directory: Path) -> None:
        for name, part in _parts(case.program).items():
            file = str(directory / f"{name}{ENDING[self.form.name]}")
            if self.form.name == "script_file":
                programs.script(part.function).save(file)
                continue
            if part.differentiated:
                raise Unavailable("its user takes the gradient of what is compiled, and a package has no backward pass")
            axes = _dynamic(part.arguments) if part.options.get("dynamic") else None
            exported = torch.export.export(_Module(part.function), part.arguments, dynamic_shapes=axes)
            configuration = part.options.get("options")
            torch._inductor.aoti_compile_and_package(exported, package_path=file, inductor_configs=configuration)

    def load(self, case: Any, directory: Path) -> Any:
        """Return the same ``run`` as the compiler's backend, with its parts from the files."""
        open_file = _package if self.form.name == "package" else lambda path: torch.jit.load(str(path))
        loaded = iter(sorted(directory.glob(f"*{ENDING[self.form.name]}")))
        return self._bind(case, lambda part, options: open_file(next(loaded)))

    def facts(self, directory: Path) -> dict[str, Any]:
        """Return AOTInductor's own metadata, and the machine of the shared object in the package."""
        if self.form.name == "script_file":
            return super().facts(directory)
        with zipfile.ZipFile(next(directory.glob("*.pt2"))) as package:
            names = package.namelist()
            library = next(name for name in names if name.endswith(".so"))
            metadata = json.loads(package.read(next(name for name in names if name.endswith("wrapper_metadata.json"))))
            return {
                "elf_machine": elf_machine(package.read(library)[:20]),
                "vectors": metadata.get("AOTI_CPU_ISA"),
                "source_files": len([name for name in names if name.endswith(".cpp")]),
            }

    def _bind(self, case: Any, translator: Callable[..., Any]) -> Callable[..., Any]:
        return programs.bind(case.source, self.form.backend, case.compiler.device, translator)


class _Recorded:
    """A part, the arguments of its first call, and whether a gradient is taken of its result."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.arguments: tuple[Any, ...] = ()
        self.differentiated = False

    def __call__(self, *arguments: Any) -> Any:
        self.arguments = self.arguments or arguments
        result = self.function(*arguments)
        self.differentiated = getattr(result, "requires_grad", False)
        return result


class _Module(torch.nn.Module):  # type: ignore[misc]  # torch is not typed
    """A function as a module: ``torch.export`` takes nothing else."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arguments: Any) -> Any:
        return self.function(*arguments)


def _parts(program: Any) -> dict[str, _Recorded]:
    """Return the parts by keyword; "run" if it is compiled whole. program: what ``bind`` returned."""
    if isinstance(program.func, _Recorded):
        return {"run": program.func}
    return {name: part for name, part in sorted(program.keywords.items()) if isinstance(part, _Recorded)}


def _dynamic(arguments: tuple[Any, ...]) -> Any:
    """Allow any length of every axis of every tensor, unless export finds that it must be constant."""
    axes = pytree.tree_map(lambda value: dict.fromkeys(range(value.ndim), torch.export.Dim.AUTO), arguments)
    return (axes,)


def _package(path: Path) -> Callable[..., Any]:
    loader = torch._C._aoti.AOTIModelPackageLoader(str(path), "model", False, 1, -1)
    result = pytree.treespec_loads(loader.get_call_spec()[1])

    def program(*arguments: Any) -> Any:
        return pytree.tree_unflatten(loader.boxed_run(pytree.tree_leaves(arguments)), result)

    return program
