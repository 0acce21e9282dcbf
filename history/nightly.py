"""make nightly: measure everything of HEAD, and HEAD in turn with the anchor, once a machine.

asv writes the same for a skipped case and for one not measured yet, so ``make bench FULL=1`` alone would run skipped cases
again each night. A night without failures adds a line to ``nights.jsonl`` beside the machine's results; later nights skip
its commit. After a night that was stopped or had failures, the next one measures the rest.
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
from jitkernels import files
from jitkernels.machine import identity

NIGHTS = "nights.jsonl"


def measure_everything() -> int:
    """Run ``make bench FULL=1`` and ``make history``. Return the larger exit status; minus the signal's number if one was
    killed and the other succeeded."""
    commands = ["history.bench", "--full"], ["history.commits.command"]
    try:
        statuses = [subprocess.run([sys.executable, "-m", *command]).returncode for command in commands]
    except KeyboardInterrupt:
        return INTERRUPTED
    return max(statuses) or min(statuses)


def main(measure: Callable[[], int] = measure_everything) -> int:
    """Return the exit status of ``measure``; 0 if this machine has measured HEAD before."""
    here = identity()
    nights = RESULTS / here / NIGHTS
    head = commit(Path())
    if head in {line["commit"] for line in files.lines(nights)}:
        print(f"{head[:8]} has been measured on {here}; make bench FULL=1 AGAIN=1 measures it again")
        return 0
    status = measure()
    if status == 0:
        records.append(nights, "night", {"commit": head})
    return status


if __name__ == "__main__":
    argparse.ArgumentParser(description="measure everything of HEAD, once a machine").parse_args()
    sys.exit(main())
