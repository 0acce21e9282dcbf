"""The outcome of a comparison: its figures, and in words the answer, the table and its notes, as text and as HTML."""

import functools
import html
import itertools
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jitkernels.backends.table import find_backend
from jitkernels.functions.definition import PLAIN
from jitkernels.measure import comparisons, ranking, words
from jitkernels.measure.rows import Row
from jitkernels.quantities import megabytes, seconds

SHORT = 1e-6  # seconds of a call: the clock itself takes a tenth of it


class Outcome:
    """Which function is faster at each size, and when compiling has paid. ``Report`` describes the attributes."""

    with_stages = False

    def __init__(self, rows: Sequence[Row], reference: str) -> None:
        self.rows, self.reference = list(rows), reference

    @property
    def ok(self) -> bool:
        """True if every function that can run on this machine gave right answers, and at least one can."""
        statuses = {row["status"] for row in self.rows}
        return "ok" in statuses and statuses <= {"ok", "unavailable"}

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(row["label"] for row in self.rows))

    @property
    def sizes(self) -> list[int]:
        return sorted({row["size"] for row in self.rows})

    def ranking(self, size: int) -> list[ranking.Place]:
        """Return the places of the functions that gave right answers at a size, fastest first.

        ValueError for a size that was not measured.
        """
        if size not in self.sizes:
            raise ValueError(f"size {size!r} was not measured; known: {', '.join(map(str, self.sizes))}")
        timed = [row for row in self.rows if row["size"] == size and row["status"] == "ok" and not row.get("interpreted")]
        return ranking.places({row["label"]: row["warm_processes"] for row in timed})

    def fastest(self, size: int) -> list[str]:
        """Return the labels of the fastest functions at a size: several if not told apart, none if none ran."""
        return [place.backend for place in self.ranking(size) if place.rank == 1]

    def break_even(self, rival: str | None = None) -> dict[str, dict[int, int | str]]:
        """Return by label and size the warm calls after which compiling has paid, or why it never does.

        The number is the fewest calls after the first by which the function has taken no longer in all than the rival.
        Functions that are not compiled (numpy, python, eager modes) have none. rival: a label, by default the reference.
        ValueError for an unknown label, or if first calls were not measured.
        """
        rival = rival or self.reference
        if rival not in self.labels:
            raise ValueError(f"unknown rival {rival!r}; known: {', '.join(self.labels)}")
        if not self.has_first_calls:
            raise ValueError("first calls were not measured: lives=('cold',) measures them")
        others = {row["size"]: row for row in self.of(rival)}
        paid: dict[str, dict[int, int | str]] = {}
        for row in self.rows:
            other, is_compared = others[row["size"]], row["label"] != rival and find_backend(row["backend"]).compiles
            if is_compared and row["status"] == other["status"] == "ok" and row["cold_seconds"] and other["cold_seconds"]:
                calls, reason = comparisons.calls_until_paid(row, other)
                paid.setdefault(row["label"], {})[row["size"]] = reason or "" if calls is None else calls
        return paid

    @property
    def has_first_calls(self) -> bool:
        return any(row["cold_seconds"] for row in self.rows)

    @property
    def processes(self) -> int:
        """The most processes that gave samples of a function."""
        return max((len(row["warm_processes"]) for row in self.rows if row["warm_processes"]), default=0)

    @property
    def has_enough_processes(self) -> bool:
        """True if there were enough processes to tell functions apart."""
        return self.processes >= ranking.FEWEST

    def of(self, label: str) -> list[Row]:
        return [row for row in self.rows if row["label"] == label]

    def answer(self) -> str:
        """Return in a sentence which function is fastest from which size on, and after how many calls compiling has paid."""
        parts = list(_fastest_by_size(self))
        if not parts:
            can_run = any(row["status"] != "unavailable" for row in self.rows)
            return "No function gave a right answer." if can_run else "No function can run here, for the reasons below."
        size = self.sizes[-1]
        paid = self.break_even() if self.has_first_calls else {}
        numbers = {label: by_size[size] for label, by_size in paid.items() if isinstance(by_size.get(size), int)}
        numbers = dict(sorted(numbers.items(), key=lambda pair: pair[1]))
        calls = [f"{label} pays after {_calls(self, count)}" for label, count in numbers.items()]
        basis = "" if self.has_enough_processes else f"; an estimate of {_processes(self)}"
        at = f" (over {self.reference}, at {size:,}{basis})" if calls else ""
        wrong = [label for label in self.labels if any(r["status"] in ("wrong", "failed") for r in self.of(label))]
        trouble = f" No right answer everywhere, for the reasons below: {', '.join(wrong)}." if wrong else ""
        return f"{'; '.join([', '.join(parts), *([', '.join(calls) + at] if calls else [])])}.{trouble}"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the titles and the rows of the table as texts, fastest first within each size."""
        paid = self.break_even() if self.has_first_calls else {}
        columns: dict[str, Callable[[Row], str]] = {
            "size": lambda row: f"{row['size']:,}",
            "function": lambda row: row["label"],
            "warm call": words.warm,
            "25-75 %": words.quartiles,
            "times the fastest": functools.partial(_times, self),
            "first call": lambda row: seconds(row["cold_seconds"]),
            "cached": words.cached,
            "retrace": lambda row: seconds(row["retrace_seconds"]),
            "memory": lambda row: megabytes(row["peak_bytes"]),
            f"pays over {self.reference}": lambda row: _calls(self, paid.get(row["label"], {}).get(row["size"])),
            "stages of a first call": lambda row: words.stages(row) if self.with_stages else "",
            "error": lambda row: "" if row["error"] is None else f"{row['error']:.2g}",
            "NaN": lambda row: f"{row['nan']:,}" if row.get("nan") else "",
            "threads": lambda row: str(row.get("threads") or ""),
            "reason": lambda row: row["reason"] or "",
        }
        rows = sorted(self.rows, key=lambda row: (row["size"], row["warm_seconds"] or math.inf))
        shown = {title: text for title, text in columns.items() if any(map(text, rows))}
        return list(shown), [[text(row) for text in shown.values()] for row in rows]

    def notes(self) -> list[str]:
        """Return what the table's words mean, and the machine."""
        versions = dict.fromkeys(row["version"] for row in self.rows if row["version"])
        lines = [
            f"warm call: the median of a call and its wait, of {_processes(self)}; answers checked before and after",
            f"two are told apart if all processes of one were faster than all of the other's; it takes {ranking.FEWEST}",
        ]
        if any(row["settled"] is False for row in self.rows):
            lines.append("* its calls still changed their speed: take a larger size, more processes, or a quieter machine")
        if any(row.get("nan") for row in self.rows):
            lines.append(
                "NaN: entries of the answer that are no numbers; where the reference has them too, nothing is compared"
            )
        if jitted := [label for label in self.labels if any(row.get("jitted") for row in self.of(label))]:
            reason = "it runs as it is, so its stages cannot be timed, and its own decorator decides what a disk cache keeps"
            lines.append(f"jitted already: {', '.join(jitted)}: {reason}")
        if idle := [label for label in self.labels if any(map(_compiled_nothing, self.of(label)))]:
            reason = "it was compiled before (a signature, or a warm-up in your file), or runs as plain Python"
            lines.append(f"the first call compiled nothing: {', '.join(idle)}: {reason}")
        lines += _outside_the_clock(self.rows)
        lines += dict.fromkeys(filter(None, (_bits(self, row) for row in self.rows)))
        return [*lines, *words.machines(self.rows), "; ".join(versions)]

    def parts(self) -> list[Any]:
        """Return the answer, the table as Rich draws it, and its notes."""
        from rich.table import Table

        titles, rows = self.table()
        table = Table(*titles)
        for row in rows:
            table.add_row(*row)
        return [self.answer(), table, *filter(None, self.notes())]

    def __repr__(self) -> str:
        """Return the parts as text."""
        from rich.console import Console

        console = Console(width=200, markup=False, color_system=None, force_jupyter=False)
        with console.capture() as capture:
            console.print(*self.parts(), sep="\n")
        return capture.get().rstrip()

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes() if note)
        table = words.html_table(*self.table(), label="table")
        return f'<p class="answer">{html.escape(self.answer())}</p>{table}<ul>{lines}</ul>'


