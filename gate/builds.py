"""Two commits as the sides of a duet, and the ruler of each: its suite, with what it selects.

Both sides use one environment of compilers, or two if the commits pin different versions.
"""

import functools
import importlib
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import duet
from benchmarks import _selection
from duet import BenchmarkCase, Side, SideError
from duet.builds import asv_environment, side
from duet.git import git
from duet.process import LONGEST_IMPORT
from gate.commits import Commit

ASKED_FOR = ("of_verdict", "selected", "group", "needs_threads", "variables")
RULERS = "pip+"  # prefix in asv.conf.json of a requirement that is part of the ruler (asv_runner)
SELECT = """
import importlib, json, sys, types
package = sys.modules["suite"] = types.ModuleType("suite")
package.__path__ = [sys.argv[1]]
function, *arguments = json.load(sys.stdin)
print(json.dumps(getattr(importlib.import_module("suite._selection"), function)(*arguments)))
"""


@dataclass(frozen=True)
class Ruler:
    """What a commit is measured by: a directory of benchmarks, their cases by name, and the suite's selection, which selects
    the cases of a verdict and says how processes begin: its module ``_selection``, or that in ``selection_in_processes``."""

    suite: Path
    cases: dict[str, BenchmarkCase]
    selection: Any


@dataclass(frozen=True)
class Subjects:
    """Two commits that are ready to be measured. ``rulers``: BASE's and HEAD's; HEAD's twice if BASE has none. ``pins``:
    versions of BASE and HEAD by package, where they differ. ``versions``: of HEAD's Python and of what asv.conf.json pins.
    ``seconds``: what the builds took."""

    base: Commit
    head: Commit
    sides: tuple[Side, Side]
    rulers: tuple[Ruler, Ruler]
    versions: dict[str, str]
    seconds: float
    pins: dict[str, tuple[str, str]]


def build(repository: Path, base: Commit, head: Commit, directory: Path, report_progress: Callable[[str], None]) -> Subjects:
    """Build both commits below ``directory``, which is emptied, and find their benchmark cases. Raises SideError."""
    begin = time.monotonic()
    shutil.rmtree(directory, ignore_errors=True)  # left by a gate that was killed
    if directory.exists():
        raise SideError(f"{directory} cannot be removed")
    directory.mkdir(parents=True)
    log = directory / "log.txt"
    pins = [pins_of(repository, commit, directory) for commit in (base, head)]
    pins[1] |= {name: version for name, version in pins[0].items() if name.startswith(RULERS)}
    report_progress("asv's environment")
    pythons = [asv_environment(repository, log, each)[0] for each in (pins if pins[0] != pins[1] else pins[:1])]
    report_progress(f"the build of BASE, {base.short}")
    former = side("base", repository, base.hash, directory, pythons[0])
    trusted = selection_of(former.suite)  # before HEAD's build, whose code could change the file
    report_progress(f"the build of HEAD, {head.short}")
    own = side("head", repository, head.hash, directory, pythons[-1])
    report_progress("the benchmark cases of both suites")
    rulers = rulers_of(former, own, trusted, log)
    versions = own.versions(("asv_runner", *pins[1]))
    return Subjects(base, head, (former, own), rulers, versions, time.monotonic() - begin, difference(*pins))


def pins_of(repository: Path, commit: Commit, directory: Path) -> dict[str, str]:
    """Return the versions that a commit's asv.conf.json requires, by package. Raises SideError.

    directory: gets a copy of the file.
    """
    from asv.util import load_json  # here: asv takes a second

    file = directory / f"{commit.short}.asv.conf.json"
    try:
        file.write_text(git(repository, "show", f"{commit.hash}:asv.conf.json"), encoding="utf-8")
        return {name: version for name, (version,) in load_json(str(file), js_comments=True)["matrix"]["req"].items()}
    except Exception as error:  # errors of git and asv, or a matrix of another shape
        raise SideError(f"asv.conf.json of {commit.short} pins no versions that can be read: {error}") from error


def difference(base: dict[str, str], head: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return both versions of the packages whose pins differ; "" where one commit has none."""
    names = sorted({name for name, _ in base.items() ^ head.items()})
    return {name: (base.get(name, ""), head.get(name, "")) for name in names}


def rulers_of(base: Side, head: Side, trusted: ModuleType | None, log: Path) -> tuple[Ruler, Ruler]:
    """Return the rulers of BASE and HEAD. trusted: BASE's ``selection_of``. Raises SideError.

    If BASE's selection cannot be used, HEAD's selects for both suites, or that of the gate's own checkout. If HEAD has none,
    BASE's does. A suite without a case is no ruler.
    """
    selection = selection_in_processes(head, trusted)
    own = Ruler(head.suite, duet.discover(head, log), selection)
    former = Ruler(base.suite, duet.discover(base, log), trusted or selection)
    return (former if former.cases else own), own


def selection_in_processes(side: Side, trusted: Any) -> Any:
    """Return the selection of HEAD. It selects in processes of that side, so a change's code never runs where the verdict is
    made. SideError: HEAD's cannot select, and ``trusted`` can.

    trusted: BASE's module ``_selection``, which says how processes begin, and selects if HEAD has none. None: the gate's own
    does, and selects if HEAD's cannot.
    """
    trusted, must_select = trusted or _selection, bool(trusted) and (side.suite / "_selection.py").exists()
    select = functools.partial(selected_in_a_process, side)
    try:
        select("of_verdict", [])
    except SideError as error:
        if must_select:
            raise SideError(f"HEAD's benchmarks/_selection.py cannot be loaded: {error}") from error
        return trusted
    return SimpleNamespace(
        of_verdict=functools.partial(select, "of_verdict"),
        selected=functools.partial(select, "selected"),
        group=trusted.group,
        needs_threads=trusted.needs_threads,
        variables=trusted.variables,
    )


def selected_in_a_process(side: Side, function: str, *arguments: Iterable[str]) -> list[str]:
    """Return what a function of the side's ``_selection`` selects. arguments: its own, the cases first. Raises SideError."""
    command, request = [side.python, "-c", SELECT, str(side.suite)], json.dumps([function, *map(list, arguments)])
    try:
        answer = subprocess.run(
            command,
            input=request,
            capture_output=True,
            text=True,
            errors="replace",
            env=side.environment({}),
            timeout=LONGEST_IMPORT,
        )
    except subprocess.TimeoutExpired as error:
        raise SideError(f"the selection of {side.name} had not ended after {LONGEST_IMPORT:g} s") from error
    try:
        names = [str(case) for case in json.loads(answer.stdout)]
    except (TypeError, ValueError) as error:
        reason = (answer.stderr.strip().splitlines() or [""])[-1]
        raise SideError(f"the selection of {side.name} selects nothing: {reason}") from error
    if unknown := set(names) - set(arguments[0]):
        raise SideError(f"the selection of {side.name} selects {min(unknown)!r}, which its suite lacks")
    return names


def selection_of(suite: Path) -> ModuleType | None:
    """Return the module ``_selection`` of BASE's suite; None if it is missing, or lacks what the gate needs.

    It gets its own module name, because the one of the gate's checkout is imported too.
    """
    name = re.sub(r"\W", "_", f"suite {suite}")
    package = ModuleType(name)
    package.__path__ = [str(suite)]
    sys.modules[name] = package
    try:
        module = importlib.import_module(f"{name}._selection")
    except (Exception, SystemExit):  # the commit's file may raise anything
        return None
    return module if all(hasattr(module, each) for each in ASKED_FOR) else None
