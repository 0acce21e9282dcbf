"""The table of releases (releases.toml), and the asv configuration made from it (asv.releases.json)."""

import datetime
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asv.environment import get_env_name
from asv.util import load_json
from packaging.version import Version

TABLE, CONFIGURATION, BASE = Path("releases.toml"), Path("asv.releases.json"), Path("asv.conf.json")
WRITE = "python -m history.releases.command write"
ENVIRONMENTS = ".asv/releases"
RUNNER = "pip+asv_runner"  # part of the ruler: the one requirement that all environments share
HEAD = f"// Written by `{WRITE}`, from {TABLE} and {BASE}: edit those.\n"


@dataclass(frozen=True)
class Release:
    """A release of a compiler.

    published: the day of its first file. needs: versions of the other packages in its environment, by name: the newest
    compatible ones on that day. bytes: of this release, if they differ from its compiler's.
    """

    compiler: str
    package: str
    version: str
    published: datetime.date
    needs: Mapping[str, str]
    bytes: int | None = None

    def __str__(self) -> str:
        return f"{self.compiler} {self.version}"

    @property
    def requirements(self) -> dict[str, str]:
        """The environment's packages in the order of installation: first what the release needs."""
        return {**self.needs, self.package: self.version}

    def environment_name(self, python: str) -> str:
        """Return asv's name of the environment."""
        return str(get_env_name("virtualenv", python, self.requirements, {}))

    def line(self) -> str:
        """Return the release's line of the table."""
        needs = ", ".join(f"{name} = {json.dumps(version)}" for name, version in self.needs.items())
        return f"    {{ version = {json.dumps(self.version)}, published = {self.published}, needs = {{ {needs} }} }},\n"


@dataclass(frozen=True)
class Compiler:
    """The facts that the releases of a compiler share.

    package: its name for pip. extra: of the package, if the compiler needs one. since: the oldest release to look for in
    the package index. pins: other packages whose releases change what is measured. fixed: versions of packages that are the
    same in all environments. backends: those to measure. bytes: on disk, of its largest environment and of the files that
    pip downloads and keeps for it. follow: True if new releases are added to the table automatically. switches: parts of a
    release, and the environment variables that turn each part off. files: in its packages, compiled libraries without
    suffix, that are exchanged alone to explain a step. notes: what the versions do not say about a release, by its version.
    """

    name: str
    package: str
    since: str
    pins: tuple[str, ...]
    backends: tuple[str, ...]
    bytes: int
    releases: tuple[Release, ...]
    extra: str = ""
    follow: bool = True
    fixed: Mapping[str, str] | None = None
    switches: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def release(self, version: str) -> Release:
        """Return the release of that version. Raises ValueError, with the known versions, if there is none."""
        for release in self.releases:
            if release.version == version:
                return release
        raise ValueError(f"unknown release {self.name} {version}; known: {', '.join(r.version for r in self.releases)}")

    def selected(self, since: str | None, only: str | None) -> list[Release]:
        """Return the releases from ``since`` on, or those in ``only``, by version. Raises ValueError as ``release``."""
        if only:
            return sorted(map(self.release, dict.fromkeys(only.split(","))), key=lambda release: Version(release.version))
        first = Version(self.release(since).version) if since else Version("0")
        return [release for release in self.releases if Version(release.version) >= first]

    def reference(self) -> Release:
        """Return the reference release: the one that asv.conf.json pins."""
        return self.release(str(load_json(str(BASE), js_comments=True)["matrix"]["req"][self.package][0]))

    def space(self, release: Release) -> int:
        """Return the release's own ``bytes``, or else its compiler's."""
        return release.bytes or self.bytes


@dataclass(frozen=True)
class Table:
    """python: the version X.Y of all environments."""

    python: str
    compilers: Mapping[str, Compiler]

    def compiler(self, name: str) -> Compiler:
        """Return the compiler of that name. Raises ValueError, with the known names, if there is none."""
        if name not in self.compilers:
            raise ValueError(f"unknown compiler {name!r}; known: {', '.join(self.compilers)}")
        return self.compilers[name]

    def releases(self) -> list[Release]:
        return [release for compiler in self.compilers.values() for release in compiler.releases]


def read(text: str) -> Table:
    """Return the table in a text, with releases in the order of their versions. Raises ValueError if it has none."""
    try:
        document = tomllib.loads(text)
        compilers = {name: _compiler(name, entry) for name, entry in document["compilers"].items()}
        return Table(document["python"], compilers)
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{TABLE} is not a table of releases: {error}") from error


def _compiler(name: str, entry: Mapping[str, Any]) -> Compiler:
    releases = (Release(name, entry["package"], **release) for release in entry["releases"])
    ordered = tuple(sorted(releases, key=lambda release: Version(release.version)))
    lists = {key: tuple(entry[key]) for key in ("pins", "backends", "files") if key in entry}
    return Compiler(**{**entry, **lists, "name": name, "releases": ordered})


def configuration(table: Table, base: Path = BASE) -> str:
    """Return the text of asv.releases.json: that of asv.conf.json, with the table's environments."""
    shared = load_json(str(base), js_comments=True)
    runner = shared["matrix"]["req"][RUNNER][0]
    entries = [{"python": table.python, "req": {RUNNER: runner, **release.requirements}} for release in table.releases()]
    settings = {**shared, "pythons": [], "matrix": {}, "env_dir": ENVIRONMENTS}
    body = json.dumps(settings, indent=4).removesuffix("\n}")
    include = ",\n".join(f"        {json.dumps(entry)}" for entry in entries)
    return f'{HEAD}{body},\n    "include": [\n{include}\n    ]\n}}\n'


def added(text: str, new: Iterable[Release]) -> str:
    """Return the table's text with the releases at the end of their compilers' lists."""
    for release in new:
        start = rf"^\[compilers\.{re.escape(release.compiler)}\]$"
        match = re.search(start + r".*?^releases = \[\n(?:    [^\n]*\n)*", text, re.M | re.S)
        if not match:
            raise ValueError(f"{TABLE} has no list of releases of {release.compiler}")
        text = text[: match.end()] + release.line() + text[match.end() :]
    return text
