"""How a function reaches a child process: by its file and name; without a file, or inside another function, by cloudpickle.

A script may call ``jitkernels.compare`` at its top level. The child executes the script as a module, only as far as that
call: ``compare`` raises ``Reached`` there.
"""

import base64
import importlib
import importlib.util
import linecache
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

CHILD = "jitkernels.measure.process"
MODULE = "jitkernels_user_file"  # a user's file under this name does not run what is below ``if __name__ == "__main__"``
Address = dict[str, str]  # {"file", "module", "name"} or {"pickle", "file", "text"}; JSON


class Reached(BaseException):  # no error: the child has what it needs of the user's file
    """A child that executes the user's file has come to the call of ``compare``."""


def is_child() -> bool:
    """True in a process that measures."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return getattr(spec, "name", None) == CHILD


def address(function: Callable[..., Any], label: str) -> Address:
    """Return how a child finds the function. ValueError, in one line, where no child can; label: names it there."""
    module, name = getattr(function, "__module__", None) or "", getattr(function, "__qualname__", "")
    holder = sys.modules.get(module)
    file = getattr(holder, "__file__", None)
    if file and Path(file).suffix == ".py" and _attribute(holder, name) is function:
        return {"file": str(Path(file).resolve()), "module": module, "name": name}
    try:
        import cloudpickle

        pickled = base64.b64encode(cloudpickle.dumps(function)).decode()
    except Exception as error:  # whatever an object raises that cannot be pickled
        reason = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        raise ValueError(
            f"{label} cannot reach a process of its own ({reason}): define it at the top level of a file"
        ) from None
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    file = code.co_filename if code else ""
    return {"pickle": pickled, "file": file, "text": "".join(linecache.getlines(file))}


def find(where: Address, path: list[str]) -> Any:
    """Return the function in this process. path: the parent's ``sys.path``."""
    sys.path += [entry for entry in path if entry not in sys.path]
    if "pickle" in where:
        import cloudpickle

        lines = where["text"].splitlines(keepends=True)  # AutoGraph and Dynamo read the source of a notebook's cell
        linecache.cache.setdefault(where["file"], (len(where["text"]), None, lines, where["file"]))
        return cloudpickle.loads(base64.b64decode(where["pickle"]))
    function = _attribute(_module(where), where["name"])
    if function is None:
        raise AttributeError(f"{where['file']} does not define {where['name']} before it calls jitkernels.compare")
    return function


def _module(where: Address) -> ModuleType:
    """Return the module of the function's file, imported under its own name where that finds this file."""
    name = where["module"]
    try:
        spec = importlib.util.find_spec(name) if name != "__main__" else None
    except (ImportError, ValueError):
        spec = None
    if spec and spec.origin == where["file"]:
        return importlib.import_module(name)
    return execute(Path(where["file"]))


def execute(file: Path) -> ModuleType:
    """Return a user's file as a module, executed once, as far as its call of ``compare``."""
    name = f"{MODULE}_{file.stem}_{zlib.crc32(str(file).encode())}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec and spec.loader
        _load_triton_first(file)
        sys.path.insert(0, str(file.parent))
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Reached:
            pass
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _load_triton_first(file: Path) -> None:
    """Import Triton for a file that imports TensorFlow and torch, whose compiler imports Triton.

    Loaded after TensorFlow it ends the process: both bring LLVM, and register its options.
    """
    text = file.read_text(encoding="utf-8", errors="replace")
    if "tensorflow" in text and "torch" in text and importlib.util.find_spec("triton"):
        importlib.import_module("triton")


def _attribute(holder: Any, name: str) -> Any:
    """Return what a dotted name stands for in a module, or None."""
    for part in name.split("."):
        holder = getattr(holder, part, None)
    return holder
