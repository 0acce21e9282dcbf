"""Reads the site's data of a made-up history."""

from typing import Any

from synthetic import History, warm

PI = warm("philox_pi", ["numpy", "c", "numba", "jax"], [1000])
HOSTILE = "<script>alert('1')</script> \"quoted\" \u202etxt #&=%+ ,\u0000"


def kernel(history: History, name: str = "philox_pi", machine: str = "vm") -> Any:
    return history.data(f"{machine}/{name}.json")


def figure(history: History, backend: str, name: str = "warm_seconds", size: int = 1000) -> Any:
    rows = kernel(history)["rows"]
    return next(row for row in rows if (row["backend"], row["size"]) == (backend, size))["figures"].get(name)


def ranking(history: History) -> list[tuple[str, int | None, bool]]:
    (only,) = kernel(history)["rankings"]
    return [(entry["backend"], entry["rank"], entry["tied"]) for entry in only["entries"]]
