"""The releases that the package index has, and what each needed on the day it was published. uv resolves both.

The index is uv's default, or PIP_INDEX_URL. If it cannot be reached, ``require`` raises StopError, and all other functions
OSError with one line.
"""

import datetime
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.utils import canonicalize_name

from history.errors import StopError
from history.releases.table import Compiler, Release

UV = str(Path(sys.executable).with_name("uv"))
OPTIONS = ["--only-binary", ":all:", "--prerelease", "disallow", "--no-python-downloads", "--refresh", "--quiet"]
NOTHING_FITS = "No solution found"  # in uv's message: its exit status is the same for other errors
UNKNOWN = "was not found in the package registry"  # in that message, if the index lacks a package

Resolved = dict[str, tuple[str, datetime.date]]  # version and day of publication by the package's canonical name


def newer(compiler: Compiler, python: str) -> list[Release]:
    """Return the releases after the table's newest, oldest first, or those from ``since`` on if the table has none."""
    if not compiler.follow:
        return []
    newest = compiler.releases[-1].version if compiler.releases else None
    after = f">={newest},!={newest}" if newest else f">={compiler.since}"
    return [_complete(compiler, *release, python) for release in installable(compiler.package + after, python)]


def installable(requirement: str, python: str) -> list[tuple[str, datetime.date]]:
    """Return version and day of the releases that can be installed without a build, oldest first.

    Yanked releases and pre-releases are left out. requirement: a package and at least one condition.
    """
    releases: list[tuple[str, datetime.date]] = []
    while resolved := resolve([requirement], python, "--no-deps"):
        (release,) = resolved.values()
        releases.insert(0, release)
        requirement += f",<{release[0]}"
    return releases


def _complete(compiler: Compiler, version: str, day: datetime.date, python: str) -> Release:
    """Return the release with its pins: the newest compatible versions published until its day."""
    requirement = f"{compiler.package}{compiler.extra}=={version}"
    end = f"{day + datetime.timedelta(days=1)}T00:00:00Z"
    resolved = resolve([requirement, *compiler.pins], python, "--exclude-newer", end)
    if not resolved:
        raise OSError(f"nothing that {requirement} needs is as old as {day}")
    needs = {name: resolved[canonicalize_name(name)][0] for name in compiler.pins}
    return Release(compiler.name, compiler.package, version, day, {**needs, **(compiler.fixed or {})})


def require(release: Release, python: str) -> None:
    """Raise StopError if the package index cannot be reached: a failure would then say nothing about the release."""
    try:
        resolve([f"{release.package}=={release.version}"], python, "--no-deps")
    except OSError as error:
        raise StopError(f"{release} could not be installed: {error}", 3) from error


def resolve(requirements: list[str], python: str, *options: str) -> Resolved | None:
    """Return what uv would install for the requirements, or None if nothing fits."""
    command = ["compile", "--format", "pylock.toml", "--python-version", python, *OPTIONS, *options, "-"]
    answer = _uv(command, "\n".join(requirements))
    if answer.returncode:
        return None
    packages = tomllib.loads(answer.stdout)["packages"]
    return {each["name"]: (each["version"], _day(each)) for each in packages}


def install(requirements: list[str], python: str) -> str | None:
    """Install the requirements into a Python's environment. Return why they do not fit, in a line, or None."""
    answer = _uv(["install", "--python", python, "--only-binary", ":all:", "--quiet", *requirements])
    reason = _line(answer.stderr)
    return None if not answer.returncode else reason.partition("Because ")[2].partition(", we can conclude")[0] or reason


def _uv(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``uv pip`` with the command. Raises OSError for any failure, except if nothing fits."""
    mirror = {"UV_DEFAULT_INDEX": os.environ["PIP_INDEX_URL"]} if "PIP_INDEX_URL" in os.environ else {}
    answer = subprocess.run([UV, "pip", *command], input=text, env={**os.environ, **mirror}, capture_output=True, text=True)
    if answer.returncode and (NOTHING_FITS not in answer.stderr or UNKNOWN in answer.stderr):
        raise OSError(f"the package index cannot be reached, or has no such package: {_line(answer.stderr)}")
    return answer


def _line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines())


def _day(package: dict[str, list[dict[str, datetime.datetime]]]) -> datetime.date:
    """Return the day on which the first file of a locked package was uploaded, in UTC."""
    times = [wheel["upload-time"] for wheel in package["wheels"] if "upload-time" in wheel]
    if not times:
        raise OSError("the package index does not say when files were uploaded")
    return min(times).astimezone(datetime.UTC).date()
