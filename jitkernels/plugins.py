"""Kernels and backends of other installed packages, by the entry points that those packages declare.

An entry point of the group ``jitkernels.kernels`` refers to a package with a ``kernel``, one of ``jitkernels.backends`` to a
``Backend``. It has the name of that kernel or backend. Importing this module reads none: the catalogues call ``load`` when a
name is looked up.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, Generic, TypeVar

KERNELS, BACKENDS = "jitkernels.kernels", "jitkernels.backends"  # the groups

Addition = TypeVar("Addition")


@dataclass(frozen=True)
class Plugins(Generic[Addition]):
    """additions: what can be used, by name. broken: why an entry point cannot be used, by name."""

    additions: dict[str, Addition] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)


def load(group: str, built_in: Collection[str], valid: Callable[[str, Any], Addition]) -> Plugins[Addition]:
    """Load the entry points of a group, which imports their modules.

    built_in: the names that this package has. valid: ``valid(name, value)`` returns the addition, or raises TypeError if the
    value is not one. If the import or ``valid`` raises, that is the reason why the entry point is broken. Raises ValueError,
    in one line, if two packages add the same name.
    """
    plugins: Plugins[Addition] = Plugins()
    for name, entry in _unique(group, built_in).items():
        try:
            plugins.additions[name] = valid(name, entry.load())
        except Exception as error:  # a module of another package may raise anything
            line = str(error).strip().partition("\n")[0]
            plugins.broken[name] = f"the plugin of {_package(entry)} is broken: {type(error).__name__}: {line}"
    return plugins


def lookup(kind: str, name: str, catalogue: Mapping[str, Addition], broken: Mapping[str, str]) -> Addition:
    """Return the catalogue's entry of this name. Raises ValueError, in one line, with the reason or the known names."""
    if name in catalogue:
        return catalogue[name]
    hint = f" (a file of functions: jitkernels compare {name})" if name.endswith(".py") else ""
    raise ValueError(broken.get(name) or f"unknown {kind} {name!r}{hint}; known: {', '.join(catalogue)}")


def _unique(group: str, built_in: Collection[str]) -> dict[str, metadata.EntryPoint]:
    owners, unique = dict.fromkeys(built_in, "jitkernels"), {}
    for entry in sorted(metadata.entry_points(group=group), key=lambda entry: (entry.name, _package(entry))):
        package = _package(entry)
        if entry.name in owners:
            raise ValueError(f"{owners[entry.name]} and {package} both have a {group[:-1]} {entry.name!r}: uninstall one")
        owners[entry.name], unique[entry.name] = package, entry
    return unique


def _package(entry: metadata.EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown package"
