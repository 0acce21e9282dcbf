"""The lines of ``duets.jsonl`` in a machine's directory, which ``make history`` writes, and their reader.

A duet's ratio is seconds of ``commit`` over seconds of ``base``. With the role ANCHOR, ``base`` is the machine's anchor, and
``commit`` is a point of a curve or the next anchor. With the role STEP, both are neighbours among the measured commits, and
the line confirms or refutes a step.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypedDict

from history.store.lines import AnyRatio, Conditions, Line, NotNegative, Places, Positive, check, read
from history.store.results import Unread

FILE = "duets.jsonl"
Figures = dict[str, float | str]  # exact figures, or reasons, by benchmark case
ANCHOR, STEP = "anchor", "step"  # roles of a duet
STEP_FACTOR = 1.05  # asv's threshold, up or down: smaller steps are neither looked for nor listed


class Ratio(AnyRatio):
    """``commit``: its median in seconds."""

    commit: Positive


class DuetLine(Line):
    """A duet of two commits (whole hashes) by benchmark case. An anchor with itself shows the noise.

    ``is_anchor``: the commit is the anchor from here on. ``base_requirements``: of the base's environment, if it differs.
    """

    said: Literal["duet"]
    role: Literal["anchor", "step"]
    base: str
    commit: str
    base_requirements: NotRequired[dict[str, str]]
    is_anchor: NotRequired[bool]
    began: str
    cells: dict[str, Ratio]


class Reference(TypedDict):
    """An exact line: its commit and its time."""

    commit: str
    at: str


class ExactLine(Line):
    """Exact figures of a commit, by benchmark case.

    ``same_as``: a line with the same conditions, before or after this one. Its figures and reasons hold for this line too,
    except for cases that this line has itself and those in ``without``. Lines that ``lines`` returns are complete and lack
    both keys.
    """

    said: Literal["exact"]
    commit: str
    cells: dict[str, NotNegative]
    same_as: NotRequired[Reference]
    without: NotRequired[list[str]]


CommitLine = DuetLine | ExactLine
KINDS: dict[str, type[CommitLine]] = {"duet": DuetLine, "exact": ExactLine}  # by ``said``


def lines(results: Places, unread: list[Unread]) -> list[CommitLine]:
    """Return the lines of all machines below directories, oldest first. ``unread`` gets each line that cannot be read."""
    parsed = read(results, FILE, "make history", lambda line: check(line, KINDS), unread)
    ordered = sorted(parsed, key=lambda line: line["at"])
    incomplete: list[ExactLine] = [line for line in ordered if line["said"] == "exact"]
    complete: dict[tuple[str, str, str], Figures] = {}
    count = 0
    while count != len(incomplete):  # a line may name one of the same second, which comes later
        count, incomplete = len(incomplete), [line for line in incomplete if not _complete(line, complete)]
    for line in incomplete:
        reason = f"the exact figures of {line['commit'][:8]} lack those that they share with another line's"
        unread.append(Unread(FILE, reason))
    return [line for line in ordered if "same_as" not in line]


def shorten(line: Mapping[str, Any], stored: Iterable[CommitLine]) -> dict[str, Any]:
    """Return an exact line without the figures that it shares with the most similar line of ``stored`` of its conditions."""
    figures, here = _figures(line), _conditions(line)
    exact = (each for each in stored if each["said"] == "exact" and _conditions(each) == here)
    bases = [each for each in exact if _saved(each, figures) > 0]
    if not bases:
        return dict(line)
    base = max(bases, key=lambda each: _saved(each, figures))
    shared = _figures(base)
    rest = {name: figure for name, figure in figures.items() if shared.get(name) != figure}
    without = [name for name in shared if name not in figures]
    same_as = {"commit": base["commit"], "at": base["at"]}
    return {**line, "same_as": same_as, **({"without": without} if without else {}), **_split(rest)}


def _saved(base: ExactLine, figures: Figures) -> int:
    """Return how many cases a line saves by naming ``base``: those that both share, minus those to exclude."""
    base_figures = _figures(base)
    return len(base_figures.items() & figures.items()) - len(base_figures.keys() - figures.keys())


def _complete(line: ExactLine, complete: dict[tuple[str, str, str], Figures]) -> bool:
    """Complete a line by that of ``complete`` (by conditions, commit, time) which it names, and add it there. Return False
    without that one."""
    conditions = _conditions(line)
    base = line.get("same_as")
    shared = complete.get((conditions, base["commit"], base["at"])) if base else {}
    if shared is None:
        return False
    line.pop("same_as", None)
    without = line.pop("without", [])
    figures = {name: figure for name, figure in shared.items() if name not in without} | _figures(line)
    line.update(_split(figures))  # type: ignore[typeddict-item]
    complete[conditions, line["commit"], line["at"]] = figures
    return True


def _conditions(line: Mapping[str, Any]) -> str:
    return json.dumps([line.get(name) for name in Conditions.__annotations__], sort_keys=True)


def _figures(line: Mapping[str, Any]) -> Figures:
    return {**line["empty"], **line["cells"]}


def _split(figures: Figures) -> dict[str, Figures]:
    cells: Figures = {name: figure for name, figure in figures.items() if not isinstance(figure, str)}
    return {"cells": cells, "empty": {name: reason for name, reason in figures.items() if name not in cells}}


def is_step(ratio: AnyRatio, factor: float = STEP_FACTOR) -> bool:
    """True if a ratio differs from 1 by the factor or more, up or down, and its interval excludes 1."""
    return not ratio["low"] <= 1 <= ratio["high"] and not 1 / factor < ratio["ratio"] < factor
