"""What came of each release on each machine, and where its numbers are."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.version import InvalidVersion, Version

from history.store import records
from history.store.results import Unread
from website.read.commits import Commit, History
from website.read.points import Origin

NEEDED = ("compiler", "release", "status", "commit", "environment", "requirements")
OK = "ok"
DRIFT = "drift.jsonl"  # history/releases/results.py writes it
Machine = tuple[str, ...]  # what tells it from others
Environments = set[tuple[Machine, frozenset[tuple[str, str]]]]  # a machine's, each as the packages that it was asked for


@dataclass(frozen=True)
class Outcome:
    """The last word of ``history/releases/command.py`` on a release. ``origin``: its numbers; None where it has none."""

    line: Mapping[str, Any]
    commit: Commit
    origin: Origin | None

    @property
    def release(self) -> str:
        return str(self.line["release"])

    @property
    def is_ok(self) -> bool:
        return self.line["status"] == OK and self.origin is not None

    @property
    def package(self) -> str:
        """By which pip knows the compiler: what is asked for last, so that it meets what it needs."""
        requirements = self.line["requirements"]
        return str(self.line.get("package") or next(reversed(requirements), self.line["compiler"]))

    @property
    def times(self) -> tuple[str, str]:
        """When it began and ended; ISO."""
        return str(self.line.get("began") or self.line.get("at") or ""), str(self.line.get("at") or "")


class Ladder:
    """Of each machine and compiler the newest outcome of each release: of the newest commit, there the last."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._found: dict[tuple[Machine, str], dict[str, Outcome]] = {}
        self._machines: dict[str, Machine] = {}  # by the directory of their results

    def add(self, origin: Origin) -> None:
        """Take what the processes of a result's environment said of it as a release, if it is one."""
        self._machines[PurePosixPath(origin.result.file).parent.name] = origin.result.machine
        if line := origin.records.outcome:
            self._keep(origin.result.machine, Outcome(line, origin.commit, origin))

    def add_failures(self, results: Path, unread: list[Unread]) -> None:
        """Take releases that left no result at all, from the records that are beside none."""
        for path in sorted(results.rglob(f"*{records.SUFFIX}")):
            if path.with_name(path.name.removesuffix(records.SUFFIX) + ".json").exists():
                continue
            machine = self._machines.get(path.parent.name)
            line = records.read(results, _result_of(path, results), unread).outcome
            if machine and line:
                self._keep(machine, Outcome(line, self._history.commit(str(line["commit"]), 0.0), None))

    def compilers(self) -> Iterator[tuple[Machine, str, list[Outcome]]]:
        """By machine and compiler, releases in version order."""
        for (machine, compiler), found in sorted(self._found.items()):
            yield machine, compiler, sorted(found.values(), key=lambda outcome: (_version(outcome.release), outcome.release))

    def environments(self) -> Environments:
        """What each release's environment was asked for, by machine: they are told from those of commits by it."""
        return {
            (machine, frozenset((str(name), str(version)) for name, version in outcome.line["requirements"].items()))
            for (machine, _), found in self._found.items()
            for outcome in found.values()
        }

    def _keep(self, machine: Machine, outcome: Outcome) -> None:
        line = outcome.line
        if not all(key in line for key in NEEDED) or not isinstance(line["requirements"], dict):
            return
        if line["status"] == records.BEGUN:
            return
        here = self._found.setdefault((machine, str(line["compiler"])), {})
        known = here.get(outcome.release)
        if known is None or (known.commit.place, known.times[1]) <= (outcome.commit.place, outcome.times[1]):
            here[outcome.release] = outcome


def watched(origins: Iterable[Origin], add: Callable[[Origin], None]) -> Iterator[Origin]:
    """The origins, each of which ``add`` is given on its way."""
    for origin in origins:
        add(origin)
        yield origin


def turns(results: Path) -> dict[str, list[dict[str, Any]]]:
    """The reference release's lines, in the order of their times, by the directory of their machine; each once, though it be
    in a data set and in one's own results. What is no such line is passed over: an unknown drift is not divided out, and the
    page says so."""
    found: dict[str, list[str]] = {}
    for path in sorted(results.rglob(DRIFT)):
        found.setdefault(path.parent.name, []).extend(path.read_text(encoding="utf-8", errors="replace").split("\n"))
    told = {directory: filter(None, map(_line, dict.fromkeys(texts))) for directory, texts in found.items()}
    return {directory: sorted(lines, key=lambda line: str(line["at"])) for directory, lines in told.items()}


def _line(text: str) -> dict[str, Any] | None:
    try:
        line = json.loads(text)
        is_turn = line["said"] == "reference" and isinstance(line["cells"], dict) and line["compiler"] and line["at"]
    except (ValueError, KeyError, TypeError):
        return None
    return line if is_turn else None


def _result_of(path: Path, results: Path) -> str:
    return path.relative_to(results).as_posix().removesuffix(records.SUFFIX) + ".json"


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0.dev0")
