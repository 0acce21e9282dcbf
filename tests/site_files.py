"""Read the site's data of a synthetic history."""

import json
from pathlib import Path
from typing import Any

from synthetic import History, warm

PI = warm("philox_pi", ["numpy", "c", "numba", "jax"], [1000])
RATES = {"flop_per_second": 1e9, "bytes_per_second": 1e8}
ROOF = {"by": "flop", "seconds": 1.0, "flop": 1e9, "bytes": 5e7, **RATES}
HOSTILE = "<script>alert('1')</script> \"quoted\" \u202etxt #&=%+ ,\u0000"


def kernel(history: History, name: str = "philox_pi", machine: str = "vm") -> Any:
    return history.data(f"{machine}/{name}.json")


def figure(history: History, backend: str, name: str = "warm_seconds", size: int = 1000) -> Any:
    rows = kernel(history)["rows"]
    return next(row for row in rows if (row["backend"], row["size"]) == (backend, size))["figures"].get(name)


def ranking(history: History) -> list[tuple[str, int | None, bool]]:
    (only,) = kernel(history)["rankings"]
    return [(entry["backend"], entry["rank"], entry["tied"]) for entry in only["entries"]]


def processes(seconds: float, spread: float = 0.01) -> list[float]:
    """Return the seconds of five processes around a median."""
    return [seconds * (1 + spread * part) for part in (-1, -0.5, 0, 0.5, 1)]


def add_run(
    machine: Path,
    cells: dict[str, list[float]],
    threads: dict[str, int] | None = None,
    limit: int | None = None,
    roofs: dict[str, Any] | None = None,
    **differs: Any,
) -> None:
    """Add a line of a run to a machine's rankings. threads: by backend, if not 1. limit: of threads. roofs: by backend, if
    there is one. differs: other keys."""
    line = {
        **{"schema": 1, "said": "ranking", "machine": machine.name, "processor": "A processor (AVX2)", "cores": 2},
        **{"commit": "c" * 40, "python": "3.11.2", "requirements": {"numpy": "2.4.6"}, "kernel": "philox_pi", "size": 1000},
        "settings": {"OMP_PROC_BIND": "true"},
        **{"began": "2026-11-22T10:00:00Z", "at": "2026-11-22T10:15:00Z", "threads": limit, "empty": {}},
        "cells": {
            backend: {"seconds": seconds, "threads": (threads or {}).get(backend, 1), "settled": True}
            | ({"roof": roofs[backend]} if roofs and backend in roofs else {})
            for backend, seconds in cells.items()
        },
        **differs,
    }
    with (machine / "rankings.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")


def matrix_of(history: History, machine: str) -> dict[str, Any]:
    """The cells of philox_pi by backend."""
    content = history.data(f"{machine}/matrix.json")
    return dict(zip(content["columns"], content["cells"][content["rows"].index("philox_pi")], strict=True))
