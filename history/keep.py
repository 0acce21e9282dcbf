"""make keep: copy what was measured here into ``results/``, the data set that comes with the repository.

It copies asv's results, their records, the outcomes of releases, duets, drift and rankings. Nothing in ``results/`` is lost:
lines are added, and of asv's results a benchmark case is replaced by a later number, or by a failure if it had no number.
Statistics are rounded to six digits, more than a clock's precision. Samples and profiles are left out, and so is asv's list
of benchmarks, which ``make site`` makes from the suite. The site shows the data set with the user's own results, so no page
changes.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from history.store import clean, duets, rankings, records, release_lines
from history.store.merge import as_line, merged
from history.store.results import DATA_SET, MACHINE, RESULTS, Unread, UnreadableError, load
from jitkernels import files

MOST_BYTES = 8_000_000  # most bytes of the data set
DIGITS = 6
LEFT_OUT = ("samples", "profile")  # columns of asv's that no page shows
JOINED = (records.DRIFT, duets.FILE, release_lines.DUETS, release_lines.STEPS, rankings.FILE)
"""Files for all commits: kept whole, together with the lines in results/."""
DONE, UNREAD, REFUSED, UNWRITTEN = 0, 1, 2, 3  # exit statuses


def main() -> int:
    """Copy, and print the size of the data set. Return 3 if a file cannot be written, else as ``copy``."""
    parser = argparse.ArgumentParser(description="keep what was measured here in results/")
    parser.add_argument("--commit", action="append", metavar="HASH", help="keep this commit only; repeat for several")
    options = parser.parse_args()
    try:
        return copy(tuple(options.commit or ()))
    except OSError as error:
        print(f"{error}; no file in results/ is damaged: run make keep again", file=sys.stderr)
        return UNWRITTEN


def copy(commits: tuple[str, ...]) -> int:
    """Copy results and records of these commits, or of all. Return 1 if a result cannot be read, so that it was left out; 2
    if the data set would be too large, or there are no such results."""
    if unknown := [commit for commit in commits if not is_stored(RESULTS, commit)]:
        print(f"no result in {RESULTS} is of {', '.join(map(repr, unknown))}", file=sys.stderr)
        return REFUSED
    records.gather_own(RESULTS)
    unread: list[Unread] = []
    texts = dict(contents(RESULTS, commits, unread))
    for each in unread:
        print(f"left out {each.file}: {each.reason}", file=sys.stderr)
    if not texts:
        print(f"there is nothing to keep in {RESULTS}: run make bench or make releases first", file=sys.stderr)
        return REFUSED
    others = [path for path in DATA_SET.rglob("*") if path.is_file() and path.relative_to(DATA_SET) not in texts]
    size = sum(path.stat().st_size for path in others) + sum(len(text.encode()) for text in texts.values())
    if size > MOST_BYTES:
        print(f"results/ would have {size:,} bytes, more than {MOST_BYTES:,}: name commits to keep", file=sys.stderr)
        return REFUSED
    for name, text in texts.items():
        (DATA_SET / name).parent.mkdir(parents=True, exist_ok=True)
        files.write(DATA_SET / name, text.encode())
    print(f"{len(texts)} files kept; results/ has {size:,} of {MOST_BYTES:,} bytes")
    return UNREAD if unread else DONE


def is_stored(results: Path, commit: str) -> bool:
    """True if there are results or records of a commit. commit: its hash, or the beginning of that."""
    return bool(commit) and any(path.name.startswith(commit[:8]) for path in results.glob("*/*-*"))


def contents(results: Path, commits: tuple[str, ...], unread: list[Unread]) -> Iterator[tuple[Path, str]]:
    """Yield the names of the files to keep, below ``results/``, and their texts. commits: prefixes of hashes; () for all.
    ``unread`` gets what cannot be read."""
    for path in sorted(results.glob("*/*")):
        name = path.relative_to(results)
        is_wanted = not commits or path.name.startswith(tuple(commit[:8] for commit in commits))
        try:
            if path.name == MACHINE:
                clean.machine(path)
                yield name, path.read_text(encoding="utf-8")
            elif path.name in JOINED or (is_wanted and path.name.endswith(records.SUFFIX)):
                yield name, records.joined(DATA_SET / name, path)
            elif is_wanted and path.suffix == ".json":
                load(path)
                text, kept = path.read_text(encoding="utf-8"), DATA_SET / name
                if kept.exists():
                    text = merged(path.name, kept.read_text(encoding="utf-8"), text, by_time=True)
                yield name, shorten(json.loads(text))
        except UnreadableError as error:
            unread.append(Unread(path.as_posix(), str(error)))


def shorten(result: dict[str, Any]) -> str:
    """Return the text of a file of results without samples, and with rounded statistics. Values stay exact."""
    columns = result["result_columns"]
    rows = {name: list(map(_column, columns, row)) for name, row in result["results"].items()}
    return as_line({**result, "results": rows}) + "\n"


def _column(name: str, column: Any) -> Any:
    if name in LEFT_OUT:
        return None
    return _rounded(column) if name.startswith("stats_") else column


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) and math.isfinite(value) else value


if __name__ == "__main__":
    sys.exit(main())