def _fastest_by_size(outcome: Outcome) -> Iterator[str]:
    """Yield the fastest functions of each range of sizes."""
    most = None if outcome.has_enough_processes else 1  # with few processes none is told apart, so all are the fastest
    first = {size: outcome.fastest(size)[:most] for size in outcome.sizes}
    by_names = itertools.groupby(outcome.sizes, key=lambda size: tuple(first[size]))
    groups = [(names, list(sizes)) for names, sizes in by_names if names]
    for names, sizes in groups:
        where = f"at {sizes[0]:,}" if len(sizes) == 1 else f"from {sizes[0]:,} to {sizes[-1]:,}"
        if len(groups) > 1 and sizes[-1] == outcome.sizes[-1]:
            where = f"from {sizes[0]:,} on"
        verb = "is fastest" if len(names) == 1 else "are not told apart and fastest"
        if all(len(outcome.ranking(size)) == 1 for size in sizes):
            verb = "is the only one timed"
        is_known = outcome.has_enough_processes or "only" in verb
        yield f"{_listed(names)} {verb if is_known else 'has the shortest time'} {where}"


def _times(outcome: Outcome, row: Row) -> str:
    best = outcome.ranking(row["size"])
    if not best or row["status"] != "ok":
        return ""
    return f"{statistics.median(row['warm_processes']) / best[0].seconds:.3g}"


