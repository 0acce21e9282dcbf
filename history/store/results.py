"""What asv has stored: every file of results that can be read, and those that cannot, with the reason.

asv's files are of its own format 2: a row a benchmark, whose columns ``result_columns`` names; a cell's place in each column
is that of its parameters in their product. NaN is asv's word for a cell that was skipped or not selected, null for one that
failed.
"""

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = 2  # of asv's files of results
KEPT = ("machine.json", "benchmarks.json")  # what else asv keeps beside them
SPREAD = ("stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_repeat", "samples")  # a cell's columns
INFINITIES = (math.inf, -math.inf)
HARDWARE = ("machine", "arch", "cpu", "num_cpu", "ram")  # what makes two machines of one name different ones

Cell = tuple[str, ...]  # a cell's parameters, each as Python writes it: ("'numba'", "1000")


class UnreadableError(Exception):
    """A file that is no result of asv's; its text says why, in one line."""


@dataclass(frozen=True)
class Unread:
    """A file that was skipped, or a value in it that was not taken; ``reason`` in one line."""

    file: str
    reason: str


@dataclass(frozen=True)
class Measured:
    """What one file holds of one benchmark. ``columns``: lists by asv's name for them, parallel to ``cells``."""

    version: str | None
    started: float  # ms since 1970, as asv has it; 0.0 where it says nothing
    cells: tuple[Cell, ...]
    values: Sequence[float | None]
    columns: Mapping[str, Sequence[Any]]

    def column(self, name: str, place: int) -> Any:
        """What the column says of one cell; None where it says nothing."""
        values = self.columns.get(name)
        return values[place] if values and place < len(values) else None


@dataclass(frozen=True)
class Result:
    """One file: one commit, in one environment, on one machine."""

    file: str
    commit: str
    environment: str
    date: float  # the commit's, ms since 1970
    python: str
    requirements: Mapping[str, str]
    params: Mapping[str, str]  # the machine, and again the requirements; asv's graphs are told apart by them
    benchmarks: Mapping[str, Measured]

    @property
    def machine(self) -> tuple[str, ...]:
        """What tells the machine from others."""
        return tuple(self.params.get(key, "") for key in HARDWARE)


def parse(text: str, file: str) -> tuple[Result, list[Unread]]:
    """One file's text as a result, and what in it was not taken: infinite values, parameters that do not fit.

    Raises UnreadableError for what asv did not write.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("version") != FORMAT:
        raise UnreadableError(f"no file of results of asv's format {FORMAT}")
    try:
        names = _text_list(data["result_columns"])
        benchmarks, problems = _benchmarks(names, data["results"])
        result = Result(
            file=file,
            commit=_text(data["commit_hash"]),
            environment=_text(data["env_name"]),
            date=float(data["date"]),
            python=_text(data["python"]),
            requirements=_texts(data["requirements"]),
            params=_texts(data["params"]),
            benchmarks=benchmarks,
        )
    except KeyError as error:
        raise UnreadableError(f"no {error} in it") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise UnreadableError(f"not as asv writes it: {error}") from error
    if not result.params.get("machine"):
        raise UnreadableError("it names no machine")
    return result, [Unread(file, problem) for problem in problems]


def _benchmarks(names: list[str], rows: Mapping[str, list[Any]]) -> tuple[dict[str, Measured], list[str]]:
    found, problems = {}, []
    for name, row in rows.items():
        columns = dict(zip(names, row, strict=False))
        cells = _cells(name, columns.get("params") or [])
        values = columns.get("result")
        if values is None:
            values = [None] * len(cells)
        if not isinstance(values, list) or len(values) != len(cells):
            problems.append(f"{name}: its values are not one a cell")
            continue
        taken, lost = possible(name, values)
        if lost:
            problems.append(f"{name}: {lost} value{'s' if lost > 1 else ''} that nobody can have measured")
        lists = {key: columns[key] for key in SPREAD if isinstance(columns.get(key), list)}
        version = columns.get("version")
        started = number(columns.get("started_at"))
        found[name] = Measured(version, started if started and started == started else 0.0, cells, taken, lists)
    return found, problems


def possible(name: str, values: list[Any]) -> tuple[list[float | None], int]:
    """A benchmark's values without what cannot have been measured, infinities and times of nothing or less; how many of
    those there were."""
    taken = [value if type(value) is float and value not in INFINITIES else number(value) for value in values]
    lost = sum(value in INFINITIES for value in values)
    if name.rpartition(".")[2].startswith("time_"):
        nothing = sum(value is not None and value <= 0 for value in taken)
        if nothing:
            taken, lost = [None if value is None or value <= 0 else value for value in taken], lost + nothing
    return taken, lost


def _cells(name: str, parameters: list[Any]) -> tuple[Cell, ...]:
    """The product of the parameters; that of the file before, where they are the same, as they are through most of a
    history."""
    known, cells = _latest.get(name, (None, ()))
    if known != parameters:
        cells = tuple(itertools.product(*map(_text_list, parameters)))
        _latest[name] = parameters, cells
    return cells


_latest: dict[str, tuple[list[Any], tuple[Cell, ...]]] = {}  # by the benchmark's name


def number(value: Any) -> float | None:
    """A finite number or NaN as a float; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return None if math.isinf(value) else float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {value!r:.40}")
    return value


def _text_list(values: Any) -> list[str]:
    if not isinstance(values, list):
        raise TypeError(f"a list expected, not {values!r:.40}")
    return [_text(value) for value in values]


def _texts(values: Any) -> dict[str, str]:
    return {str(key): "" if value is None else str(value) for key, value in values.items()}


def files(directory: Path) -> Iterator[Path]:
    """Where asv would look for results: every JSON file below, but for those that it keeps beside them."""
    for path in sorted(directory.rglob("*.json")):
        if path.name not in KEPT:
            yield path


def load(path: Path, root: Path) -> tuple[Result, list[Unread]]:
    """The result in a file, as ``parse``; UnreadableError too where it cannot be opened or is no text."""
    try:
        return parse(path.read_text(encoding="utf-8"), path.relative_to(root).as_posix())
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError("no text in UTF-8") from error


def machine_files(directory: Path) -> dict[str, dict[str, str]]:
    """Of each ``machine.json`` that can be read: the machine's name, and what asv was told of it."""
    found = {}
    for path in sorted(directory.rglob("machine.json")):
        try:
            data = _texts(json.loads(path.read_text(encoding="utf-8")))
            found[data["machine"]] = data
        except (OSError, ValueError, AttributeError, KeyError):
            continue  # ``clean`` names it
    return found
