"""Lines of JSON that are stored for each machine: ``duets.jsonl``, ``release_duets.jsonl``, ``release_steps.jsonl``,
``rankings.jsonl``, ``drift.jsonl`` and ``gate.jsonl``. msgspec checks a line against its type."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar

import msgspec

from duet.statistics import STUDENT, interval_of_few
from history.store.merge import as_line
from history.store.results import DATA_SET, RESULTS, Unread
from jitkernels import machine
from jitkernels.backends.table import frameworks, settings_of

LARGEST = sys.float_info.max  # an upper bound that refuses infinities; NaN is within no bounds
Positive = Annotated[float, msgspec.Meta(gt=0, le=LARGEST)]
NotNegative = Annotated[float, msgspec.Meta(ge=0, le=LARGEST)]
COLD = ("2026-11-23T23:24:31Z", "2026-11-27T19:19:34Z")  # in what began between these an answer was checked before each call
Row = dict[str, Any]
Places = Path | Sequence[Path]  # a directory, or several
Parsed = TypeVar("Parsed")
Stored = TypeVar("Stored", bound=Mapping[str, Any])


class Conditions(TypedDict):
    """A machine (``machine``: its identity), and the versions of Python and of what asv.conf.json requires.

    ``settings``: environment variables that change programs of frameworks or their speed. Older lines have none.
    """

    machine: str
    processor: str
    cores: int
    python: str
    requirements: dict[str, str]
    settings: NotRequired[dict[str, str]]


class Line(Conditions):
    """The keys of all lines of duets. ``suite``: the benchmarks' commit, a whole hash. ``empty``: reasons by benchmark
    case."""

    schema: int
    suite: str
    at: str
    empty: dict[str, str]


class AnyRatio(TypedDict):
    """The duet of one benchmark case: the ratio of each pair of processes, their median with its 95 % interval, and the
    base's median in seconds. A stored line of few pairs may have their range instead; ``lines`` returns the interval."""

    ratios: list[Positive]
    ratio: Positive
    low: Positive
    high: Positive
    base: Positive


def found_cold_caches(began: str) -> bool:
    """True if answers were checked before each call in what began then, in UTC, so that warm calls found cold caches."""
    return COLD[0] <= began < COLD[1]


def conditions(python: str, requirements: dict[str, str]) -> Conditions:
    """Return the conditions of an environment on this machine."""
    return {
        "machine": machine.identity(),
        "processor": machine.processor(),
        "cores": machine.cores(),
        "python": python,
        "requirements": requirements,
        "settings": settings_of(frameworks()),
    }


def note_settings() -> None:
    """Print the environment variables that change what is about to be measured, if any are set."""
    if variables := settings_of(frameworks()):
        named = ", ".join(f"{name}={value}" for name, value in variables.items())
        print(f"note: these variables change what is measured: {named}", flush=True)


def check(line: Row, kinds: Mapping[str, type[Parsed]]) -> Parsed:
    """Return the line as the type for its ``said``, without other keys. Raises ValueError if it does not fit."""
    kind = kinds.get(line.get("said", ""))
    if not kind:
        raise ValueError(f"its `said` is not {' or '.join(kinds)}")
    parsed = msgspec.convert(line, kind)
    _set_intervals(parsed)
    return parsed


def rounded(number: float) -> float:
    """Return the number in five digits, which is more than a clock's precision."""
    return float(f"{number:.5g}")


def _set_intervals(line: Any) -> None:
    for cell in line.get("cells", {}).values():
        if isinstance(cell, dict) and len(cell.get("ratios", ())) in STUDENT:
            cell["low"], cell["high"] = map(rounded, interval_of_few(cell["ratios"]))


def matching(lines: Iterable[Stored], **keys: object) -> list[Stored]:
    """Return the lines that have these values at these keys."""
    return [line for line in lines if all(line.get(key) == value for key, value in keys.items())]


def cases_in(lines: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the benchmark cases for which a line has a figure, or a reason for its absence."""
    return {case for line in lines for case in (*line["cells"], *line["empty"])}


def of_this_machine(read: Callable[[Places, list[Unread]], list[Parsed]]) -> list[Parsed]:
    """Return this machine's lines, also those of the data set. Print those that cannot be read."""
    unread: list[Unread] = []
    lines = read([place / machine.identity() for place in (RESULTS, DATA_SET)], unread)
    for each in unread:
        print(f"left out {each.file}: {each.reason}", flush=True)
    return lines


def read(results: Places, name: str, writer: str, parse: Callable[[Row], Parsed], unread: list[Unread]) -> list[Parsed]:
    """Return the parsed lines of all files of that name below directories, each line once.

    parse: raises ValueError, KeyError or TypeError for an invalid line. unread: gets each invalid line, such as the last one
    of an interrupted run. writer: the command that writes such lines.
    """
    lines: dict[str, Parsed] = {}
    directories = [results] if isinstance(results, Path) else results
    for path in (path for directory in directories for path in sorted(directory.rglob(name))):
        try:
            texts = path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError as error:
            unread.append(Unread(path.as_posix(), f"cannot be read: {error.strerror}"))
            continue
        for number, text in enumerate(texts, 1):
            try:
                if not text.strip():
                    continue
                line = json.loads(text)
                key = as_line(line)
                if key not in lines:
                    if not isinstance(line, dict) or line.get("schema") != 1:
                        raise ValueError("its `schema` is not 1")
                    lines[key] = parse(line)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                unread.append(Unread(path.as_posix(), f"line {number}: not as {writer} writes it: {error}"))
    return list(lines.values())
