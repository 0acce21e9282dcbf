"""The import graph of a tree of files: which modules a module can load. Nothing is imported."""

import ast
import contextlib
import functools
import re
from collections.abc import Iterable
from importlib.util import resolve_name
from pathlib import Path

HOMES = ("", "jitkernels.", "jitkernels.measure.", "jitkernels.backends.")
"""Packages to look in for a module that a string names: the suite and the library load some so (``load("steady")``)."""


class Graph:
    """The modules below a directory.

    ``files``: each module's path, relative to the directory. ``by_rows``: modules that only rows
    of the tables load; a string elsewhere does not.
    """

    def __init__(self, tree: Path, by_rows: re.Pattern[str]) -> None:
        self.tree, self.by_rows = tree, by_rows
        files = [path.relative_to(tree) for path in sorted(tree.rglob("*.py")) if path.is_file()]  # no dangling link
        self.files = {module_name(file): file for file in files}
        self._targets: dict[str, set[str]] = {}

    def reached(self, roots: Iterable[str]) -> set[str]:
        """Return the modules that ``roots`` can load, themselves, and the packages of all."""
        reached: set[str] = set()
        waiting = [*roots]
        while waiting:
            name = waiting.pop()
            if name and name not in reached:
                reached.add(name)
                waiting += [name.rpartition(".")[0], *self.targets(name)]
        return reached

    def targets(self, name: str) -> set[str]:
        """Return the modules that a module names: in imports, also inside functions, and in strings."""
        if name not in self._targets:
            file = self.files.get(name)
            package = name if file and file.name == "__init__.py" else name.rpartition(".")[0]
            names = named((self.tree / file).read_bytes(), package, self.by_rows) if file else frozenset()
            self._targets[name] = {each for each in names if each in self.files}
        return self._targets[name]


@functools.cache  # most files are the same in both commits
def named(source: bytes, package: str, by_rows: re.Pattern[str]) -> frozenset[str]:
    """Return what a module of ``package`` imports, and what its strings may name; nothing if it cannot be parsed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the processes that import it report the error
        return frozenset()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []  # never runs
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            with contextlib.suppress(ImportError):  # above the tree: the processes that import the module report the error
                origin = resolve_name("." * node.level + (node.module or ""), package)
                names.update([origin, *(f"{origin}.{alias.name}" for alias in node.names)])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.update(each for each in modules_of(node.value, package) if not by_rows.match(each))
    return frozenset(names)


def modules_of(text: str, package: str) -> list[str]:
    """Return what a string in a module of ``package`` may name: a module, or a function or class of one ("a.b.name",
    "a.b:Name", "._b"). A name too many does no harm."""
    match = re.fullmatch(r"(\.*)(\w+(?:\.\w+)*)\.?(?::\w+(?:\.\w+)*)?", text)
    if text == "__main__" or not match:
        return []
    dots, name = match.groups()
    parts = (name, name.rpartition(".")[0])
    if not dots:
        return [home + part for home in HOMES for part in parts]
    try:
        return [resolve_name(dots + part, package) for part in parts]
    except ImportError:  # above the tree, or in a script, which has no package
        return []


def module_name(file: Path) -> str:
    """Return the name under which a file of the tree is imported."""
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
