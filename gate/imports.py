"""The import graph of a tree of files: which modules a module can load. Nothing is imported."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

HOMES = ("", "jitkernels.", "jitkernels.measure.", "jitkernels.backends.")
"""Where a module may be that a string names: the suite and the library load some by name (``load("steady")``)."""


class Graph:
    """The modules below a directory.

    ``files``: each module's path, relative to the directory. ``by_rows``: modules that the tables' rows load, which a string
    in other modules does not.
    """

    def __init__(self, tree: Path, by_rows: re.Pattern[str]) -> None:
        self.tree, self.by_rows = tree, by_rows
        self.files = {module_name(path.relative_to(tree)): path.relative_to(tree) for path in sorted(tree.rglob("*.py"))}
        self._targets: dict[str, set[str]] = {}

    def reached(self, roots: Iterable[str]) -> set[str]:
        """Return the modules that these can load, with themselves and their packages."""
        reached: set[str] = set()
        waiting = [*roots]
        while waiting:
            name = waiting.pop()
            if name and name not in reached:
                reached.add(name)
                waiting += [name.rpartition(".")[0], *self.targets(name)]
        return reached

    def targets(self, name: str) -> set[str]:
        """Return the modules that a module names: in imports, also those inside of functions, and in strings."""
        if name not in self._targets:
            self._targets[name] = {each for each in self._names(name) if each in self.files}
        return self._targets[name]

    def _names(self, name: str) -> Iterator[str]:
        if name not in self.files:
            return
        file = self.files[name]
        try:
            nodes = list(ast.walk(ast.parse((self.tree / file).read_bytes())))
        except (SyntaxError, ValueError):  # its own processes will say so
            return
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = imported_from(node, package)
                yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._named(node.value)

    def _named(self, text: str) -> Iterator[str]:
        """Yield what a string may name: a module, or a function of one. Too much does no harm."""
        if text != "__main__" and re.fullmatch(r"\w+(\.\w+)*\.?", text):
            names = (home + part for home in HOMES for part in (text, text.rpartition(".")[0]))
            yield from (name for name in names if not self.by_rows.match(name))


def imported_from(node: ast.ImportFrom, package: str) -> str:
    """Return the absolute name of the module that ``from`` names, in a module of ``package``."""
    parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    return ".".join([*parents, *filter(None, [node.module])])


def module_name(file: Path) -> str:
    """Return the name under which a file of the tree is imported."""
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
