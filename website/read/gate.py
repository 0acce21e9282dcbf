"""How often the gate is wrong, from the files ``gate.jsonl`` beside machines' results. A line is one of the ``groups`` that
``python -m gate calibrate --json FILE`` writes, copied there by hand.

A line belongs to one machine and one set of rules (docs/gate.md). A line that cannot be read is left out and named.
"""

from collections.abc import Iterator

import msgspec

from history.store import lines
from history.store.lines import NotNegative, Places, Row
from history.store.results import Unread
from website.schema.index import GateGroup

FILE = "gate.jsonl"


def groups(results: Places, unread: list[Unread]) -> list[GateGroup]:
    """Return the lines of all machines, newest first; ``unread`` gets what could not be read."""
    rows = lines.read(results, FILE, "gate calibrate", _group, unread)
    return sorted(rows, key=lambda row: row["until"], reverse=True)


def _group(line: Row) -> GateGroup:
    """Return a line as pages need it. Raises ValueError, KeyError or TypeError if it is invalid."""
    seconds = msgspec.convert(line["seconds"], dict[str, NotNegative])
    minutes = {"minutes": seconds["median"] / 60, "most_minutes": seconds["most"] / 60}
    return msgspec.convert({"kernels": [], **line, **minutes, "rates": list(_rates(line))}, GateGroup)


def _rates(line: Row) -> Iterator[Row]:
    """Yield a row for each change made to HEAD and each step of the gate that should see it: how often the step did."""
    nothing: Row = {"done": "nothing", "slower": None}
    yield {**line["false_alarms"], **nothing, "by": "false alarms"}
    yield {**line["undecided"], **nothing, "by": "measured too little"}
    for row in line["power"]:
        slower = msgspec.convert(row["slower"], NotNegative)
        for by in ("suspected", "believed"):
            yield {**row[by], "done": "slower", "slower": slower, "by": by}
    for row in line["others"]:
        yield {**row["found"], "done": row["kind"], "slower": None, "by": "believed"}
