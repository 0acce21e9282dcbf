"""What is stored as lines of JSON, below each machine: ``duets.jsonl``, ``release_duets.jsonl``,
``release_steps.jsonl``, ``rankings.jsonl`` and ``gate.jsonl``. msgspec checks a line against its type."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, TypeVar, cast

import msgspec

from duet.statistics import STUDENT, interval_of_few
from history.store.results import DATA_SET, RESULTS, Unread
from jitkernels.machine import identity

LARGEST = sys.float_info.max  # a bound, so that infinities are refused; NaN is within no bounds
Positive = Annotated[float, msgspec.Meta(gt=0, le=LARGEST)]
NotNegative = Annotated[float, msgspec.Meta(ge=0, le=LARGEST)]
Row = dict[str, Any]
Places = Path | Sequence[Path]  # a directory, or several
Parsed = TypeVar("Parsed")


class Head(TypedDict):
    """What the lines of all files have."""

    schema: Literal[1]


class Conditions(TypedDict):
    """A machine (``machine``: its identity), and the versions of Python and of what asv.conf.json requires."""

    machine: str
    processor: str
    cores: int
    python: str
    requirements: dict[str, str]


class Line(Conditions):
    """What the lines of duets have. ``suite``: the commit of the benchmarks, a whole hash. ``empty``: reasons by benchmark
    case."""

    schema: int
    suite: str
    at: str
    empty: dict[str, str]


class AnyRatio(TypedDict):
    """The duet of one benchmark case: the ratio of each pair of processes, their median with its 95 % interval, and the
    base's median in seconds. What is stored of few pairs may have their range instead; a reader gets the interval."""

    ratios: list[Positive]
    ratio: Positive
    low: Positive
    high: Positive
    base: Positive


def check(line: Row, kinds: Mapping[str, type[Parsed]]) -> Parsed:
    """Return the line, which has the type that belongs to its ``said``; ValueError for any other line.

    Keys that are not in the type stay in the line.
    """
    kind = kinds.get(line.get("said", ""))
    if not kind:
        raise ValueError(f"its `said` is not {' or '.join(kinds)}")
    msgspec.convert(line, kind)
    _set_intervals(line)
    return cast(Parsed, line)


def _set_intervals(line: Row) -> None:
    for cell in line.get("cells", {}).values():
        if isinstance(cell, dict) and len(cell.get("ratios", ())) in STUDENT:
            cell["low"], cell["high"] = (float(f"{end:.5g}") for end in interval_of_few(cell["ratios"]))


def stored(lines: Callable[[Places, list[Unread]], list[Parsed]]) -> list[Parsed]:
    """Return this machine's lines, its own and those of the data set, and print those that cannot be read."""
    unread: list[Unread] = []
    known = lines([place / identity() for place in (RESULTS, DATA_SET)], unread)
    for each in unread:
        print(f"left out {each.file}: {each.reason}", flush=True)
    return known


def read(results: Places, name: str, writer: str, parse: Callable[[Row], Parsed], unread: list[Unread]) -> list[Parsed]:
    """Return what the lines of all files of that name below directories hold, each line once.

    parse: raises ValueError, KeyError or TypeError for a line that is none. ``unread`` gets each of those, such as the last
    one of an interrupted run, with the command (``writer``) that should have written it.
    """
    known: dict[str, Parsed] = {}
    directories = [results] if isinstance(results, Path) else results
    for directory, path in [(each, path) for each in directories for path in sorted(each.rglob(name))]:
        file = path.relative_to(directory).as_posix()
        try:
            texts = path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError as error:
            unread.append(Unread(file, f"cannot be read: {error.strerror}"))
            continue
        for number, text in enumerate(texts, 1):
            try:
                if text.strip() and text not in known:
                    line = json.loads(text)
                    msgspec.convert(line, Head)
                    known[text] = parse(line)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                unread.append(Unread(file, f"line {number}: not as {writer} writes it: {error}"))
    return list(known.values())
