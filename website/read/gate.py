"""How often the gate is wrong: ``gate.jsonl`` beside a machine's results, which calibration writes.

A line belongs to one machine and one set of rules (docs/gate.md). A line that cannot be read is left out and named.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from history.store import lines
from history.store.results import Unread
from website.schema.index import GateGroup, Noise, Rate

FILE = "gate.jsonl"
SCHEMA = 1  # of a line
Line = dict[str, Any]


def groups(results: Path, unread: list[Unread]) -> list[GateGroup]:
    """Return the lines of all machines, newest first; ``unread`` gets what could not be read."""
    rows = lines.read(results, FILE, "gate calibrate", _group, unread)
    return sorted(rows, key=lambda row: row["until"], reverse=True)


def _group(line: Line) -> GateGroup:
    if line["schema"] != SCHEMA:
        raise ValueError(f"schema {line['schema']!r:.20}")
    return {
        "machine": str(line["machine"]),
        "processor": str(line["processor"]),
        "cores": _count(line["cores"]),
        "commits": [str(commit) for commit in line["commits"]],
        "since": str(line["since"]),
        "until": str(line["until"]),
        "whole": line["whole"] is True,
        "cells": _count(line["cells"]),
        "runs": _count(line["runs"]),
        "untouched": _count(line["untouched"]),
        "minutes": _number(line["seconds"]["median"]) / 60,
        "most_minutes": _number(line["seconds"]["most"]) / 60,
        "rates": list(_rates(line)),
        "noise": [_noise(row) for row in line["noise"]],
    }


def _noise(row: Line) -> Noise:
    return {
        "cell": str(row["cell"]),
        "seconds": _number(row["seconds"]),
        "spread": _number(row["spread"]),
        "runs": _count(row["runs"]),
        "found": {str(size): _number(share) for size, share in row["found"].items()},
    }


def _rates(line: Line) -> Iterator[Rate]:
    """Yield what was changed in HEAD, which step of the gate should see it, and how often it did."""
    yield _rate("nothing", None, "false alarms", line["false_alarms"])
    yield _rate("nothing", None, "measured too little", line["undecided"])
    for row in line["power"]:
        for by in ("suspected", "believed"):
            yield _rate("slower", _number(row["slower"]), by, row[by])
    for row in line["others"]:
        yield _rate(str(row["kind"]), None, "believed", row["found"])


def _rate(change: str, slower: float | None, by: str, rate: Line) -> Rate:
    hits, of, low, high = _count(rate["hits"]), _count(rate["of"]), _number(rate["low"]), _number(rate["high"])
    return {"done": change, "slower": slower, "by": by, "hits": hits, "of": of, "low": low, "high": high}


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError(f"no finite number of 0 or more: {value!r:.20}")
    return float(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"no count: {value!r:.20}")
    return value
