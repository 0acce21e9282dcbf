"""Cells of what was measured, read: what ``charts.rows`` makes charts' rows from."""

from collections.abc import Iterator, Mapping
from typing import Any

from jitkernels.charts.palette import shown

Row = dict[str, Any]
Data = Mapping[str, Any]


def cell(row: Mapping[str, Any]) -> Row:
    """Which cell it is, with the name that a reader sees."""
    interpreted = bool(row.get("interpreted"))
    name = shown(row["backend"], interpreted)
    return {"backend": row["backend"], "name": name, "size": row["size"], "interpreted": interpreted}


def of_the_compiler(row: Mapping[str, Any]) -> Row:
    """The cell of what a compiler made, which an interpreter that runs the calls has no part in."""
    return cell({**row, "interpreted": False})


def spread(row: Mapping[str, Any], name: str) -> Row:
    """A figure of samples, as seconds with their quartiles."""
    figure = row["figures"][name]
    return {"seconds": figure["value"], **{key: figure.get(key) for key in ("low", "high", "samples", "settled")}}


def value(row: Mapping[str, Any], name: str) -> Any:
    """A figure's number, None where it was not measured."""
    return (row["figures"].get(name) or {}).get("value")


def measured(data: Data, name: str) -> list[Mapping[str, Any]]:
    """The cells that have the figure."""
    return [row for row in data["rows"] if value(row, name) is not None]


def family(row: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, float]]:
    """Names after the point, and numbers, of the figures whose names begin with ``prefix`` and a point."""
    for name in row["figures"]:
        if name.startswith(f"{prefix}.") and value(row, name) is not None:
            yield name.removeprefix(f"{prefix}."), value(row, name)


def warm(data: Data) -> list[Row]:
    """One row for each cell with a warm call: the cell and its seconds."""
    return [{**cell(row), **spread(row, "warm_seconds")} for row in measured(data, "warm_seconds")]
