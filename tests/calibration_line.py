"""A line of calibration, for tests."""

from typing import Any


def line(**differs: Any) -> dict[str, Any]:
    """Return the line of a run of four cells without faults and findings. differs: other fields."""
    return {
        "schema": 2,
        "commit": "c" * 40,
        "machine": "m",
        "processor": "p",
        "cores": 2,
        "versions": {},
        "method": {"bench": ["."], "budget": 720},
        "when": "2026-01-01T00:00:00Z",
        "seconds": 60.0,
        "prepared_seconds": 5.0,
        "injected": {},
        "suspected": [],
        "believed": [],
        "lost": [],
        "too_little": [],
        "verdict": "nothing is worse",
        "exit_code": 0,
        "cells": {"a": [1e-3, 1.0, 0.01], "b": [2e-3, 1.0, 0.01], "c": [3e-3, 1.0, 0.01], "d": [7]},
        "pairs": {},
        **differs,
    }
