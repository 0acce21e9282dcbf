"""make nightly: everything of HEAD, once a machine.

``make bench FULL=1`` takes a skipped cell for one that is still to be measured, because asv writes the same for both, and so
would begin anew each night. When it ends well, a line in ``nights.jsonl`` beside the machine's results says so, and the
commit is left alone from then on. After a night that was stopped, or had failures, the next one measures what is left.
"""

import datetime
import json
import subprocess
import sys
from pathlib import Path

from asv.config import Config

from history.bench import machine

NIGHTS = "nights.jsonl"
BENCH = ["-m", "history.bench", "--full"]
INTERRUPTED = 130


def main() -> int:
    """The exit status of ``make bench FULL=1``; 0 where that has nothing to do."""
    here = machine()
    nights = Path(Config.load("asv.conf.json").results_dir, here, NIGHTS)
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    if head in measured(nights):
        print(f"{head[:8]} has been measured on {here}; make bench FULL=1 AGAIN=1 does so anew")
        return 0
    try:
        status = subprocess.run([sys.executable, *BENCH]).returncode
    except KeyboardInterrupt:
        return INTERRUPTED
    if status == 0:
        tell(nights, head)
    return status


def measured(nights: Path) -> set[str]:
    """Commits whose night ended well."""
    lines = nights.read_text(encoding="utf-8").splitlines() if nights.exists() else []
    return {json.loads(line)["commit"] for line in lines}


def tell(nights: Path, commit: str) -> None:
    at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    nights.parent.mkdir(parents=True, exist_ok=True)
    with nights.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"schema": 1, "said": "night", "commit": commit, "at": at}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
