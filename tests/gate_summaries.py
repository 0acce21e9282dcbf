"""Synthetic lines of gate.jsonl: what calibration keeps of its runs."""

import json
from pathlib import Path
from typing import Any


def rate(hits: int, of: int) -> dict[str, Any]:
    """Return a rate. All rates have the same interval."""
    return {"hits": hits, "of": of, "low": 0.0, "high": 0.168}


def summary(**differs: Any) -> dict[str, Any]:
    """Return a line of gate.jsonl: twenty runs without a false alarm."""
    return {
        "schema": 1,
        "machine": "vm",
        "processor": "P",
        "cores": 2,
        "method": {"bench": ["."]},
        "whole": True,
        "runs": 20,
        "untouched": 5,
        "commits": ["c" * 40],
        "since": "2026-01-01T00:00:00Z",
        "until": "2026-01-02T00:00:00Z",
        "cells": 103,
        "seconds": {"median": 630.0, "most": 700.0},
        "false_alarms": rate(0, 20),
        "undecided": rate(1, 20),
        "alarms_of_cells": {"hits": 0, "of": 2000},
        "suspicions_of_cells": {"hits": 3, "of": 2000},
        "power": [{"slower": 0.05, "suspected": rate(10, 10), "believed": rate(9, 10)}],
        "others": [{"kind": "wrong", "found": rate(15, 15)}],
        "noise": [
            {
                "cell": "k.Warm.time_call('jax', 1)",
                "runs": 20,
                "seconds": 2e-3,
                "spread": 0.03,
                "found": {"5": 0.4, "10": 1.0},
            },
            {"cell": "k.Warm.time_call('c', 1)", "runs": 20, "seconds": 2e-6, "spread": 0.01, "found": {}},
        ],
        **differs,
    }


def write(results: Path, *lines: Any, machine: str = "vm") -> Path:
    """Write lines of gate.jsonl into a machine's directory."""
    file = results / machine / "gate.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return file
