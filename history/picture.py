"""make picture: the rows of README's picture, from one run of ``make ranking KERNEL=philox_pi``.

Writes docs/philox_pi.json, which ``jitkernels chart`` draws, and prints the rankings: the figures that README cites.
"""

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from history.store import rankings
from history.store.lines import of_this_machine
from history.store.rankings import Line

KERNEL = "philox_pi"
ROWS = Path("docs") / f"{KERNEL}.json"


def main() -> int:
    """Write the rows of the run with most sizes (the newest if several). Return 1 without a run, 2 if it has one size."""
    run = largest_run(line for line in of_this_machine(rankings.read) if line["kernel"] == KERNEL)
    if not run:
        print(f"there is no run on this machine: use make ranking KERNEL={KERNEL}", file=sys.stderr)
        return 1
    if len(run) == 1:
        print(
            f"the run of {run[0]['began']} has one size, but a picture needs several: use make ranking KERNEL={KERNEL}",
            file=sys.stderr,
        )
        return 2
    ROWS.write_text(json.dumps(list(rows(run)), indent=1) + "\n", encoding="utf-8")
    print(f"commit {run[0]['commit']}, {run[0]['processor']}, {run[0]['cores']} cores, {run[0]['began']}")
    print(*map(rankings.in_words, run), sep="\n")
    return 0


def largest_run(lines: Iterable[Line]) -> list[Line]:
    """Return the lines of the run with most sizes (the newest if several), with the backends' own numbers of threads."""
    runs: dict[str, dict[int, Line]] = defaultdict(dict)
    for line in lines:
        if line["threads"] is None:
            runs[line["began"]][line["size"]] = line
    best = max(runs, key=lambda began: (len(runs[began]), began), default="")
    return [line for _, line in sorted(runs[best].items())]


def rows(run: Iterable[Line]) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``jitkernels chart``, one for each backend and size."""
    for line in run:
        for backend, cell in line["cells"].items():
            yield {
                **{name: line[name] for name in ("kernel", "size", "commit", "processor", "began")},
                "backend": backend,
                "status": "ok",
                "device": "cpu",
                "threads": cell["threads"],
                "warm_seconds": statistics.median(cell["seconds"]),
                "warm_quartiles": [min(cell["seconds"]), max(cell["seconds"])],
                "warm_samples": len(cell["seconds"]),
                "settled": cell["settled"],
            }


if __name__ == "__main__":
    argparse.ArgumentParser(description=f"write {ROWS} from this machine's run of make ranking with most sizes").parse_args()
    sys.exit(main())
