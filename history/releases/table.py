"""The table of releases (releases.toml), and the asv configuration that is made of it (asv.releases.json)."""

import datetime
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asv.environment import get_env_name
from asv.util import load_json
from packaging.version import Version

TABLE, CONFIGURATION, BASE = Path("releases.toml"), Path("asv.releases.json"), Path("asv.conf.json")
ENVIRONMENTS = ".asv/releases"
RUNNER = "pip+asv_runner"  # half of the ruler: the one requirement that all environments share
HEAD = """\
// Written by `python history/releases/command.py write`, from releases.toml and asv.conf.json: edit those.
"""


@dataclass(frozen=True)
class Release:
    """One release of a compiler. published: the day on which its first file was. needs: the other packages that its
    environment has, by name, at the releases that were newest on that day of those it works with. bytes, downloads: of this
    one, where they are not its compiler's."""

    compiler: str
    package: str
    version: str
    published: datetime.date
    needs: Mapping[str, str]
    bytes: int | None = None
    downloads: int | None = None

    def __str__(self) -> str:
        return f"{self.compiler} {self.version}"

    @property
    def requirements(self) -> dict[str, str]:
        """Of its environment, in the order of their installation: what it needs is there when it comes."""
        return {**self.needs, self.package: self.version}

    def environment(self, python: str) -> str:
        """asv's name of the environment."""
        return str(get_env_name("virtualenv", python, self.requirements, {}))

    def line(self) -> str:
        """In the table."""
        needs = ", ".join(f"{_key(name)} = {json.dumps(version)}" for name, version in self.needs.items())
        return f"    {{ version = {json.dumps(self.version)}, published = {self.published}, needs = {{ {needs} }} }},\n"


@dataclass(frozen=True)
class Compiler:
    """What the releases of a compiler share.

    package: what pip installs. extra: what of it, where the package alone is not the compiler. since: the oldest release to
    ask the package index for. pins: names of the packages beside it whose releases change what is measured. fixed: those of
    them that stay as they are in all its environments. backends: whose cells are measured. bytes: of its largest
    environment on disk, downloads: of the files that come into it, both as measured. follow: whether what the package
    index has later comes into the table by itself.
    """

    name: str
    package: str
    since: str
    pins: tuple[str, ...]
    backends: tuple[str, ...]
    bytes: int
    downloads: int
    releases: tuple[Release, ...]
    extra: str = ""
    follow: bool = True
    fixed: Mapping[str, str] | None = None

    def release(self, version: str) -> Release:
        """ValueError, listing the known ones, for another version."""
        for release in self.releases:
            if release.version == version:
                return release
        raise ValueError(f"unknown release {self.name} {version}; known: {', '.join(r.version for r in self.releases)}")

    def newest(self) -> Version | None:
        return max((Version(release.version) for release in self.releases), default=None)


@dataclass(frozen=True)
class Table:
    """python: X.Y of all environments."""

    python: str
    compilers: Mapping[str, Compiler]

    def compiler(self, name: str) -> Compiler:
        """ValueError, listing the known ones, for another name."""
        if name not in self.compilers:
            raise ValueError(f"unknown compiler {name!r}; known: {', '.join(self.compilers)}")
        return self.compilers[name]

    def releases(self) -> list[Release]:
        return [release for compiler in self.compilers.values() for release in compiler.releases]


def read(text: str) -> Table:
    """The table that the text holds; ValueError where it holds none."""
    try:
        document = tomllib.loads(text)
        compilers = {name: _compiler(name, entry) for name, entry in document["compilers"].items()}
        return Table(document["python"], compilers)
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{TABLE} is no table of releases: {error}") from error


def _compiler(name: str, entry: Mapping[str, Any]) -> Compiler:
    releases = tuple(Release(name, entry["package"], **release) for release in entry["releases"])
    ordered = tuple(sorted(releases, key=lambda release: Version(release.version)))
    lists = {key: tuple(entry[key]) for key in ("pins", "backends")}
    return Compiler(**{**entry, **lists, "name": name, "releases": ordered})


def configuration(table: Table, base: Path = BASE) -> str:
    """The text of the asv configuration: that of ``base`` but for the environments, which are the table's."""
    shared = load_json(str(base), js_comments=True)
    runner = shared["matrix"]["req"][RUNNER][0]
    entries = [{"python": table.python, "req": {RUNNER: runner, **release.requirements}} for release in table.releases()]
    settings = {**shared, "pythons": [], "matrix": {}, "env_dir": ENVIRONMENTS}
    body = json.dumps(settings, indent=4).removesuffix("\n}")
    include = ",\n".join(f"        {json.dumps(entry)}" for entry in entries)
    return f'{HEAD}{body},\n    "include": [\n{include}\n    ]\n}}\n'


def added(text: str, new: Iterable[Release]) -> str:
    """The table's text with these releases at the end of their compilers' lists."""
    for release in new:
        start = rf"^\[compilers\.{re.escape(release.compiler)}\]$"
        found = re.search(start + r".*?^releases = \[\n(?:    [^\n]*\n)*", text, re.M | re.S)
        if not found:
            raise ValueError(f"{TABLE} has no list of releases of {release.compiler}")
        text = text[: found.end()] + release.line() + text[found.end() :]
    return text


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
