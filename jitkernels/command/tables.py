"""Rows as tables for people, with the sentences of ``answers`` around them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from jitkernels.backends.table import find_backend
from jitkernels.command import answers
from jitkernels.measure import comparisons, retrace, words
from jitkernels.measure.comparisons import has_enough_processes
from jitkernels.measure.rows import Row, by_kernel
from jitkernels.measure.words import star
from jitkernels.quantities import file_size, megabytes, seconds

Columns = Mapping[str, Callable[[Row], object]]  # the text of a row's cell, by title


def build(rows: Sequence[Row], columns: Columns, **options: Any) -> Table:
    """Return a table with these columns. None becomes an empty cell. options: of Rich."""
    table = Table(*columns, **options)
    for row in rows:
        values = [value(row) for value in columns.values()]
        table.add_row(*("" if value is None else str(value) for value in values))
    return table


def plain(*keys: str) -> Columns:
    """Return columns that show the values of these keys, whole numbers with commas."""
    titles = {key.replace("_", " "): key for key in keys}
    return texts(titles, lambda value: f"{value:,}" if isinstance(value, int) else value)


def texts(keys: Mapping[str, str], text: Callable[[Any], object]) -> Columns:
    """Return columns that show the values of these keys, formatted by ``text``. keys: by title."""

    def column(key: str) -> Callable[[Row], object]:
        return lambda row: text(row[key])

    return {title: column(key) for title, key in keys.items()}


def in_seconds(*names: str) -> Columns:
    """Return columns for keys that end with "seconds"."""
    return texts({name.replace("_", " "): f"{name}_seconds" for name in names}, seconds)


def listing(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the table of ``jitkernels list``: a row for each kernel, with reasons by backends. A broken plugin has no kernel
    or no backend."""
    table = Table("kernel", "runs here on", "not on, because", show_lines=True)
    for name, of_kernel in by_kernel(rows).items():
        names: dict[str, list[str]] = {}
        for row in of_kernel:
            names.setdefault(row["reason"] or "", []).append(row["backend"] or "all")
        available = " ".join(names.pop("", ()))
        reasons = (f"{', '.join(group)}: {reason}" for reason, group in names.items())
        table.add_row(name or "all", available, "\n".join(reasons))
    yield table


def checks(rows: Sequence[Row]) -> Iterator[Table | str]:
    """Yield the answer of ``jitkernels check``, tables of wrong and of right answers, and what cannot run here."""
    yield answers.checks(rows)
    names = plain("kernel", "backend", "size")
    right = {**texts({"value": "value", "error": "error"}, _number), "version": _version}
    for columns, statuses in (({"what is wrong": _version}, ("wrong", "failed")), (right, ("ok",))):
        if shown := [row for row in rows if row["status"] in statuses]:
            yield build(shown, {**names, "status": words.status, **columns})
    yield from answers.absences(rows)


def observations(rows: Sequence[Row]) -> Iterator[Table | str]:
    """Yield the table of ``jitkernels patterns``, and why a backend was not observed at all. Impossible observations are
    left out; unexpected ones are marked."""

    def outcome(row: Row) -> str:
        text = row["exception"] or row["outcome"]
        return text if row["as_expected"] else f"{text} (not expected): {row['message'] or row['reason']}"

    columns = {
        **plain("kernel", "backend", "spelling", "pattern"),
        "outcome": outcome,
        **plain("programs", "body_runs", "graph_breaks", "printed"),
        "held": lambda row: ", ".join(row["held"] or ()),
    }
    observed = [row for row in rows if row["outcome"] != "unavailable"]
    if observed:
        yield build(observed, columns)
    backends = {row["backend"] for row in observed}
    yield from answers.absences([row | {"status": row["outcome"]} for row in rows if row["backend"] not in backends])


