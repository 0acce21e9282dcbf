"""The tables of ``jitkernels time``: one a kernel, what its lives consist of, and each compiler's mean speed-up."""

from collections.abc import Callable, Iterator, Sequence

from rich.table import Table

from jitkernels.command.tables import build, by_kernel, number, plain, ratio, status
from jitkernels.measure import modes, retrace, speedup
from jitkernels.measure.break_even import NOT_FASTER, NOT_TOLD_APART
from jitkernels.measure.rows import SpeedUp, TimeRow
from jitkernels.quantities import megabytes, seconds

UNSETTLED = "* its first calls had not settled: a warm time that still changes is no property of the program"
Column = Callable[[TimeRow], object]


def timings(rows: Sequence[TimeRow]) -> Iterator[Table]:
    """Yield the tables of one kernel after the other; then, where several cases were timed, the mean speed-ups."""
    kernels = by_kernel(rows)
    for name, own in kernels.items():
        yield _timings(own, name if len(kernels) > 1 else None)
        for table in (_retraces(own), _stages(own), _modes(own)):
            if table.row_count:
                yield table
    summary = speedup.summary(rows)
    if summary and len(rows) > len({row["backend"] for row in rows}):
        yield _speedups(summary)


def _timings(rows: Sequence[TimeRow], title: str | None) -> Table:
    """Return one kernel's table; a life that no row has gets no column."""
    columns: dict[str, Column] = {
        **plain("backend", "size"),
        "warm": lambda row: f"{seconds(row['warm_seconds'])}{_star(row)}" if row["status"] == "ok" else status(row),
        "25-75 %": lambda row: "-".join(map(seconds, row["warm_quartiles"] or ())),
        f"{rows[0]['work_unit']} per second": lambda row: _starred(row, row["work_per_second"], ".3g"),
        "of c": lambda row: _starred(row, row["fraction_of_c"], ".2g"),
        "over eager": _over_eager,
        **{life: text for life, text in LIVES.items() if any(text(row) for row in rows)},
        "value": lambda row: number(row["value"]),
        "error": lambda row: number(row["error"]),
        "threads": lambda row: row.get("threads"),
        "version": lambda row: row["reason"] or row["version"],
    }
    return build(rows, columns, title=title, caption=UNSETTLED if any(map(_star, rows)) else None)


def _cached(row: TimeRow) -> str:
    """Return seconds; and where programs were compiled though a disk cache was there to give them back, how many."""
    compiled = row["cached_programs"]
    return seconds(row["cached_seconds"]) + (f", {compiled} compiled" if compiled else "")


def _pays_off(rival: str) -> Column:
    """Return the column of the warm calls after the first until the compiler has paid for itself."""

    def text(row: TimeRow) -> str:
        outcome = row["break_even"] or {}
        if isinstance(calls := outcome.get(rival), int):
            return f"{calls:,}{_star(row)}"
        return {NOT_FASTER: "never", NOT_TOLD_APART: "not told apart"}.get(str(outcome.get(f"{rival}_reason")), "")

    return text


LIVES: dict[str, Column] = {
    "cold": lambda row: seconds(row["cold_seconds"]),
    "cached": _cached,
    "retrace": lambda row: seconds(row["retrace_seconds"]),
    "memory": lambda row: megabytes(row["peak_bytes"]),
    "compiling": lambda row: megabytes(row["compile_peak_bytes"]),
    "running": lambda row: megabytes(row["run_peak_bytes"]),
    "pays off over numpy": _pays_off("numpy"),
    "pays off over eager": _pays_off("eager"),
}


def _retraces(rows: Sequence[TimeRow]) -> Table:
    """Return the first call with something new, a column for each kind of change that says something."""
    kinds = [kind for kind in retrace.KINDS if any(_retrace(kind)(row) for row in rows)]
    columns: dict[str, Column] = {**plain("backend", "size")}
    columns |= {f"new {kind}": _retrace(kind) for kind in kinds}
    return build([row for row in rows if kinds and row["retraces"]], columns, title="first call of a warm process with a")


def _retrace(kind: str) -> Callable[[TimeRow], str]:
    def text(row: TimeRow) -> str:
        change = (row["retraces"] or {}).get(kind)
        if not change or change["seconds"] is None:
            return ""
        return f"{seconds(change['seconds'])}, {change['programs'] or 'none'} compiled"

    return text


def _stages(rows: Sequence[TimeRow]) -> Table:
    columns: dict[str, Column] = {
        **plain("backend", "size"),
        "stages": lambda row: ", ".join(f"{stage} {seconds(taken)}" for stage, taken in (row["stages"] or {}).items()),
        "other": lambda row: seconds(row["stages_other"]),
        "whole": lambda row: seconds(row["stages_total"]),
        "processors' time": lambda row: seconds(row["stages_cpu_seconds"]),
    }
    return build([row for row in rows if row["stages"]], columns, title="one cold compilation")


def _modes(rows: Sequence[TimeRow]) -> Table:
    columns: dict[str, Column] = {**plain("size")}
    columns |= {step: _mode(step) for step in modes.STEPS.values()}
    return build([row for row in rows if row["ladder"]], columns, title="torch.compile, what each mode adds to a cold call")


def _mode(step: str) -> Column:
    return lambda row: seconds((row["ladder"] or {}).get(step))


def _speedups(rows: Sequence[SpeedUp]) -> Table:
    columns: dict[str, Callable[[SpeedUp], object]] = {
        **plain("backend", "over", "cases"),
        "geometric mean": lambda row: f"{row['geomean']:.2f}x",
        "deviation": lambda row: f"{row['geometric_deviation']:.2f}x",
        "least": lambda row: f"{row['least']:.2f}x",
        "most": lambda row: f"{row['most']:.2f}x",
    }
    return build(rows, columns, title="speed-up over the framework's own eager mode")


def _over_eager(row: TimeRow) -> str:
    text = ratio(row["speedup"], row["speedup_range"], ".3g")
    return f"{text}x{_star(row)}" if text else ""


def _starred(row: TimeRow, value: float | None, digits: str) -> str:
    return f"{value:{digits}}{_star(row)}" if value else ""


def _star(row: TimeRow) -> str:
    """Return the mark of a figure that rests on calls that had not settled."""
    return "*" if row["settled"] is False else ""
