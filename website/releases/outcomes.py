"""The outcome of each release on each machine, and the result that holds its numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from history.store import clean, records
from history.store.release_lines import ReleaseDuetLine, ends
from history.store.results import Unread
from website.read import points
from website.read.benchmarks import Find
from website.read.commits import Commit, History
from website.read.names import Machine
from website.read.points import Origin, Point, parse_version

FIELDS = ("compiler", "package", "release", "status", "commit", "environment", "requirements")


@dataclass(frozen=True)
class Outcome:
    """The last line that ``make releases`` wrote about a release, or the same fields from its newest duet.

    ``origin``: asv's numbers, None without any. ``is_in_duets``: True if only duets have its numbers.
    """

    line: Mapping[str, Any]
    commit: Commit
    origin: Origin | None
    is_in_duets: bool = False

    @property
    def release(self) -> str:
        return str(self.line["release"])

    @property
    def is_ok(self) -> bool:
        return self.line["status"] == records.OK and (self.origin is not None or self.is_in_duets)

    def points(self, find: Find) -> Iterator[Point]:
        """Yield asv's benchmark cases; none if the release failed."""
        if self.is_ok and self.origin:
            yield from points.points(self.origin, find)

    @property
    def times(self) -> tuple[str, str]:
        """Its start and its end, in ISO."""
        return str(self.line.get("began") or self.line.get("at") or ""), str(self.line.get("at") or "")


class Ladder:
    """The newest outcome of each release, by machine and compiler: the last outcome of the newest commit; and all duets."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._outcomes: dict[tuple[Machine, str], dict[str, Outcome]] = {}
        self.duets: dict[tuple[Machine, str], list[ReleaseDuetLine]] = {}  # by machine and compiler, oldest first

    def add(self, origin: Origin, unread: list[Unread]) -> None:
        """Add a result's outcome, if its environment belongs to a release. ``unread`` gets an outcome that lacks a field."""
        line, file = origin.records.outcome, origin.result.file
        if line and _is_complete(line, file, unread):
            self._add(origin.result.machine, Outcome(line, origin.commit, origin))

    def add_failures(self, results: Path, unread: list[Unread]) -> None:
        """Add releases without a result: those of records that have no result beside them, in their machine's directory."""
        for root in clean.parts(results):
            for path in sorted(root.rglob(f"*{records.SUFFIX}")):
                result = path.with_name(path.name.removesuffix(records.SUFFIX) + ".json")
                file = result.relative_to(root).as_posix()
                line = None if result.exists() else records.read(root, file, unread).outcome
                if line and _is_complete(line, file, unread):
                    self._add(path.parent.name, Outcome(line, self._history.commit(str(line["commit"])), None))

    def add_duets(self, lines: Sequence[ReleaseDuetLine]) -> None:
        """Add duets, oldest first, and the releases that only they have measured, each from its newest line. That line
        replaces an older outcome without numbers."""
        for line in lines:
            self.duets.setdefault((line["machine"], line["compiler"]), []).append(line)
        for line in sorted(lines, key=lambda line: line["at"], reverse=True):
            here = self._outcomes.setdefault((line["machine"], line["compiler"]), {})
            shared = {key: line[key] for key in ("compiler", "package", "began", "at")}
            for end in ends(line):
                own = {**shared, **end, "status": records.OK, "commit": line["suite"], "environment": ""}
                outcome = Outcome(own, self._history.commit(line["suite"]), None, is_in_duets=True)
                known = here.get(end["release"])
                if known is None or (not known.is_ok and known.times[1] < line["at"]):
                    here[end["release"]] = outcome

    def compilers(self) -> Iterator[tuple[Machine, str, list[Outcome]]]:
        """Yield each machine and compiler with its releases, in version order."""
        for (machine, compiler), outcomes in sorted(self._outcomes.items()):
            yield machine, compiler, sorted(outcomes.values(), key=lambda each: (parse_version(each.release), each.release))

    def _add(self, machine: Machine, outcome: Outcome) -> None:
        if outcome.line["status"] == records.BEGUN:
            return
        here = self._outcomes.setdefault((machine, str(outcome.line["compiler"])), {})
        known = here.get(outcome.release)
        if known is None or (known.commit.place, known.times[1]) <= (outcome.commit.place, outcome.times[1]):
            here[outcome.release] = outcome


def _is_complete(line: Mapping[str, Any], file: str, unread: list[Unread]) -> bool:
    """True if an outcome has all fields; otherwise ``unread`` gets it. file: of the outcome's result."""
    if missing := [key for key in FIELDS if key not in line]:
        reason = f"the outcome of a release lacks {', '.join(missing)}"
        unread.append(Unread(records.beside(Path(file)).as_posix(), reason))
    return not missing
