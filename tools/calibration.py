"""What the runs in docs/rows/calibration.jsonl say, where people read it: ``python tools/calibration.py`` draws the tables
of docs/gate.md anew, and writes their sums beside the machine's results, for the site. A line there is a line of
``python -m gate calibrate``'s file."""

import json
import sys
from pathlib import Path
from typing import Any

from gate import evidence
from gate.calibration import stored

ROOT = Path(__file__).parents[1]
ROWS, PAGE = ROOT / "docs" / "rows" / "calibration.jsonl", ROOT / "docs" / "gate.md"
BEGIN, END = "<!-- calibration -->\n", "\n<!-- end -->"


def main() -> int:
    said = summaries()
    PAGE.write_text(filled(PAGE.read_text(), said))
    for file, text in sums(said).items():
        file.write_text(text)
    return 0


def summaries() -> list[dict[str, Any]]:
    """Of each machine and set of rules that there are runs of."""
    return [evidence.summary(group) for group in evidence.groups(stored(ROWS))]


def filled(text: str, said: list[dict[str, Any]]) -> str:
    """``text`` with a table for each."""
    before, _, rest = text.partition(BEGIN)
    tables = "\n\n".join(map(evidence.text, said))
    return f"{before}{BEGIN}{tables or 'No run yet.'}{END}{rest.partition(END)[2]}"


def sums(said: list[dict[str, Any]]) -> dict[Path, str]:
    """What each machine's file holds: a line each."""
    machines = dict.fromkeys(summary["machine"] for summary in said)
    return {
        ROOT / "results" / machine / "gate.jsonl": "".join(
            json.dumps(summary, allow_nan=False) + "\n" for summary in said if summary["machine"] == machine
        )
        for machine in machines
    }


if __name__ == "__main__":
    sys.exit(main())
