"""Rows that ``jitkernels time --json`` (or ``aot --json``) printed, read and put into the form that charts are made from."""

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from jitkernels import kernels

Row = dict[str, Any]

EVERY_ROW = {"kernel": str, "backend": str, "size": int, "status": str}
NUMBERS = ("warm_seconds", "cold_seconds", "cached_seconds", "retrace_seconds", "error", "z", "hits", "value_acc")
PEAKS = ("compile_peak_bytes", "run_peak_bytes")


def data(kernel: str, rows: Iterable[Mapping[str, Any]]) -> Row:
    """What ``charts.rows`` makes rows from, of one kernel's rows of ``jitkernels time``."""
    own = [row for row in rows if row["kernel"] == kernel]
    return {
        "kernel": kernel,
        "size": kernels.load(kernel).unit,
        "rows": [_row(row) for row in own],
        "rankings": [
            {"size": size, "entries": [_entry(row) for row in own if row["size"] == size and row.get("break_even")]}
            for size in sorted({row["size"] for row in own})
        ],
    }


def _row(row: Mapping[str, Any]) -> Row:
    figures = {name: {"value": row[name]} for name in (*NUMBERS, *PEAKS) if row.get(name) is not None}
    if "warm_seconds" in figures:
        low, high = row.get("warm_quartiles") or (None, None)
        spread = {"low": low, "high": high, "samples": row.get("warm_samples"), "settled": row.get("settled")}
        figures["warm_seconds"] |= spread
    stages = {**(row.get("stages") or {}), "other": row.get("stages_other"), "total": row.get("stages_total")}
    retraces = {kind: found["seconds"] for kind, found in (row.get("retraces") or {}).items()}
    for prefix, family in {"stages": stages, "retraces": retraces}.items():
        figures |= {f"{prefix}.{name}": {"value": value} for name, value in family.items() if value is not None}
    if "form" in row:
        figures = {f"aot.{row['form']}.{name}": {"value": value} for name, value in _file(row).items() if value is not None}
    cell = {key: row.get(key) for key in ("backend", "size", "status", "reason", "interpreted")}
    return {**cell, "figures": figures if row["status"] == "ok" else {}}


def _file(row: Mapping[str, Any]) -> Row:
    """The figures of a file made ahead of time, by the names that the site has for them."""
    return {
        **{name: row.get(name) for name in ("build_seconds", "load_seconds", "first_call_seconds", "bytes")},
        "warm_over_jit": row.get("ratio"),
        "other_shape": row.get("other_shape") and int(row["other_shape"] == "yes"),
        "just_in_time_seconds": (row.get("jit_first_calls") or [None])[0],
    }


def _entry(row: Mapping[str, Any]) -> Row:
    return {"backend": row["backend"], "break_even": row["break_even"]}


def read(path: Path, kernel: str) -> list[Row]:
    """The file's rows of this kernel; ValueError, in one line, where it holds none or is none that the command printed."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text") from None
    try:
        rows = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not the JSON that jitkernels time --json prints: {error}") from None
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"{path} holds no list of rows, which is what jitkernels time --json prints")
    for place, row in enumerate(rows, 1):
        if problem := _problem(row):
            raise ValueError(f"{path}: row {place} is none of jitkernels time --json: {problem}")
    own = [row for row in rows if row["kernel"] == kernel]
    if not own:
        raise ValueError(f"{path} has no row of {kernel}; it has {', '.join(sorted({row['kernel'] for row in rows}))}")
    return own


def _problem(row: object) -> str | None:
    """What is wrong with a row, or None."""
    if not isinstance(row, dict):
        return "it is no object"
    for key, kind in EVERY_ROW.items():
        if not isinstance(row.get(key), kind) or isinstance(row[key], bool):
            return f"{key} is {row.get(key)!r}"
    if row["size"] < 1:
        return f"size is {row['size']}"
    for key in NUMBERS:
        if row.get(key) is not None and (isinstance(row[key], bool) or not isinstance(row[key], int | float)):
            return f"{key} is {row[key]!r}"
    if row.get("warm_seconds") is not None and row["warm_seconds"] <= 0:
        return f"warm_seconds is {row['warm_seconds']}"
    quartiles = row.get("warm_quartiles")
    pair = isinstance(quartiles, list) and len(quartiles) == 2 and all(isinstance(end, int | float) for end in quartiles)
    return None if quartiles is None or pair else f"warm_quartiles is {quartiles!r}"


def _refused(token: str) -> NoReturn:
    raise ValueError(f"{token} is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text)
