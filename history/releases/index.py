"""What the package index has: releases, when they were published, and what they need.

It is pip's own; PIP_INDEX_URL names another. All functions raise OSError, in one line, where the index cannot be reached or
does not know.
"""

import datetime
import functools
import http.client
import json
import os
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from history.releases.table import Compiler, Release

TIMEOUT = 60  # seconds for an answer of some megabytes
RESOLVE_TIMEOUT = 600  # seconds for pip to work out what goes together


@dataclass(frozen=True)
class Published:
    """A release that can be installed: its version, and the day of its first file."""

    version: Version
    day: datetime.date
    bytes: int


def newer(compiler: Compiler, python: str) -> list[Release]:
    """Releases after the table's newest, or from ``since`` on where it has none; neither yanked nor pre-releases."""
    if not compiler.follow:
        return []
    newest = compiler.newest()
    found = [
        release
        for release in installable(compiler.package, python)
        if (release.version > newest if newest else release.version >= Version(compiler.since))
    ]
    return [completed(compiler, release, python) for release in found]


def installable(package: str, python: str) -> list[Published]:
    """Releases with a file for this Python and this machine, in their order."""
    found = []
    for text, files in _asked(package)["releases"].items():
        version = _version(text)
        usable = [file for file in files if not file["yanked"] and _fits(file, python)]
        if version and not version.is_prerelease and usable:
            days = [datetime.date.fromisoformat(file["upload_time"][:10]) for file in files]
            found.append(Published(version, min(days), max(file["size"] for file in usable)))
    return sorted(found, key=lambda release: release.version)


def completed(compiler: Compiler, release: Published, python: str) -> Release:
    """The release with what it needs: what pip's resolver chooses if nothing is younger than the release. A package that the
    release does not name is taken as new as it was on that day."""
    there = {name: _as_of(name, release.day, python) for name in compiler.pins}
    limits = {
        name: f"<={newest}{''.join(f',!={version}' for version in younger)}" for name, (newest, younger) in there.items()
    }
    resolved = _resolved(f"{compiler.package}{compiler.extra}=={release.version}", limits, python)
    needs = {name: resolved.get(canonicalize_name(name), newest) for name, (newest, _) in there.items()}
    return Release(compiler.name, compiler.package, str(release.version), release.day, {**needs, **(compiler.fixed or {})})


def has(package: str, version: str, python: str) -> bool:
    """Whether this release can be had."""
    return any(release.version == Version(version) for release in installable(package, python))


def _as_of(package: str, day: datetime.date, python: str) -> tuple[str, list[str]]:
    """The highest release of a package on a day, and lower ones that came later: patches of older lines."""
    releases = installable(package, python)
    newest = max((release.version for release in releases if release.day <= day), default=None)
    if newest is None:
        raise OSError(f"no release of {package} is as old as {day}")
    return str(newest), [str(release.version) for release in releases if release.version < newest and release.day > day]


def _resolved(requirement: str, limits: dict[str, str], python: str) -> dict[str, str]:
    """What pip would install for the requirement, by name, with each package within its limits."""
    with tempfile.TemporaryDirectory() as directory:
        constraints = Path(directory, "limits.txt")
        constraints.write_text("".join(f"{name}{limit}\n" for name, limit in limits.items()))
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
        command += ["--only-binary", ":all:", "--python-version", python, "--target", str(Path(directory, "nothing"))]
        command += ["--constraint", str(constraints), requirement]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=RESOLVE_TIMEOUT)
    if answer.returncode:
        errors = [line for line in answer.stderr.splitlines() if line.startswith("ERROR")]
        raise OSError(f"pip finds nothing that goes with {requirement}: {(errors or ['it says not why'])[-1]}")
    chosen = [item["metadata"] for item in json.loads(answer.stdout)["install"]]
    return {canonicalize_name(item["name"]): item["version"] for item in chosen}


@functools.cache
def _asked(package: str) -> Any:
    """The index's answer about a package."""
    simple = os.environ.get("PIP_INDEX_URL")
    base = simple.rstrip("/").removesuffix("/simple") + "/pypi" if simple else _default()
    address = f"{base}/{package}/json"
    context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT, context=context) as answer:
            found = json.load(answer)
            found["releases"].items  # noqa: B018  # or it is no index's answer
            return found
    except urllib.error.HTTPError as error:
        raise OSError(f"the package index answers {error.code} to a question about {package}") from error
    except urllib.error.URLError as error:
        raise OSError(f"the package index cannot be reached: {error.reason}") from error
    except (ValueError, KeyError, AttributeError, TypeError, http.client.HTTPException) as error:
        raise OSError(f"what the package index answers about {package} is not what an index does: {error!r}") from error


def _default() -> str:
    """Where pip asks when nothing tells it otherwise. In a process of its own: importing pip turns setuptools' distutils off
    for whatever is imported later, Inductor's compiler among it."""
    script = "from pip._internal.models.index import PyPI; print(PyPI.pypi_url)"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def _fits(file: Any, python: str) -> bool:
    """Whether pip could install the file here, without building it."""
    try:
        tags = parse_wheel_filename(file["filename"])[3]
        wanted = SpecifierSet(file["requires_python"] or "")
    except (InvalidWheelFilename, InvalidSpecifier, InvalidVersion):
        return False
    return python in wanted and not tags.isdisjoint(_tags(python))


@functools.cache
def _tags(python: str) -> frozenset[Tag]:
    version = [int(part) for part in python.split(".")]
    return frozenset([*cpython_tags(version), *compatible_tags(version, f"cp{python.replace('.', '')}")])


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
