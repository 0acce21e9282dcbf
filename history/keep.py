"""make keep: put what was measured here into ``results/``, the data set that comes with the repository.

Copies asv's results of this machine, the records beside them, the releases' outcomes and the machine's drift. Samples are
kept to six digits, which is more than any clock has; profiles are left out, and asv's list of benchmarks, which ``make
site`` makes of the suite. That shows a data set beside one's own results, so nothing here changes what a page shows.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asv.config import Config

from history.store import clean, records
from website.releases.outcomes import DRIFT

KEPT = Path("results")
MOST_BYTES = 5_000_000  # of the data set, with all that is in it
DIGITS = 6
DONE, REFUSED = 0, 2


def main() -> int:
    """Keep, and say how large the data set is; 2 where it would be too large, or there is nothing to keep."""
    parser = argparse.ArgumentParser(description="keep what was measured here in results/")
    parser.add_argument("--commit", action="append", metavar="HASH", help="of this commit alone; repeat for several")
    options = parser.parse_args()
    conf = Config.load("asv.conf.json")
    records.gather_own(Path(conf.results_dir))  # what measuring processes said of themselves is part of what they measured
    own = Path(conf.results_dir)
    found = dict(contents(own, tuple(options.commit or ())))
    if not found:
        print(f"there is nothing to keep in {own}: make bench, or make releases, measures", file=sys.stderr)
        return REFUSED
    others = sum(path.stat().st_size for path in KEPT.rglob("*") if path.is_file() and path.relative_to(KEPT) not in found)
    size = others + sum(len(text.encode()) for text in found.values())
    if size > MOST_BYTES:
        print(f"results/ would have {size:,} bytes, and {MOST_BYTES:,} is the most: name commits to keep", file=sys.stderr)
        return REFUSED
    for name, text in found.items():
        (KEPT / name).parent.mkdir(parents=True, exist_ok=True)
        (KEPT / name).write_text(text, encoding="utf-8")
    print(f"{len(found)} files kept; results/ has {size:,} of {MOST_BYTES:,} bytes")
    return DONE


def contents(own: Path, commits: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """What to keep: names below ``results/``, and texts. commits: the beginnings of hashes; none for all."""
    for path in sorted(own.glob("*/*")):
        name = path.relative_to(own)
        if path.name == clean.MACHINE:
            yield name, path.read_text(encoding="utf-8")
        elif path.name == DRIFT:
            yield name, joined(KEPT / name, path)
        elif commits and not path.name.startswith(tuple(commit[:8] for commit in commits)):
            continue
        elif path.name.endswith(records.SUFFIX):
            yield name, joined(KEPT / name, path)
        elif path.suffix == ".json":
            yield name, shortened(json.loads(path.read_text(encoding="utf-8")))


def shortened(result: dict[str, Any]) -> str:
    """A file of results without needless digits; asv's values themselves, which are compared exactly, stay."""
    columns = result["result_columns"]
    rows = {name: [_column(*pair) for pair in zip(columns, row, strict=False)] for name, row in result["results"].items()}
    return json.dumps({**result, "results": rows}, separators=(",", ":")) + "\n"


def joined(kept: Path, own: Path) -> str:
    """The lines of both, each once, those that were kept first."""
    texts = [path.read_text(encoding="utf-8") for path in (kept, own) if path.exists()]
    return "".join(f"{line}\n" for line in dict.fromkeys("\n".join(texts).split("\n")) if line)


def _column(name: str, column: Any) -> Any:
    if name == "profile":
        return None
    if name == "samples" or name.startswith("stats_"):
        return _rounded(column)
    return column


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.{DIGITS}g}")
    return value


if __name__ == "__main__":
    sys.exit(main())
