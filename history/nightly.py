"""make nightly: measure everything of HEAD, and HEAD in turn with the anchor, once a machine.

``make bench FULL=1`` takes a skipped case for one that is still to be measured, because asv writes the same for both, and so
would begin anew each night. When a night ends well, a line in ``nights.jsonl`` beside the machine's results says so, and the
commit is left alone from then on. After a night that was stopped, or had failures, the next one measures what is left.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from duet.git import commit
from history.errors import INTERRUPTED
from history.store import records
from history.store.results import RESULTS
from jitkernels.machine import identity

NIGHTS = "nights.jsonl"


def measure_everything() -> int:
    """Run ``make bench FULL=1`` and ``make history``; return the larger exit status."""
    commands = ["history.bench", "--full"], ["history.commits.command"]
    try:
        return max(subprocess.run([sys.executable, "-m", *command]).returncode for command in commands)
    except KeyboardInterrupt:
        return INTERRUPTED


def main(measure: Callable[[], int] = measure_everything) -> int:
    """Return the exit status of ``measure``; 0 where this machine has measured HEAD before."""
    here = identity()
    nights = RESULTS / here / NIGHTS
    head = commit(Path())
    if head in {line["commit"] for line in records.lines(nights)}:
        print(f"{head[:8]} has been measured on {here}; make bench FULL=1 AGAIN=1 does so anew")
        return 0
    status = measure()
    if status == 0:
        records.append(nights, "night", {"commit": head})
    return status


if __name__ == "__main__":
    argparse.ArgumentParser(description="measure everything of HEAD, once a machine").parse_args()
    sys.exit(main())
