"""The tables of docs/releases.md: steps, from docs/rows/steps.json, with what docs/rows/explained.toml knows of them; and
points that were measured again, from docs/rows/again.json."""

import functools
import json
import math
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jitkernels.tables import seconds

ROWS = Path(__file__).parents[1] / "docs" / "rows"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
COMPILERS = ("numba", "jax", "tensorflow", "torch", "triton")
AGAIN = ["release", "measured", "also", "by", "the same times", "median", "farthest", "equal counts and errors"]
HEADS = ["release", "kernel", "backend", "figure, at", "before", "after", "change", "known"]
LIVES = {"warm_seconds": "warm call", "cold_seconds": "first call", "counts": "count of", "stages": "stage"}
Row = Mapping[str, Any]


def tables() -> dict[str, Callable[[], str]]:
    """What draws each table, by the name that stands in the document."""
    return {**{f"steps_{compiler}": functools.partial(table, compiler) for compiler in COMPILERS}, "again": again}


def again() -> str:
    """A line for each release that was measured again."""
    rows: list[Row] = json.loads((ROWS / "again.json").read_text())
    lines = [AGAIN, ["---"] * len(AGAIN), *map(_again, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table(compiler: str) -> str:
    """A line for each step; then, by letter, what is known of them."""
    known = [one for one in explanations() if one["compiler"] == compiler]
    lines = [HEADS, ["---"] * len(HEADS), *(_line(row, known) for row in steps() if row["compiler"] == compiler)]
    drawn = ["| " + " | ".join(line) + " |" for line in lines]
    notes = zip(LETTERS, known, strict=False)
    said = [f"- **{letter}.** {one['says']} ({_where(one)})." for letter, one in notes]
    return "\n".join([*drawn, "", *said])


def steps() -> list[Row]:
    rows: list[Row] = json.loads((ROWS / "steps.json").read_text())
    return rows


def explanations() -> list[Row]:
    known: list[Row] = tomllib.loads((ROWS / "explained.toml").read_text())["known"]
    return known


def explains(one: Row, step: Row) -> bool:
    """Whether what is known is of this step."""
    return (
        (one["compiler"], one["release"]) == (step["compiler"], step["to"])
        and any(step["figure"].startswith(name) for name in one.get("figures", [""]))
        and step["kernel"] in one.get("kernels", [step["kernel"]])
    )


def _again(row: Row) -> list[str]:
    """Factors are what the times of the second column are multiplied by."""
    times = [time[:16].replace("T", " ") for time in (row["first"], row["again"])]
    same, equal = f"{row['same']} of {row['times']}", f"{row['equal']} of {row['exact']}"
    told = [f"{row['compiler']} {row['release']}", *times, row["by"], same, f"x {row['median']:.3g}"]
    return [*told, _farthest(row["apart"]), equal]


def _farthest(apart: list[tuple[str, str, int, str, float]]) -> str:
    """The time that has changed most."""
    if not apart:
        return "-"
    kernel, backend, size, figure, factor = max(apart, key=lambda one: abs(math.log(one[-1])))
    return f"{kernel} `{backend}`, {LIVES[figure]}, {size:,}: x {factor:.3g}"


def _where(one: Row) -> str:
    """Where it is said, or what shows it."""
    return f"[source]({one['source']})" if "source" in one else f"`{one['command']}` shows it, with either release"


def _line(row: Row, known: list[Row]) -> list[str]:
    letters = [letter for letter, one in zip(LETTERS, known, strict=False) if explains(one, row)]
    family, _, name = row["figure"].partition(".")
    figure = " ".join(filter(None, (LIVES.get(family, family), name.replace("_", " "))))
    return [
        f"{row['to']}, after {row['from']}", row["kernel"], f"`{row['backend']}`", f"{figure}, {row['size']:,}",
        *(_amount(row, key) for key in ("before", "after")), _change(row), " ".join(letters) or "unexplained",
    ]  # fmt: skip


def _amount(row: Row, key: str) -> str:
    return seconds(row[key]) if row["unit"] == "seconds" else f"{row[key]:.4g}"


def _change(row: Row) -> str:
    """In time by how many times faster or slower, with what the quartiles allow; else by what it was multiplied."""
    if not row["factor"]:
        return "-"
    if row["unit"] != "seconds":
        return f"x {row['factor']:.3g}"
    is_slower = row["factor"] > 1
    ends = sorted(end if is_slower else 1 / end for end in (row["low"], row["high"]) if end)
    spread = f" ({ends[0]:.3g} to {ends[1]:.3g})" if ends else ""
    factor = row["factor"] if is_slower else 1 / row["factor"]
    return f"{factor:.3g} times {'slower' if is_slower else 'faster'}{spread}"
