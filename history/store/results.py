"""The reader of asv's stored results: all readable files, and the reason for each unreadable one.

A file has asv's format 2: a row for each benchmark, with columns named in ``result_columns``. In a column, the place of a
benchmark case is the place of its parameters in the product of all parameters. asv writes NaN for a case that was
skipped or not selected, and null for one that failed.
"""

import datetime
import functools
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = 2  # of asv's files of results
BENCHMARKS, MACHINE = "benchmarks.json", "machine.json"
RESULTS = Path(".asv/results")  # of asv.conf.json: asv's own directory
DATA_SET = Path("results")  # comes with the repository
NO_RESULTS = (MACHINE, BENCHMARKS)  # asv's other files beside the results
STATISTICS = ("ci_99_a", "ci_99_b", "q_25", "q_75", "number", "repeat")
COLUMNS = ("samples", *(f"stats_{name}" for name in STATISTICS))  # columns with a value for each benchmark case
INFINITIES = (math.inf, -math.inf)

Parameters = tuple[str, ...]  # of a benchmark case, each as Python writes it: ("'numba'", "1000")


class UnreadableError(Exception):
    """The file is not a result of asv. The message is one line."""


@dataclass(frozen=True)
class Unread:
    """A file that was skipped, or a value that was left out of one. ``file``: its path. ``reason`` is one line."""

    file: str
    reason: str


@dataclass(frozen=True)
class Measured:
    """The results of one benchmark in one file. ``columns`` holds lists by asv's name, parallel to ``cells``."""

    version: str | None
    started: float  # ms since 1970, as in asv; 0.0 where it is not known
    cells: tuple[Parameters, ...]
    values: Sequence[float | None]
    columns: Mapping[str, Sequence[Any]]

    def column(self, name: str, place: int) -> Any:
        """Return the column's value for the case at ``place``, or None."""
        values = self.columns.get(name)
        return values[place] if values and place < len(values) else None


@dataclass(frozen=True)
class Result:
    """One file: one commit, in one environment, on one machine."""

    file: str
    commit: str
    environment: str
    date: float  # of the commit, ms since 1970
    python: str
    requirements: Mapping[str, str]
    params: Mapping[str, str]  # the machine and the requirements; asv separates graphs by them
    benchmarks: Mapping[str, Measured]

    @property
    def machine(self) -> str:
        """The machine's name."""
        return self.params.get("machine", "")


def parse(text: str, file: str) -> tuple[Result, list[str]]:
    """Return the result in a file's text, and what was left out: infinities, and lists of a wrong length.

    Raises UnreadableError if asv did not write the text.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("version") != FORMAT:
        raise UnreadableError(f"no file of results of asv's format {FORMAT}")
    try:
        benchmarks, problems = _benchmarks(data["result_columns"], data["results"])
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
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise UnreadableError(f"not as asv writes it: {error}") from error
    if not result.params.get("machine"):
        raise UnreadableError("it names no machine")
    for milliseconds in (result.date, max((measured.started for measured in benchmarks.values()), default=0.0)):
        try:
            datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise UnreadableError(f"{milliseconds} is no time") from error
    return result, problems


def _benchmarks(names: list[str], rows: Mapping[str, list[Any]]) -> tuple[dict[str, Measured], list[str]]:
    benchmarks, problems = {}, []
    for name, row in rows.items():
        columns = dict(zip(names, row, strict=False))
        cases = _cases(columns.get("params") or [])
        values = columns.get("result")
        if values is None:
            values = [None] * len(cases)
        if not isinstance(values, list) or len(values) != len(cases):
            problems.append(f"{name}: it does not have one value per benchmark case")
            continue
        valid, lost = _valid_values(name, values)
        if lost:
            problems.append(f"{name}: {lost} value{'s' if lost > 1 else ''} that cannot have been measured")
        lists = {key: columns[key] for key in COLUMNS if isinstance(columns.get(key), list)}
        started = number(columns.get("started_at"))
        started = started if started and started == started else 0.0
        benchmarks[name] = Measured(columns.get("version"), started, cases, valid, lists)
    return benchmarks, problems


def _valid_values(name: str, values: list[Any]) -> tuple[list[float | None], int]:
    """Return a benchmark's values, with None for impossible ones, and the number of those.

    Impossible are infinities, and times of zero or less.
    """
    numbers = [value if type(value) is float and value not in INFINITIES else number(value) for value in values]
    lost = sum(value in INFINITIES for value in values)
    if name.rpartition(".")[2].startswith("time_"):
        lost += sum(value is not None and value <= 0 for value in numbers)
        numbers = [None if value is None or value <= 0 else value for value in numbers]
    return numbers, lost


def _cases(parameters: list[Any]) -> tuple[Parameters, ...]:
    if not all(isinstance(values, list) for values in parameters):
        raise TypeError("parameters are not lists")
    return _product(tuple(map(tuple, parameters)))


@functools.lru_cache(maxsize=4096)  # most benchmarks have the same parameters in every file of a history
def _product(parameters: tuple[tuple[Any, ...], ...]) -> tuple[Parameters, ...]:
    return tuple(itertools.product(*(map(_text, values) for values in parameters)))


def number(value: Any) -> float | None:
    """Return a finite number or NaN as a float, and None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return None if math.isinf(value) else float(value)


def is_number(value: float | None) -> bool:
    """True if the case was measured. asv writes NaN both for a skipped case and for one that has not run."""
    return value is not None and not math.isnan(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {value!r:.40}")
    return value


def _texts(values: Any) -> dict[str, str]:
    return {str(key): "" if value is None else str(value) for key, value in values.items()}


def files(directory: Path) -> Iterator[Path]:
    """Yield every file of results below the directory."""
    for path in sorted(directory.rglob("*.json")):
        if path.name not in NO_RESULTS:
            yield path


def load(path: Path, name: str = "") -> tuple[Result, list[str]]:
    """Return the result in a file, as ``parse``. Raises UnreadableError also for a file that cannot be opened or decoded.

    name: the ``file`` of the result.
    """
    try:
        return parse(path.read_text(encoding="utf-8"), name)
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError("no text in UTF-8") from error


def of_commit(machine: str, commit: str, environment: str) -> Iterator[tuple[str, Measured, int]]:
    """Yield each benchmark case of a commit in asv's directory: its name as asv writes it, its benchmark's results, and its
    place there.

    Results of an older version of a benchmark are left out.
    """
    listed = RESULTS / BENCHMARKS
    benchmarks = json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else {}
    for path in sorted((RESULTS / machine).glob(f"{commit[:8]}-*.json")):
        try:
            result, _ = load(path)
        except UnreadableError:
            continue  # asv too ignores these and measures the case again
        for name, measured in result.benchmarks.items() if result.environment == environment else ():
            if name in benchmarks and benchmarks[name]["version"] == measured.version:
                yield from ((case_name(name, case), measured, place) for place, case in enumerate(measured.cells))


def case_name(benchmark: str, parameters: Parameters) -> str:
    """Return a benchmark case's name as asv writes it: ``name('numba', 1000)``."""
    return f"{benchmark}({', '.join(parameters)})" if parameters else benchmark
