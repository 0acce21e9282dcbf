"""One kernel written in one dialect."""

import functools
import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

from jitkernels import kernels
from jitkernels.backends.table import frameworks
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN, Kernel
from jitkernels.shapes import Array


@dataclass(frozen=True)
class Source:
    """What a backend compiles."""

    kernel: str  # its name
    path: Path  # the dialect's file
    run: Callable[..., Any] | None  # the function of the spelling; None for C, whose source is in ``path``
    static: tuple[str, ...] = ()  # names of the arguments that compilers see as constants
    # the dialect file's ``compiler_options`` for this kernel, by backend; none for a spelling that is not tuned
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    arguments: Mapping[str, Array] = field(default_factory=dict)  # the arrays that it takes
    results: Mapping[str, Array] = field(default_factory=dict)  # and returns
    spelling: str = RUN  # the name of the function in the file
    is_user_function: bool = False  # True for a user's own function, False for a kernel's

    @property
    def parts(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that are compiled while Python itself runs ``run``: its keyword-only parameters whose
        defaults are functions. Empty if ``run`` is compiled whole, as a user's function always is."""
        parameters = inspect.signature(self.run).parameters.values() if self.run and not self.is_user_function else ()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and isinstance(p.default, FunctionType)}

    def bind(self, compiler: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return ``run`` with its parts compiled."""
        assert self.run
        return functools.partial(self.run, **{name: compiler(part) for name, part in self.parts.items()})


def execute(name: str, file: Path) -> Any:
    """Return the file as a new module of this name."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def copy_of(function: Callable[..., Any], new_code: bool = False) -> Any:
    """Return another function like ``function``, as each execution of a ``def`` makes. new_code: with a code object of its
    own, which no compiler has seen."""
    assert isinstance(function, FunctionType)
    code = function.__code__.replace() if new_code else function.__code__
    copy = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    for name in ("__kwdefaults__", "__annotations__", "__module__"):
        setattr(copy, name, getattr(function, name))
    return copy


def path(kernel: str, dialect: str) -> Path:
    """Return the path of the kernel's file in this dialect, which need not exist."""
    return _place(kernel, dialect)[0]


def load(kernel: Kernel, dialect: str, spelling: str = RUN) -> Source:
    """Return a kernel's source in one dialect. A Python file is imported, and so its framework.

    Raises Unavailable if a plugin's file has no function of the spelling's name.
    """
    if kernel.function:
        run = kernel.function(spelling)
        return Source(kernel.name, Path(), run, kernel.static, is_user_function=True)
    file, name = _place(kernel.name, dialect)
    chosen = kernel.spelling(spelling)
    if dialect == "c":
        return Source(kernel.name, file, None, chosen.static, {}, kernel.arguments, kernel.results, spelling)
    module = importlib.import_module(name)
    if not name.startswith(kernels.__name__) and not hasattr(module, spelling):
        raise Unavailable(f"{file.name} of {name.partition('.')[0]} has no function {spelling}", by_design=True)
    options = getattr(module, "compiler_options", {}) if chosen.tuned else {}
    run = getattr(module, spelling)
    return Source(kernel.name, file, run, chosen.static, options, kernel.arguments, kernel.results, spelling)


def _place(kernel: str, dialect: str) -> tuple[Path, str]:
    """Return the file and its module's full name. If the kernel's own package has no such file, it is in the package that
    the dialect's framework names."""
    package = kernels.package(kernel)
    file = Path(package.__path__[0], "c.c" if dialect == "c" else f"{dialect}.py")
    others = next((framework.kernels for framework in frameworks() if framework.dialect == dialect), "")
    if others and not file.exists() and (spec := importlib.util.find_spec(f"{others}.{kernel}")) and spec.origin:
        return Path(spec.origin), spec.name
    return file, f"{package.__name__}.{dialect}"
