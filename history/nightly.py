"""make nightly: measure everything of HEAD, and HEAD in turn with the anchor, once a machine.

``make bench FULL=1`` takes a skipped case for one that is still to be measured, because asv writes the same for both, and so
would begin anew each night. When a night ends well, a line in ``nights.jsonl`` beside the machine's results says so, and the
commit is left alone from then on. After a night that was stopped, or had failures, the next one measures what is left.
"""

import datetime
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from asv.config import Config

from history.bench import machine

NIGHTS = "nights.jsonl"
INTERRUPTED = 130


def measure_everything() -> int:
    """Run ``make bench FULL=1`` and ``make history``; return the larger exit status."""
    commands = ["history.bench", "--full"], ["history.commits.command"]
    try:
        return max(subprocess.run([sys.executable, "-m", *command]).returncode for command in commands)
    except KeyboardInterrupt:
        return INTERRUPTED


def main(measure: Callable[[], int] = measure_everything) -> int:
    """Return the exit status of ``measure``; 0 where this machine has measured HEAD before."""
    here = machine()
    nights = Path(Config.load("asv.conf.json").results_dir, here, NIGHTS)
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    lines = nights.read_text(encoding="utf-8").splitlines() if nights.exists() else []
    if head in {json.loads(line)["commit"] for line in lines}:
        print(f"{head[:8]} has been measured on {here}; make bench FULL=1 AGAIN=1 does so anew")
        return 0
    status = measure()
    if status == 0:
        at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        nights.parent.mkdir(parents=True, exist_ok=True)
        with nights.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"schema": 1, "said": "night", "commit": head, "at": at}) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
