"""The outcome of each release on each machine, and the result that holds its numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from history.store import records
from history.store.records import ReleaseLine
from history.store.release_lines import ReleaseDuetLine, ends
from history.store.results import Unread
from website.read import points
from website.read.benchmarks import Find
from website.read.commits import Commit, History
from website.read.names import Machine
from website.read.points import Origin, Point, parse_version


@dataclass(frozen=True)
class Outcome:
    """The last line that ``make releases`` wrote about a release, or the same fields from its newest duet.

    ``origin``: asv's numbers, None without any. ``is_in_duets``: True if only duets have its numbers.
    """

    line: ReleaseLine
    commit: Commit
    origin: Origin | None
    is_in_duets: bool = False

    @property
    def release(self) -> str:
        return self.line["release"]

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
        at = self.line.get("at", "")
        return self.line.get("began", at), at


class Ladder:
    """The newest outcome of each release, by machine and compiler: the last outcome of the newest commit; and all duets."""

    def __init__(self, origins: Iterable[Origin], history: History) -> None:
        """origins: those of releases count."""
        self._history = history
        self._outcomes: dict[tuple[Machine, str], dict[str, Outcome]] = {}
        self.duets: dict[tuple[Machine, str], list[ReleaseDuetLine]] = {}  # by machine and compiler, oldest first
        for origin in origins:
            if line := origin.records.outcome:
                self._add(origin.result.machine, Outcome(line, origin.commit, origin))

    def add_failures(self, places: Iterable[Path], unread: list[Unread]) -> None:
        """Add releases without a result: those of records that have no result beside them, in their machine's directory."""
        for path in (path for place in places for path in sorted(place.rglob(f"*{records.SUFFIX}"))):
            result = path.with_name(path.name.removesuffix(records.SUFFIX) + ".json")
            line = None if result.exists() else records.read(result, unread).outcome
            if line:
                self._add(path.parent.name, Outcome(line, self._history.commit(line["commit"]), None))

    def add_duets(self, lines: Sequence[ReleaseDuetLine]) -> None:
        """Add duets, oldest first, and the releases that only they have measured, each from its newest line. That line
        replaces an older outcome without numbers."""
        for line in lines:
            key = line["machine"], line["compiler"]
            self.duets.setdefault(key, []).append(line)
            here = self._outcomes.setdefault(key, {})
            for end in ends(line):
                own: ReleaseLine = {
                    "release": end["release"],
                    "published": end["published"],
                    "requirements": end["requirements"],
                    "compiler": line["compiler"],
                    "package": line["package"],
                    "began": line["began"],
                    "at": line["at"],
                    "status": records.OK,
                    "commit": line["suite"],
                    "environment": "",
                }
                known = here.get(end["release"])
                if known is None or known.is_in_duets or (not known.is_ok and known.times[1] < line["at"]):
                    here[end["release"]] = Outcome(own, self._history.commit(line["suite"]), None, is_in_duets=True)

    def compilers(self) -> Iterator[tuple[Machine, str, list[Outcome]]]:
        """Yield each machine and compiler with its releases, in version order."""
        for (machine, compiler), outcomes in sorted(self._outcomes.items()):
            yield machine, compiler, sorted(outcomes.values(), key=lambda each: (parse_version(each.release), each.release))

    def _add(self, machine: Machine, outcome: Outcome) -> None:
        if outcome.line["status"] == records.BEGUN:
            return
        here = self._outcomes.setdefault((machine, outcome.line["compiler"]), {})
        known = here.get(outcome.release)
        if known is None or (known.commit.place, known.times[1]) <= (outcome.commit.place, outcome.times[1]):
            here[outcome.release] = outcome
