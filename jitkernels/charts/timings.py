"""Read rows that ``jitkernels time --json`` or ``aot --json`` printed, as the data from which charts' rows are made."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitkernels.charts.description import Data, Row

NUMBERS = ("warm_seconds", "cold_seconds", "cached_seconds", "retrace_seconds", "error", "z", "hits", "value_acc")
FILE = ("build_seconds", "load_seconds", "first_call_seconds", "bytes")  # of a file compiled ahead of time
CASE = ("backend", "size", "interpreted")


def data(rows: Sequence[Mapping[str, Any]]) -> Data:
    """Return the data of a kernel's rows, as ``description.Data`` describes it."""
    sizes = sorted({row["size"] for row in rows})
    return {
        "rows": [{**{key: row.get(key) for key in CASE}, "figures": _figures(row)} for row in rows],
        "rankings": [{"size": size, "entries": [_entry(row) for row in rows if row["size"] == size]} for size in sizes],
    }


def _entry(row: Mapping[str, Any]) -> Row:
    processes = len(row.get("warm_processes") or ())
    return {**row, "seconds": row.get("warm_seconds"), "processes": processes, **_quartiles(row)}


def _quartiles(row: Mapping[str, Any]) -> Row:
    return dict(zip(("low", "high"), row.get("warm_quartiles") or (None, None), strict=True))


def _figures(row: Mapping[str, Any]) -> Row:
    if row["status"] != "ok":
        return {}
    if "form" in row:
        numbers = {f"aot.{row['form']}.{name}": number for name, number in _file(row).items()}
    else:
        stages = {**(row.get("stages") or {}), "other": row.get("stages_other"), "total": row.get("stages_total")}
        numbers = {name: row.get(name) for name in NUMBERS}
        numbers |= {f"stages.{name}": seconds for name, seconds in stages.items()}
    figures: Row = {name: {"value": number} for name, number in numbers.items() if number is not None}
    if "warm_seconds" in figures:
        samples = {"samples": row.get("warm_samples"), "settled": row.get("settled")}
        figures["warm_seconds"] |= {**_quartiles(row), **samples}
    return figures


def _file(row: Mapping[str, Any]) -> Row:
    """Return the figures of a file compiled ahead of time, by the site's names."""
    return {
        **{name: row.get(name) for name in FILE},
        "warm_over_jit": row.get("ratio"),
        "other_shape": row.get("other_shape") and int(row["other_shape"] == "yes"),
        "just_in_time_seconds": (row.get("jit_first_calls") or [None])[0],
    }


def read(path: Path, kernel: str) -> list[Row]:
    """Return the file's rows of this kernel: of each case the last row, and none of size 0, which a logarithmic axis lacks.

    Raises ValueError with one line if the file has no row of the kernel, or if it is not such a file.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"), parse_constant=_finite, parse_float=_finite)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not the JSON that jitkernels time --json prints: {error}") from None
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"{path} holds no list of rows, which is what jitkernels time --json prints")
    for place, row in enumerate(rows, 1):
        if problem := _problem(row):
            raise ValueError(f"{path}: row {place} is not a row of jitkernels time --json: {problem}")
    of_kernel = [row for row in rows if row["kernel"] == kernel]
    if not of_kernel:
        raise ValueError(f"{path} has no row of {kernel}; it has {', '.join(sorted({row['kernel'] for row in rows}))}")
    by_case = {(row["backend"], row["size"], str(row.get("form"))): row for row in of_kernel}
    return [row for row in by_case.values() if row["size"]]


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


CHECKS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("kernel", "backend", "status"), lambda text: isinstance(text, str)),
    "size": lambda size: type(size) is int and size >= 0,
    **dict.fromkeys(NUMBERS, lambda number: number is None or _is_number(number)),
    "warm_seconds": lambda seconds: seconds is None or (_is_number(seconds) and seconds > 0),
    "warm_quartiles": lambda ends: ends is None or (_are_numbers(ends) and len(ends) == 2),
    "stages": lambda stages: stages is None or (isinstance(stages, dict) and all(map(_is_number, stages.values()))),
    **dict.fromkeys(("warm_processes", "jit_first_calls"), lambda numbers: numbers is None or _are_numbers(numbers)),
    **dict.fromkeys(("processor", "device"), lambda text: text is None or isinstance(text, str)),
}


def _problem(row: object) -> str | None:
    """Return what is wrong with a row, or None."""
    if not isinstance(row, dict):
        return "it is not an object"
    return next((f"{key} is {row.get(key)!r}" for key, is_valid in CHECKS.items() if not is_valid(row.get(key))), None)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number
