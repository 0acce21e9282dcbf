"""Merge several versions of a file of results, from runners of one machine. The order does not matter, unless one is newer.

Lines of JSON are united. In asv's results, each benchmark case comes from the version that has a number for it, with most
samples; a failure comes before a case that was not measured. Lists of parameters may have grown. Only the standard library
is needed.
"""

import itertools
import json
import math
from collections.abc import Sequence
from typing import Any

from history.store.results import COLUMNS, FORMAT

PARALLEL = ("result", *COLUMNS)  # asv's columns with a value for each benchmark case
LARGEST = ("started_at", "duration")  # asv's columns for a whole benchmark: the larger of two values stays
Row = dict[str, Any]


def merged(name: str, first: str, second: str, by_time: bool = False) -> str:
    """Return the merged text of two versions of a file. name: of the file; its ending gives the format. by_time: of two
    numbers that counts whose benchmark began later, with however few samples, and of two as old the second one.

    If they cannot be merged (another format, no JSON), one of them is returned, always the same.
    """
    if first == second:
        return first
    if name.endswith(".jsonl"):
        return _lines(first, second)
    results = [each for each in map(_result, (first, second)) if each]
    if len(results) == 1:
        return first if _result(first) else second
    if len(results) == 2 and results[0]["result_columns"] == results[1]["result_columns"]:
        return json.dumps(_merged_results(results[0], results[1], by_time))
    return second if by_time else max(first, second)


def as_line(value: Any) -> str:
    """Return the JSON of a stored line: without spaces, because results/ has a limit of bytes."""
    return json.dumps(value, separators=(",", ":"))


def compact(line: str) -> str:
    """Return a line as ``as_line`` writes it; a line that is not JSON as it is."""
    try:
        return as_line(json.loads(line))
    except (ValueError, RecursionError):
        return line


def _lines(*texts: str) -> str:
    """Return all lines, each once, sorted by time; lines that are not JSON come first."""
    lines = {compact(line) for text in texts for line in text.split("\n") if line.strip()}
    return "".join(f"{line}\n" for line in sorted(lines, key=lambda line: (time_of(line), line)))


def time_of(line: str) -> str:
    """Return when a line was written, as it says in ISO 8601; "" if it is no JSON or does not say."""
    try:
        return str(json.loads(line)["at"])
    except (ValueError, KeyError, TypeError):
        return ""


def _result(text: str) -> Row | None:
    """Return a result of asv; None for anything else."""
    try:
        data = json.loads(text)
        is_result = data["version"] == FORMAT and isinstance(data["results"], dict) and "result" in data["result_columns"]
    except (ValueError, KeyError, TypeError):
        return None
    return data if is_result else None


def _merged_results(first: Row, second: Row, by_time: bool) -> Row:
    names = first["result_columns"]
    rows = {
        key: _merged_rows(names, [each["results"][key] for each in (first, second) if key in each["results"]], by_time)
        for key in sorted({*first["results"], *second["results"]})
    }
    newest = second if by_time else max(first, second, key=_text)
    durations = {
        key: max(each.get("durations", {}).get(key, 0.0) for each in (first, second))
        for key in sorted({*first.get("durations", {}), *second.get("durations", {})})
    }
    return {**newest, "results": rows, "durations": durations}


def _merged_rows(names: Sequence[str], rows: Sequence[list[Any]], by_time: bool) -> list[Any]:
    """Return a benchmark's row. If ``version`` or parameters differ, the row that began later; but a row with more
    parameters gets the values of one with a part of them."""
    began = names.index("started_at") if by_time and "started_at" in names else None
    rows = rows if began is None else sorted(rows, key=lambda row: row[began] or 0)
    columns = [dict(zip(names, row, strict=False)) for row in rows]
    cases = [_cases(each) for each in columns]
    most = max(range(len(rows)), key=lambda place: (len(cases[place]), _text(columns[place])))
    has_all = all(each.keys() <= cases[most].keys() for each in cases)
    if len({each.get("version") for each in columns}) > 1 or not has_all or len(rows) == 1:
        return rows[max(range(len(rows)), key=lambda place: (columns[place].get("started_at") or 0, _text(rows[place])))]
    pairs = [[each[key] for each in cases if key in each] for key in cases[most]]
    chosen = [max(reversed(pair), key=_rank) if by_time else max(pair, key=_worth) for pair in pairs]
    whole = {**columns[most], **{name: max(each.get(name) or 0 for each in columns) for name in LARGEST}}
    of_cases = {name: [case.get(name) for case in chosen] for name in PARALLEL if any(name in each for each in columns)}
    row = [{**whole, **of_cases}.get(name) for name in names]
    return row[: max(map(len, rows))]


def _cases(columns: Row) -> dict[tuple[str, ...], Row]:
    """Return the values by column of each benchmark case, by its parameters."""
    lists = {name: columns[name] for name in PARALLEL if columns.get(name)}
    return {
        case: {name: values[place] for name, values in lists.items() if place < len(values)}
        for place, case in enumerate(itertools.product(*(columns.get("params") or [])))
    }


def _worth(case: Row) -> tuple[int, int, str]:
    return _rank(case), len(case.get("samples") or ()), _text(case)


def _rank(case: Row) -> int:
    """Return 2 for a number, 1 for a failure, 0 for a case that was not measured."""
    value = case.get("result", math.nan)
    return 1 if value is None else 2 if value == value else 0


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
