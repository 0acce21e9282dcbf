"""The kernels: one folder each, found by scanning, and those of plugins. A folder's ``__init__`` has the spec and imports no
framework."""

import functools
import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from jitkernels import plugins
from jitkernels.kernel import Kernel

_user_kernels: dict[str, Kernel] = {}  # a registry: of this process, by name


def names() -> tuple[str, ...]:
    """Return every kernel's name, in alphabetical order."""
    return tuple(_catalogue())


def load(name: str) -> Kernel:
    """Return the kernel of this name. Raises ValueError, with the reason or the known names, for an unknown name."""
    kernel: Kernel = _user_kernels[name] if name in _user_kernels else package(name).kernel
    return kernel


def add(kernel: Kernel) -> None:
    """Let this process load a kernel that has no package: one of a user's own functions."""
    _user_kernels[kernel.name] = kernel


def package(name: str) -> ModuleType:
    """Return the package that has the kernel's spec and its dialects' files. Raises ValueError as ``load`` does."""
    return importlib.import_module(plugins.lookup("kernel", name, _catalogue(), broken()))


def broken() -> dict[str, str]:
    """Return why a plugin's kernel cannot be used, by name."""
    return _plugins().broken


@functools.cache
def _catalogue() -> dict[str, str]:
    """Return the full name of each kernel's package, by the kernel's name. Raises ValueError if two have one name."""
    own = {name: f"{__name__}.{name}" for name in _built_in()}
    return dict(sorted((own | _plugins().additions).items()))


@functools.cache
def _plugins() -> plugins.Plugins[str]:
    return plugins.load(plugins.KERNELS, _built_in(), _valid)


def _built_in() -> list[str]:
    return [spec.parent.name for spec in Path(__file__).parent.glob("*/__init__.py")]


def _valid(name: str, value: Any) -> str:
    """Return the full name of the package. Raises TypeError if it has no kernel of this name."""
    kernel = getattr(value, "kernel", None)
    if not hasattr(value, "__path__") or not isinstance(kernel, Kernel) or kernel.name != name:
        raise TypeError(f"{value!r} is no package with a kernel named {name!r}")
    return str(value.__name__)
