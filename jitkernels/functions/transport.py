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
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

CHILD = "jitkernels.measure.process"
MODULE = "jitkernels_user_file"  # a user's file under this name does not run what is below ``if __name__ == "__main__"``
Address = dict[str, str]  # {"file", "module", "name"}, {"file", "pickle", "text"}, or all of them; JSON


class Reached(BaseException):  # no error: the child has what it needs of the user's file
    """A child that executes the user's file has come to the call of ``compare``."""


def is_read(module: Mapping[str, Any]) -> bool:
    """True for a module of a process that measures, and for a user's file that is executed for its functions alone."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return getattr(spec, "name", None) == CHILD or str(module.get("__name__")).startswith(MODULE)


def address(function: Callable[..., Any]) -> Address:
    """Return how a child finds the function. ValueError, in one line, where no child can."""
    module, name = getattr(function, "__module__", None) or "", getattr(function, "__qualname__", "")
    holder = sys.modules.get(module)
    file = getattr(holder, "__file__", None)
    place = {}
    if file and Path(file).suffix == ".py" and _attribute(holder, name) is function:
        place = {"file": str(Path(file).resolve()), "module": module, "name": name}
    # A script may define it where no child comes to: below its call of ``compare``, or of a guard.
    if place and module != "__main__":
        return place
    try:
        import cloudpickle

        pickled = base64.b64encode(cloudpickle.dumps(function)).decode()
    except Exception as error:  # whatever an object raises that cannot be pickled
        if place:
            return place
        reason = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        advice = "give it undecorated, or define it at the top level of a file"
        raise ValueError(f"{_name(function)} cannot reach a process of its own ({reason}): {advice}") from None
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    source = code.co_filename if code else ""
    return {"file": source, **place, "pickle": pickled, "text": "".join(linecache.getlines(source))}


def find(where: Address, path: list[str]) -> Any:
    """Return the function in this process. path: the parent's ``sys.path``."""
    sys.path += [entry for entry in path if entry not in sys.path]
    function = _attribute(_module(where), where["name"]) if "name" in where else None
    if function is None and "pickle" in where:
        import cloudpickle

        lines = where["text"].splitlines(keepends=True)  # AutoGraph and Dynamo read the source of a notebook's cell
        linecache.cache.setdefault(where["file"], (len(where["text"]), None, lines, where["file"]))
        function = cloudpickle.loads(base64.b64decode(where["pickle"]))
        if isinstance(function, FunctionType):
            function.__code__ = _of_file(function.__code__, where["file"])
        return function
    if function is None:
        reason = "above its call of jitkernels.compare and outside of a guard"
        raise AttributeError(f"{where['file']} does not define {where['name']} at its top level, {reason}")
    return function


def _of_file(code: CodeType, file: str) -> CodeType:
    """Return the code, and the code in it, with the name of its file, which cloudpickle leaves out."""
    inner = (_of_file(each, file) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))


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


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _attribute(holder: Any, name: str) -> Any:
    """Return what a dotted name stands for in a module, or None."""
    for part in name.split("."):
        holder = getattr(holder, part, None)
    return holder