def _calls(outcome: Outcome, paid: int | str | None) -> str:
    """Return the number of calls, or the first words of the reason."""
    calls = f" call{'s' * (paid != 1)}" if isinstance(paid, int) else ""
    return words.paid(paid, outcome.has_enough_processes) + calls


def _outside_the_clock(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what a time includes or leaves out, where a reader could be wrong about it."""
    timed = [(find_backend(row["backend"]).dialect, row) for row in rows if row["warm_seconds"]]
    if any(dialect not in PLAIN for dialect, _ in timed):
        yield "no time includes a conversion: arrays are on the device before the clock starts, and answers stay there"
    if any(dialect == "python" and row.get("argument_dtypes") for dialect, row in timed):
        yield "python got NumPy's arrays: a loop over one takes longer than over a list"
    if any(row["warm_seconds"] < SHORT for _, row in timed):
        yield "below 1 us a call: about 0.1 us of it is the clock's own call of the function"


def _compiled_nothing(row: Row) -> bool:
    """True if a compiler neither made a program in a measured first call nor loaded one from disk."""
    if row.get("interpreted") or not find_backend(row["backend"]).compiles:
        return False
    return any(row[f"{life}_programs"] == row[f"{life}_from_disk"] == 0 for life in ("cold", "cached"))


def _bits(outcome: Outcome, row: Row) -> str:
    """Return a note if a function computes with other dtypes than the reference, else ""."""
    truth = next((each for each in outcome.of(outcome.reference) if each["size"] == row["size"]), {})
    for key in ("argument_dtypes", "answer_dtypes"):
        dtypes, true_dtypes = row.get(key) or (), truth.get(key) or ()
        for dtype, other in zip(dtypes, true_dtypes, strict=True) if len(dtypes) == len(true_dtypes) else ():
            bits, other_bits = (int("".join(filter(str.isdigit, name)) or 0) for name in (dtype, other))
            if bits and other_bits and bits != other_bits:
                text = f"{row['label']} computes in {dtype}, {outcome.reference} in {other}: its answers have"
                is_narrow = bits < other_bits
                advice = "; jax_enable_x64 gives JAX 64 bits" if is_narrow and row["backend"].startswith("jax") else ""
                return f"{text} {'fewer' if is_narrow else 'more'} bits{advice}"
    return ""


def _processes(outcome: Outcome) -> str:
    return f"{outcome.processes} process{'es' * (outcome.processes != 1)}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
