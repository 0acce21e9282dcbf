"""How a function reaches a child process: by its module and name, or by cloudpickle if it is in a script or unnamed.

A script may call ``jitkernels.compare`` at its top level, and more than once. The child executes the script as a module up
to its first call, where ``compare`` raises ``Reached``. So everything that the script registers and sets before is there.
The function, with its globals at the call, comes from the pickle; from the script only if it cannot be pickled.
"""

import contextlib
import importlib
import importlib.util
import inspect
import io
import linecache
import marshal
import os
import sys
import zlib
from collections import ChainMap
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MappingProxyType, ModuleType
from typing import Any

from jitkernels.backends import apart
from jitkernels.kernel import one_line

CHILD = "jitkernels.measure.process"
MODULE = "jitkernels_user_file"  # with this name a user's file does not run code below ``if __name__ == "__main__"``
WRAPPED = ("py_func", "__wrapped__", "python_function", "func")  # attributes with the function that a decorator took
Address = dict[str, Any]  # {"file", "module", "name"}, {"file", "pickle", "text"}, or all; and what else ``address`` gives


class Reached(BaseException):  # not an error: the child has what it needs from the user's file
    """A child that executes the user's file has reached the call of ``compare``."""


def is_child() -> bool:
    """True in a process that measures."""
    return getattr(getattr(sys.modules["__main__"], "__spec__", None), "name", None) == CHILD


def is_read(frame: FrameType | None) -> bool:
    """True in a process that measures, and for a user's file that is executed only for its functions, or what it calls."""
    while frame and not str(frame.f_globals.get("__name__")).startswith(MODULE):
        frame = frame.f_back
    return is_child() or frame is not None


def address(function: Callable[..., Any]) -> Address:
    """Return how a child finds the function. ValueError, in one line, if no child can find it."""
    module, name = getattr(function, "__module__", None) or "", getattr(function, "__qualname__", "")
    holder = sys.modules.get(module)
    file = getattr(holder, "__file__", None)
    place = {}
    if file and Path(file).suffix == ".py" and _attribute(holder, name) is function:
        place = {"file": str(Path(file).resolve()), "module": module, "name": name}
    # A script may redefine it, or a global of it, after its first call of ``compare``, or below a guard.
    if place and module != "__main__":
        return {**place, "globals": _globals(function)}  # without its code, which pytest changes in a test's module
    try:
        pickled = _pickle(function)
    except Exception as error:  # an object that cannot be pickled may raise anything
        if place:
            return {**place, "state": _state(function)}
        advice = "give it undecorated, or define it at the top level of a file"
        name = getattr(function, "__name__", type(function).__name__)
        raise ValueError(f"{name} cannot reach a process of its own ({one_line(error)}): {advice}") from None
    source = source_file(function)
    is_cached = getattr(getattr(function, "stats", None), "cache_path", None)  # Numba's pickle loses njit(cache=True)
    cache = {"cache": "on disk"} if is_cached else {}
    text = "".join(linecache.getlines(source))
    return {"file": source, **place, **_script(source), **cache, "pickle": pickled, "text": text}


