"""The tables of calibration in docs/gate.md, drawn from the runs in docs/rows/calibration.jsonl: ``python
tools/calibration.py`` writes them anew. A line there is a line of ``python -m gate calibrate``'s file."""

import sys
from pathlib import Path

from gate import evidence
from gate.calibration import stored

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- calibration -->\n", "\n<!-- end -->"


def main() -> int:
    page = DOCS / "gate.md"
    page.write_text(filled(page.read_text()))
    return 0


def filled(text: str) -> str:
    """``text`` with a table for each machine and set of rules that there are runs of."""
    groups = evidence.groups(stored(DOCS / "rows" / "calibration.jsonl"))
    tables = "\n\n".join(evidence.text(evidence.summary(group)) for group in groups)
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{tables or 'No run yet.'}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    sys.exit(main())
