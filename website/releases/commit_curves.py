"""A case's values from commit to commit, which pages show beside its values from release to release."""

from collections.abc import Iterable

from website.read import changes, points
from website.read.benchmarks import BenchmarkCase, Find
from website.read.commits import Commit
from website.read.names import directory
from website.read.points import Origin
from website.schema.releases import CommitPoint, CommitSeries

MOST = 60  # commits of a curve: the newest that were measured


class CommitCurves:
    """The values of each case by commit of HEAD's history, in the environment with the most values. Of a commit's two values
    the later one counts. Environments of releases are left out.
    """

    def __init__(self, origins: Iterable[Origin], find: Find) -> None:
        self._values: dict[tuple[str, BenchmarkCase], dict[str, dict[Commit, tuple[float, float]]]] = {}  # (begin, value)
        for origin in origins:
            if origin.commit.is_in_head and not origin.release:
                machine = directory(origin.result.machine)
                for point in (each for each in points.points(origin, find) if each.is_number):
                    environments = self._values.setdefault((machine, point.case), {})
                    values = environments.setdefault(origin.result.environment, {})
                    mine = point.measured.started, point.value or 0.0
                    values[origin.commit] = max(mine, values.get(origin.commit, mine))

    def of(self, machine: str, case: BenchmarkCase) -> CommitSeries | None:
        """Return the curve of a case, oldest commit first; None without a value. machine: its directory."""
        longest = max(self._values.get((machine, case), {}).values(), key=len, default=None)
        if longest is None:
            return None
        newest = sorted(longest, key=lambda commit: commit.place)[-MOST:]
        values = [_point(order, commit, longest[commit][1] / case.calls) for order, commit in enumerate(newest)]
        return {**changes.case_fields(case), "points": values}


def _point(order: int, commit: Commit, value: float) -> CommitPoint:
    row = commit.row()
    return {"order": order, "commit": row["short"], "date": row["date"], "subject": row["subject"], "value": value}