def find(where: Address, path: list[str], dtypes: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return the function in this process. path, dtypes: the parent's ``sys.path`` and ``dtypes()``."""
    sys.path += [entry for entry in path if entry not in sys.path]
    if "pickle" in where:
        if "script" in where:
            with contextlib.suppress(Exception, SystemExit):  # for example because it needs arguments of the command line
                execute(Path(where["script"]), where["package"])
        _set_dtypes(dtypes)
        return _unpickle(where)
    function = _attribute(_module(where), where["name"])
    _set_dtypes(dtypes)
    if function is None:
        reason = "above its call of jitkernels.compare and outside of a guard"
        raise AttributeError(f"{where['file']} does not define {where['name']} at its top level, {reason}")
    if any(key in where and where[key] != of(function) for key, of in {"state": _state, "globals": _globals}.items()):
        reason = "is another one, or has other globals, than in a process that has just imported its file"
        raise ValueError(f"{where['name']} {reason}: pass what differs as an argument")
    return function


def _script(source: str) -> dict[str, str]:
    """Return the source's path as "script", and its "package", if this process executed it as a script, or for the command
    ``compare``."""
    file, names = Path(source).resolve(), [name for name in sys.modules if name == "__main__" or name.startswith(MODULE)]
    own = [getattr(sys.modules[name], "__file__", None) for name in names]
    if not any(each and Path(each).resolve() == file for each in own):
        return {}
    spec = getattr(sys.modules["__main__"], "__spec__", None)  # of ``python -m package.script``
    return {"script": str(file), "package": spec.parent or "" if spec and spec.origin == str(file) else ""}


def source_file(function: Callable[..., Any]) -> str:
    """Return the file in which a function, or the one that its decorators took, is written; "" if that is not known."""
    inner = function
    for name in WRAPPED:
        inner = getattr(inner, name, inner)
    code = getattr(inner, "__code__", None)
    return code.co_filename if code else ""


def dtypes() -> dict[str, Any]:
    """Return ``jax_enable_x64`` and torch's default dtype ("float32") of this process, as far as it has imported them."""
    jax, torch = (sys.modules.get(name) for name in ("jax", "torch"))
    flag = {"jax": bool(jax.config.jax_enable_x64)} if jax else {}
    return flag | ({"torch": str(torch.get_default_dtype()).removeprefix("torch.")} if torch else {})


def _set_dtypes(values: Mapping[str, Any]) -> None:
    jax, torch = (sys.modules.get(name) for name in ("jax", "torch"))
    if "jax" in values and jax:
        jax.config.update("jax_enable_x64", values["jax"])
    elif "jax" in values:
        os.environ["JAX_ENABLE_X64"] = str(int(values["jax"]))
    if "torch" in values and torch:  # each backend of torch has imported it by now
        torch.set_default_dtype(getattr(torch, values["torch"]))


def _state(function: Callable[..., Any]) -> str:
    """Return a function's code and the plain globals that it reads, as text that another process can compare."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return repr((code and (code.co_firstlineno, code.co_code), _globals(function)))


def _globals(function: Callable[..., Any]) -> str:
    """Return the plain globals that a function reads, as text."""
    inner = inspect.unwrap(function)
    if not isinstance(inner, FunctionType):
        return ""
    named = ((name, inner.__globals__.get(name)) for name in inner.__code__.co_names)
    return repr([(name, value) for name, value in named if isinstance(value, bool | int | float | str)])


def _pickle(function: Callable[..., Any]) -> bytes:
    """Return the pickled function. Its code keeps the name of its file, which cloudpickle would leave out."""
    import cloudpickle

    table = ChainMap({CodeType: _reduce_code}, cloudpickle.Pickler.dispatch_table)
    file = io.BytesIO()
    type("Pickler", (cloudpickle.Pickler,), {"dispatch_table": table})(file).dump(function)
    return file.getvalue()


def _reduce_code(code: CodeType) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
    return marshal.loads, (marshal.dumps(code),)


def _unpickle(where: Address) -> Any:
    import cloudpickle

    lines = where["text"].splitlines(keepends=True)  # AutoGraph and Dynamo read the source of a notebook cell
    linecache.cache.setdefault(where["file"], (len(where["text"]), None, lines, where["file"]))
    function = cloudpickle.loads(where["pickle"])
    if "cache" in where:
        function.enable_caching()
    return function


def _module(where: Address) -> ModuleType:
    """Return the module of the function's file, imported under its own name if that finds this file."""
    name = where["module"]
    try:
        spec = importlib.util.find_spec(name) if name != "__main__" else None
    except (ImportError, ValueError):
        spec = None
    if spec and spec.origin and str(Path(spec.origin).resolve()) == where["file"]:  # a whole environment may be a link
        with contextlib.suppress(Reached):  # the module calls ``compare`` when it is imported
            return importlib.import_module(name)
    return execute(Path(where["file"]))


def execute(file: Path, package: str = "") -> ModuleType:
    """Return a user's file as a module, executed once, up to its call of ``compare``. package: for relative imports."""
    name = f"{MODULE}_{file.stem}_{zlib.crc32(str(file).encode())}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec and spec.loader
        load_triton_first(file)
        os.environ.update(apart.search_path())  # before its folder, which may have a random.py, is searched here
        sys.path.insert(0, str(file.parent))
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        module.__package__ = package
        try:
            spec.loader.exec_module(module)
        except Reached:
            pass
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def load_triton_first(file: Path) -> None:
    """Import Triton first for a file that imports TensorFlow and torch, whose compiler imports Triton.

    After TensorFlow, Triton would end the process: both bring LLVM and register its options.
    """
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    if "tensorflow" in text and "torch" in text and importlib.util.find_spec("triton"):
        importlib.import_module("triton")


def _attribute(holder: Any, name: str) -> Any:
    """Return the object of a dotted name in a module, or None."""
    for part in name.split("."):
        holder = getattr(holder, part, None)
    return holder
