"""Published points that were measured more than once: ``python -m tools.again`` compares each point of the ladder in
``results/`` with that of the same release, commit and machine in ``.asv/results``, where it was measured at another time,
and with commits of this library that were measured with that release on another day. What came of it is added to
docs/rows/again.json, which `python tools/findings.py` draws.

Times of the ladder are divided by the machine's drift, as on the page; a commit's are as measured, because it has no
reference beside it. A time is the same where the quartiles of its samples meet those that are published; a count or an error
where it is equal. Stages have one sample and no quartiles: they are left out.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from asv.config import Config

from tools import site
from website import commits, figures, points, reading, rows
from website.catalogue import Benchmark
from website.commits import History
from website.environments import Environments
from website.ladder import listed, outcomes, series
from website.points import Origin, finder

ROWS = Path("docs/rows/again.json")
DONE, NOTHING = 0, 2
DIGITS = 4
DAY = len("2026-11-22")
Row = dict[str, Any]
Key = tuple[str, str, str, str]  # machine, compiler, release, commit
Cell = tuple[str, str, int, str]  # kernel, backend, size, figure
Found = tuple[str, dict[Cell, Row]]  # when, and what


def main() -> int:
    """Write the rows; 2 where no published point was measured twice."""
    with tempfile.TemporaryDirectory() as directory:
        find = finder(site.discovered(Path(directory)))
    own = Path(Config.load("asv.conf.json").results_dir)
    found = [*compared(site.SEED, own, find), *beside_commits(site.SEED, find)]
    if not found:
        print("nothing was measured twice: `make releases ... AGAIN=1` does it, at the point's commit", file=sys.stderr)
        return NOTHING
    known = json.loads(ROWS.read_text()) if ROWS.exists() else []
    told = {(row["machine"], row["compiler"], row["release"], row["again"]): row for row in [*known, *found]}
    ROWS.write_text("[\n" + ",\n".join(json.dumps(told[key]) for key in sorted(told)) + "\n]\n")
    for row in found:
        same, equal = f"{row['same']} of {row['times']} times", f"{row['equal']} of {row['exact']} exact figures"
        print(f"{row['compiler']} {row['release']}, {row['again']}: {same} and {equal} are the same")
    return DONE


def compared(published: Path, own: Path, find: Callable[[str], Benchmark]) -> Iterator[Row]:
    """A row for each release that both have, measured at different times. published, own: directories of asv's results."""
    before, after = _ladders([published, own], find)
    for key in sorted(before.keys() & after.keys()):
        (first, old), (again, new) = before[key][1], after[key][1]
        if first != again:
            yield {**_named(key), "first": first, "again": again, "by": "the ladder", **judged(old, new)}


def beside_commits(published: Path, find: Callable[[str], Benchmark]) -> Iterator[Row]:
    """A row for each release that a commit was measured with on another day than the ladder had it, the kernels' own code
    being the same at both commits."""
    history = commits.read(Path())
    (ladder,) = _ladders([published], find)
    for origin in reading.origins(published, history, Environments(), [], find):
        if origin.release:
            continue
        for key, (package, (first, old)) in sorted(ladder.items()):
            again, new = _of_commit(origin, find, {cell[1] for cell in old})
            asked = (origin.result.machine[0], origin.result.requirements.get(package)) == (key[0], key[2])
            comparable = asked and again[:DAY] != first[:DAY] and _same_kernels(origin.commit.hash, key[-1])
            if comparable and (told := judged(old, new))["times"]:
                yield {**_named(key), "first": first, "again": again, "by": origin.commit.hash[:7], **told}


def judged(old: Mapping[Cell, Row], new: Mapping[Cell, Row]) -> Row:
    """How many of the figures of both are the same, the median of new time over old, and the times that are not."""
    both = [(cell, old[cell], new[cell]) for cell in sorted(old.keys() & new.keys())]
    timed = [pair for pair in both if not pair[1]["exact"]]
    exact = [pair for pair in both if pair[1]["exact"]]
    apart = [(cell, after["value"] / before["value"]) for cell, before, after in timed if not _meet(before, after)]
    ratios = [after["value"] / before["value"] for _, before, after in timed]
    other = [list(cell) for cell, before, after in exact if before["value"] != after["value"]]
    return {
        "times": len(timed),
        "same": len(timed) - len(apart),
        "exact": len(exact),
        "equal": len(exact) - len(other),
        "median": _rounded(statistics.median(ratios)) if ratios else None,
        "apart": [[*cell, _rounded(ratio)] for cell, ratio in apart],
        "unequal": other,
    }


def _ladders(directories: list[Path], find: Callable[[str], Benchmark]) -> Iterator[dict[Key, tuple[str, Found]]]:
    """By directory, the releases in it, each with its package. All share all turns of the reference."""
    turns: dict[str, list[Row]] = {}
    for results in directories:
        for machine, lines in outcomes.turns(results).items():
            known = turns.setdefault(machine, [])
            known += [line for line in lines if line not in known]
    history: History = commits.read(Path())
    for results in directories:
        yield dict(_releases(listed.ladders(results, history, find, turns)))


def _releases(ladders: Iterator[tuple[str, Row, dict[str, Row]]]) -> Iterator[tuple[Key, tuple[str, Found]]]:
    for machine, content, kernels in ladders:
        for release in content["releases"]:
            if release["status"] == "ok":
                commit = content["sources"][release["source"]]["commit"]
                key = (machine, content["compiler"], release["release"], commit)
                yield key, (content["package"], (release["measured"], dict(_of_release(kernels, release["order"]))))


def _of_release(kernels: Mapping[str, Row], order: int) -> Iterator[tuple[Cell, Row]]:
    for kernel, told in kernels.items():
        for one in told["series"]:
            for point in one["points"]:
                if point["order"] == order:
                    cell = (kernel, one["backend"], one["size"], one["figure"])
                    yield from _kept(cell, point, one["exact"] or one["group"] == "accuracy")


def _of_commit(origin: Origin, find: Callable[[str], Benchmark], backends: set[str]) -> Found:
    """A commit's figures on those backends, and when the first of them was measured."""
    found: dict[Cell, Row] = {}
    for point in points.of(origin, find):
        told = figures.name(point.benchmark, point.cell)
        if point.is_number and told.backend in backends:
            exact = point.benchmark.exact or series.GROUPS.get(point.benchmark.group) == "accuracy"
            figure = rows.figure(point, told.calls, rows.Sources())
            found.update(_kept((point.benchmark.kernel, told.backend, told.size or 0, told.figure), figure, exact))
    return min((str(figure["measured"]) for figure in found.values()), default=""), found


def _same_kernels(commit: str, other: str) -> bool:
    command = ["git", "diff", "--quiet", commit, other, "--", "jitkernels/kernels"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def _kept(cell: Cell, figure: Row, exact: bool) -> Iterator[tuple[Cell, Row]]:
    if exact or figure["low"] is not None:
        yield cell, {**figure, "exact": exact}


def _named(key: Key) -> Row:
    return dict(zip(("machine", "compiler", "release", "commit"), key, strict=True))


def _meet(before: Row, after: Row) -> bool:
    return bool(before["low"] <= after["high"] and after["low"] <= before["high"])


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


if __name__ == "__main__":
    sys.exit(main())