def forms(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables of ``jitkernels aot``, one for each kernel. In brackets: the just-in-time compiler's figure."""

    def both(key: str, text: Callable[[float], str]) -> Callable[[Row], str]:
        return lambda row: f"{text(row[key])} ({text(row[f'jit_{key}'])})" if row["ratio"] is not None else ""

    columns = {
        **plain("backend", "form", "size", "status"),
        **in_seconds("build"),
        **texts({"bytes": "bytes"}, file_size),
        **in_seconds("import", "load", "first_call"),
        "answer (jit)": both("answer_seconds", seconds),
        **in_seconds("warm"),
        "over jit's": lambda row: None if row["ratio"] is None else f"{row['ratio']:.2f}",
        "largest of ten (jit)": both("first_calls_spread", "{:.3g}x".format),
        **plain("other_shape"),
        "imports": lambda row: None if row["imports"] is None else len(row["imports"]),
        "why": lambda row: row["reason"] or row["other_shape_reason"],
    }
    for name, of_kernel in by_kernel(rows).items():
        yield build(of_kernel, columns, title=name)


def timings(rows: Sequence[Row]) -> Iterator[Table | str]:
    """Yield the answers and tables of ``jitkernels time``, kernel by kernel; then the mean speed-ups, if there are several
    cases; then the meaning of the columns."""
    titles: set[str] = set()
    for of_kernel in by_kernel(rows).values():
        yield from answers.timings(of_kernel)
        shown = fastest_first(of_kernel)
        for table in (lives(shown), _retraces(shown), _stages(shown), _steps(shown)):
            if table.row_count:
                yield table
                titles.update(str(column.header) for column in table.columns)
        yield from answers.absences(of_kernel)
    means = comparisons.mean_speedups(rows)
    if means and len(rows) > len({row["backend"] for row in rows}):
        columns = {
            **plain("backend", "over", "cases"),
            **texts({"geometric mean": "geomean", "deviation": "geometric_deviation"}, "{:.2f}x".format),
            **texts({"least": "least", "most": "most"}, "{:.2f}x".format),
        }
        yield build(means, columns, title="speed-up over the framework's own eager mode")
    is_few = not all(has_enough_processes(row) for row in rows if row["status"] == "ok")
    few = {answers.FEW} if is_few and len({row["backend"] for row in rows}) > 1 else set()
    yield from answers.legend(titles | set(map(star, rows)) | few)


def fastest_first(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that ran, by size, the fastest warm call first; then those that are not ok."""
    ran = [row for row in rows if row["status"] != "unavailable"]
    return sorted(ran, key=lambda row: (row["status"] != "ok", row["size"], row["warm_seconds"] or 0.0))


def lives(rows: Sequence[Row]) -> Table:
    """Return the table of one kernel's rows of ``jitkernels time``, without empty columns."""
    columns: Columns = {
        **plain("backend", "size"),
        "warm": words.warm,
        "25-75 %": words.quartiles,
        f"{rows[0]['work_unit']} per second" if rows else "": lambda row: _starred(row, "work_per_second", ".3g"),
        "of c": lambda row: _starred(row, "fraction_of_c", ".2g"),
        "of roof": _of_roof,
        "over eager": lambda row: _over_eager(row, rows),
        **in_seconds("cold"),
        "cached": words.cached,
        **in_seconds("retrace"),
        **texts({"memory": "peak_bytes", "compiling": "compile_peak_bytes", "running": "run_peak_bytes"}, megabytes),
        "pays off over numpy": lambda row: _pays_off(row, "numpy"),
        "pays off over eager": lambda row: _pays_off(row, "eager"),
        **texts({"value": "value", "error": "error"}, _number),
        "threads": lambda row: row.get("threads"),
        "version": _version,
    }
    return build(rows, {title: text for title, text in columns.items() if any(map(text, rows))})


def _pays_off(row: Row, rival: str) -> str:
    """Return after how many warm calls the compiler has paid for itself, or why it does not."""
    paid = comparisons.calls_or_reason(row["break_even"] or {}, rival)
    text = words.paid(paid, has_enough_processes(row))
    return text + star(row) if isinstance(paid, int) else text


def _retraces(rows: Sequence[Row]) -> Table:
    """Return the table of first calls after a change, with a column for each kind that says something."""

    def column(kind: str) -> Callable[[Row], str]:
        return lambda row: _retrace((row["retraces"] or {}).get(kind))

    kinds = {f"new {kind}": column(kind) for kind in retrace.KINDS}
    shown = {title: text for title, text in kinds.items() if any(text(row) for row in rows)}
    measured = [row for row in rows if shown and row["retraces"]]
    return build(measured, {**plain("backend", "size"), **shown}, title="first call of a warm process with a")


def _retrace(change: Row | None) -> str:
    if not change or change["seconds"] is None:
        return ""
    return f"{seconds(change['seconds'])}, {change['programs'] or 'none'} compiled"


def _stages(rows: Sequence[Row]) -> Table:
    columns = {
        **plain("backend", "size"),
        "stages": words.stages,
        **texts({"other": "stages_other", "whole": "stages_total", "processors' time": "stages_cpu_seconds"}, seconds),
    }
    return build([row for row in rows if row["stages"]], columns, title="one cold compilation")


def _steps(rows: Sequence[Row]) -> Table:
    ladders = [{"size": row["size"], **row["ladder"]} for row in rows if row["ladder"]]
    columns = {**plain("size"), **texts({step: step for step in comparisons.STEPS.values()}, seconds)}
    return build(ladders, columns, title="torch.compile, what each mode adds to a cold call")


def _over_eager(row: Row, rows: Sequence[Row]) -> str:
    """Return the speed-up, with "~" if the row has enough processes but is not told apart from eager mode."""
    if row["speedup"] is None:
        return ""
    eager = find_backend(row["backend"]).eager
    rivals = [rival for rival in rows if (rival["backend"], rival["size"]) == (eager, row["size"])]
    is_tied = has_enough_processes(row) and any(comparisons.overlap(row, rival) for rival in rivals)
    return f"{'~' if is_tied else ''}{row['speedup']:.3g}x{star(row)}"


def _of_roof(row: Row) -> str:
    """Return the share of the nearer roof, and which one it is: "62.1 % of flop"."""
    if not row.get("fraction_of_roof"):
        return ""
    return f"{100 * row['fraction_of_roof']:.3g} % of {row['roof']['by']}{star(row)}"


def _starred(row: Row, key: str, digits: str) -> str:
    return f"{row[key]:{digits}}{star(row)}" if row[key] else ""


def _version(row: Row) -> object:
    """Return what is wrong, or the version."""
    return row["reason"] or row["version"]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
