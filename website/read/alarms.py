"""How often the gate is wrong: ``gate.jsonl`` beside a machine's results, as calibration's runs were summed up.

A line is a machine and a set of rules (docs/gate.md); what is none is left out, and named.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from history.store.results import Unread

FILE = "gate.jsonl"
SCHEMA = 1  # of a line
Row = dict[str, Any]


def told(results: Path, lost: list[Unread]) -> list[Row]:
    """The lines of all machines, the newest first. lost: gets what could not be read."""
    rows = []
    for path in sorted(results.rglob(FILE)):  # a copy that is published has its sources' names above the machines'
        name = path.relative_to(results).as_posix()
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            lost.append(Unread(name, "cannot be read, or is no text in UTF-8"))
            continue
        for number, line in enumerate(lines, 1):
            try:
                rows.append(_row(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                lost.append(Unread(name, f"line {number}: not as tools/calibration.py writes it: {error}"))
    return sorted(rows, key=lambda row: row["until"], reverse=True)


def _row(line: Row) -> Row:
    if line["schema"] != SCHEMA:
        raise ValueError(f"schema {line['schema']!r:.20}")
    return {
        "machine": str(line["machine"]), "processor": str(line["processor"]), "cores": _count(line["cores"]),
        "commits": [str(commit) for commit in line["commits"]], "since": str(line["since"]), "until": str(line["until"]),
        "whole": line["whole"] is True, "cells": _count(line["cells"]), "runs": _count(line["runs"]),
        "untouched": _count(line["untouched"]), "minutes": _number(line["seconds"]["median"]) / 60,
        "most_minutes": _number(line["seconds"]["most"]) / 60,
        "rates": list(_rates(line)),
        "noise": [
            {
                "cell": str(row["cell"]), "seconds": _number(row["seconds"]), "spread": _number(row["spread"]),
                "runs": _count(row["runs"]), "found": {str(size): _number(share) for size, share in row["found"].items()},
            }
            for row in line["noise"]
        ],
    }  # fmt: skip


def _rates(line: Row) -> Iterator[Row]:
    """What was done to HEAD, who was to see it, and how often it was seen."""
    yield {"done": "nothing", "slower": None, "by": "false alarms", **_rate(line["false_alarms"])}
    yield {"done": "nothing", "slower": None, "by": "measured too little", **_rate(line["undecided"])}
    for row in line["power"]:
        for by in ("suspected", "believed"):
            yield {"done": "slower", "slower": _number(row["slower"]), "by": by, **_rate(row[by])}
    for row in line["others"]:
        yield {"done": str(row["kind"]), "slower": None, "by": "believed", **_rate(row["found"])}


def _rate(rate: Row) -> Row:
    """Of so many times, with the ends of its interval."""
    counts = {key: _count(rate[key]) for key in ("hits", "of")}
    return counts | {key: _number(rate[key]) for key in ("low", "high")}


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError(f"no finite number of 0 or more: {value!r:.20}")
    return float(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"no count: {value!r:.20}")
    return value
