"""Published points that were measured again: ``python -m tools.again`` compares each point of ``.asv/results`` with that of
the same release, commit and machine in ``results/``, where it was measured at another time, and adds what came of it to
docs/rows/again.json, which `python tools/findings.py` draws.

Times are divided by the machine's drift on both sides, as on the page. A time is the same again where the quartiles of its
samples meet those that are published; a count or an error where it is equal. Stages have one sample and no quartiles: they
are left out.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from asv.config import Config

from tools import site
from website import commits
from website.ladder import listed, outcomes
from website.points import finder

ROWS = Path("docs/rows/again.json")
DONE, NOTHING = 0, 2
DIGITS = 4
Row = dict[str, Any]
Key = tuple[str, str, str, str]  # machine, compiler, release, commit
Cell = tuple[str, str, int, str]  # kernel, backend, size, figure


def main() -> int:
    """Write the rows; 2 where no published point was measured again."""
    found = list(compared(site.SEED, Path(Config.load("asv.conf.json").results_dir)))
    if not found:
        print("nothing was measured again: `make releases ... AGAIN=1` does it, at the point's commit", file=sys.stderr)
        return NOTHING
    known = json.loads(ROWS.read_text()) if ROWS.exists() else []
    rows = {(row["machine"], row["compiler"], row["release"], row["again"]): row for row in [*known, *found]}
    ROWS.write_text("[\n" + ",\n".join(json.dumps(rows[key]) for key in sorted(rows)) + "\n]\n")
    for row in found:
        same, equal = f"{row['same']} of {row['times']} times", f"{row['equal']} of {row['exact']} exact figures"
        print(f"{row['compiler']} {row['release']}: {same} and {equal} are the same")
    return DONE


def compared(published: Path, own: Path) -> Iterator[Row]:
    """A row for each release that both have, measured at different times. published, own: directories of asv's results."""
    before, after = points(published, own)
    for key in sorted(before.keys() & after.keys()):
        (first, old), (again, new) = before[key], after[key]
        if first != again:
            told = dict(zip(("machine", "compiler", "release", "commit"), key, strict=True))
            yield {**told, "first": first, "again": again, **judged(old, new)}


def points(*directories: Path) -> Iterator[dict[Key, tuple[str, dict[Cell, Row]]]]:
    """By directory, the releases in it: when each was measured, and its figures. All share all turns of the reference."""
    with tempfile.TemporaryDirectory() as directory:
        find = finder(site.discovered(Path(directory)))
    turns: dict[str, list[Row]] = {}
    for results in directories:
        for machine, lines in outcomes.turns(results).items():
            known = turns.setdefault(machine, [])
            known += [line for line in lines if line not in known]
    history = commits.read(Path())
    for results in directories:
        yield dict(_points(listed.ladders(results, history, find, turns)))


def judged(old: Mapping[Cell, Row], new: Mapping[Cell, Row]) -> Row:
    """How many of the figures of both are the same again, the median of new time over old, and the times that are not."""
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


def _points(ladders: Iterator[tuple[str, Row, dict[str, Row]]]) -> Iterator[tuple[Key, tuple[str, dict[Cell, Row]]]]:
    for machine, content, kernels in ladders:
        for release in content["releases"]:
            if release["status"] == "ok":
                commit = content["sources"][release["source"]]["commit"]
                key = (machine, content["compiler"], release["release"], commit)
                yield key, (release["measured"], dict(_figures(kernels, release["order"])))


def _figures(kernels: Mapping[str, Row], order: int) -> Iterator[tuple[Cell, Row]]:
    for kernel, told in kernels.items():
        for series in told["series"]:
            for point in series["points"]:
                exact = series["exact"] or series["group"] == "accuracy"
                if point["order"] == order and (exact or point["low"] is not None):
                    yield (kernel, series["backend"], series["size"], series["figure"]), {**point, "exact": exact}


def _meet(before: Row, after: Row) -> bool:
    return bool(before["low"] <= after["high"] and after["low"] <= before["high"])


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


if __name__ == "__main__":
    sys.exit(main())
