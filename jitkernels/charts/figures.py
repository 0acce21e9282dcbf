"""Read the figures of measured cases, for the functions that make charts' rows."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from jitkernels.charts.description import Data, Row, name_of


def case(row: Mapping[str, Any]) -> Row:
    """Return the fields that identify a row's case, with the name that a reader sees."""
    interpreted = bool(row.get("interpreted"))
    name = name_of(row["backend"], interpreted)
    return {"backend": row["backend"], "name": name, "size": row["size"], "interpreted": interpreted}


def compiler_case(row: Mapping[str, Any]) -> Row:
    """Return ``case`` for a figure of the compiler itself, which is the compiler's even if an interpreter runs the calls."""
    return case({**row, "interpreted": False})


def value(row: Mapping[str, Any], name: str) -> Any:
    """Return a figure's number, or None if it was not measured."""
    return (row["figures"].get(name) or {}).get("value")


def measured(data: Data, name: str) -> list[Mapping[str, Any]]:
    """Return the rows that have the figure."""
    return [row for row in data["rows"] if value(row, name) is not None]


def nearest(data: Data, backend: str, name: str, size: int | None) -> Mapping[str, Any] | None:
    """Return the backend's row with the figure at the size nearest to ``size``."""
    rows = [row for row in measured(data, name) if row["backend"] == backend]
    return min(rows, key=lambda row: abs(math.log(row["size"] / size)), default=None) if size else None


def spread(row: Mapping[str, Any], name: str) -> Row:
    """Return a figure's name and seconds, with the quartiles and the number of their samples."""
    figure = row["figures"][name]
    samples = {key: figure.get(key) for key in ("low", "high", "samples", "settled")}
    return {"figure": name, "seconds": figure["value"], **samples}


def ratio_range(one: Mapping[str, Any], other: Mapping[str, Any]) -> Row:
    """Return the smallest and the largest ratio of one figure to the other that the quartiles of both allow."""
    if not all(figure.get(end) for figure in (one, other) for end in ("low", "high")):
        return {"low": None, "high": None}
    return {"low": one["low"] / other["high"], "high": one["high"] / other["low"]}


def family(row: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, float]]:
    """Yield the rest of the name, and the number, of each figure whose name begins with ``prefix`` and a dot."""
    for name in row["figures"]:
        if name.startswith(f"{prefix}.") and value(row, name) is not None:
            yield name.removeprefix(f"{prefix}."), value(row, name)
