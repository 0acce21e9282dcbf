"""Charts of compilations: the lives of a call, the stages of a compiler, its files, and its exact counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from jitkernels.backends.table import BACKENDS
from jitkernels.charts import description, figures
from jitkernels.charts.description import NAME, SAMPLES, SECONDS, SETTLED, SIZE, WARM, Data, Field, Row, chart, number, text

EXECUTED = "Instructions.track_count"  # no count of the output
FILE_FIELDS = (
    Field("bytes", "size of the file", "bytes"),
    number("ratio", "warm call, over just in time"),
    number("other_shape", "accepts another shape"),
)


@chart(
    "First calls and warm calls",
    "Seconds on a logarithmic scale. Cold: the first call, with empty caches. Cached: the first call, with caches that "
    "another process filled. Retrace: the first call with something new in a warm process. Warm: a later call.",
    (NAME, SIZE, text("life"), *WARM, SAMPLES, SETTLED),
    "cold calls",
    named=True,
)
def lives(data: Data) -> list[Row]:
    """Return up to four rows for each backend, at the size at which most backends were called cold.

    If a life was not measured at that size, its row is of the nearest size.
    """
    size = _commonest_size(data, "cold_seconds")
    rows = []
    for backend in dict.fromkeys(row["backend"] for row in figures.measured(data, "cold_seconds")):
        for life in description.LIVES:
            row = figures.nearest(data, backend, f"{life}_seconds", size)
            if row:
                rows.append({**figures.case(row), "life": life, **figures.spread(row, f"{life}_seconds")})
    return rows


@chart(
    "Where a compilation's time goes",
    "The stages of one cold compilation, by each compiler's own names. The total is at the end. "
    '"other" is the time outside of all stages. Measured in another process than the first call, with Python\'s garbage '
    "collection, so it may take longer.",
    (NAME, SIZE, text("stage"), SECONDS, number("share"), Field("total", "all stages", "seconds")),
    "the stages of compilations",
    named=True,
)
def stages(data: Data) -> list[Row]:
    """Return one row for each stage of each compiler, at one size. ``share``: of all stages' sum, from ``start`` to ``end``.
    ``total``: measured; each stage is the median of its own times, so their sum can be another.

    "other" is the time outside of all stages. The noise of the clock can make it negative; then its share is 0.
    """
    rows = []
    size = _commonest_size(data, "stages.other")
    for row in (row for row in data["rows"] if row["size"] == size):
        parts = {name: seconds for name, seconds in figures.family(row, "stages") if name != "total"}
        total, start = sum(max(0.0, seconds) for seconds in parts.values()), 0.0
        for order, (stage, seconds) in enumerate(parts.items()):
            share = max(0.0, seconds) / total if total else 0.0
            whole = figures.value(row, "stages.total") or total
            named = {"figure": f"stages.{stage}", "stage": stage, "seconds": seconds, "total": whole}
            place = {"order": order, "start": start, "end": start + share, "share": share}
            rows.append({**figures.compiler_case(row), **named, **place})
            start += share
    return rows


@chart(
    "Compiled ahead of time, and just in time",
    "Seconds on a logarithmic scale: to build the file that a compiler writes, to load it, and of the first call from it. "
    '"just in time" is the first call without such a file.',
    (NAME, SIZE, text("form"), text("step"), SECONDS, *FILE_FIELDS),
    "files compiled ahead of time",
    named=True,
)
def ahead_of_time(data: Data) -> list[Row]:
    """Return, for each file that a compiler writes, the seconds of each ``step`` ("build", "load", "first call").

    The step "just in time" is the same compiler's first call without a file, at the size nearest to the file's. ``ratio``: a
    warm call's seconds over those of the just-in-time program. ``other_shape``: True if the file takes another shape.
    """
    return [
        {**figures.compiler_case(row), **_file(row["backend"], form, numbers), **step}
        for row in data["rows"]
        for form, numbers in _forms(row).items()
        for step in _steps(data, row, form, numbers)
    ]


@chart(
    "Counts of what compilers made",
    "Exact counts of each compiler's output and actions: the same on every run of one release. Instructions of a call, "
    "which the processor executes, may differ by 0.5 %.",
    (NAME, SIZE, text("count"), number("value")),
    "the compilers' counts",
)
def counts(data: Data) -> list[Row]:
    """Return one row for each count of each compiler, at the largest size at which it was counted."""
    latest: dict[tuple[str, str], Row] = {}
    for row in [*data.get("observations", ()), *sorted(data["rows"], key=lambda row: row["size"])]:
        for count in _counted(row):
            latest[row["backend"], count["count"]] = {**figures.compiler_case(row), **count}
    order = {backend: place for place, backend in enumerate(BACKENDS)}
    return sorted(latest.values(), key=lambda row: (row["count"], order.get(row["backend"], len(order))))


def _commonest_size(data: Data, name: str) -> int | None:
    """Return the size at which most backends have the figure; the smallest of several."""
    sizes = Counter(row["size"] for row in figures.measured(data, name))
    return min(sizes, key=lambda size: (-sizes[size], size), default=None)


def _forms(row: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return, for each form of file that was compiled ahead of time, its numbers by the end of the figure's name."""
    forms: dict[str, dict[str, float]] = {}
    for name, value in figures.family(row, "aot"):
        form, _, ending = name.partition(".")
        forms.setdefault(form, {})[ending] = value
    return forms


def _file(backend: str, form: str, numbers: Mapping[str, float]) -> Row:
    words, other_shape = form.replace("_", " "), numbers.get("other_shape")
    return {
        "form": words,
        "file": f"{backend}: {words}",
        "bytes": numbers.get("bytes"),
        "ratio": numbers.get("warm_over_jit"),
        "other_shape": None if other_shape is None else bool(other_shape),
    }


def _steps(data: Data, row: Mapping[str, Any], form: str, numbers: Mapping[str, float]) -> Iterator[Row]:
    """Yield the step, seconds and figure of each step of a file, and of the first call without a file."""
    for name, seconds in numbers.items():
        if name.endswith("_seconds"):
            step = name.removesuffix("_seconds").replace("_", " ")
            yield {"figure": f"aot.{form}.{name}", "step": step, "seconds": seconds}
    cold = figures.nearest(data, row["backend"], "cold_seconds", row["size"])
    if cold and "just_in_time_seconds" not in numbers:
        yield {"figure": "cold_seconds", "step": "just in time", "seconds": figures.value(cold, "cold_seconds")}


def _counted(row: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the figure, words and value of each count. The words of "counts.fusions" are "fusions", those of
    "Caching.track_programs.run.same" are "programs, run, same"."""
    for name, figure in row["figures"].items():
        kind, _, rest = name.partition(".")
        is_tracked = rest.startswith("track_") and kind != "Roof"
        is_count = kind in ("counts", "programs") or is_tracked
        if is_count and figure.get("value") is not None and figure.get("unit") not in ("seconds", "bytes"):
            words = rest.removeprefix("track_") if kind == "counts" or is_tracked else name
            words = "instructions of a call" if name == EXECUTED else words
            yield {"figure": name, "count": words.replace(".", ", ").replace("_", " "), "value": figure["value"]}
