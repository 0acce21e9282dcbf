"""Flat rows for each chart, from what was measured of one kernel on one machine.

``data`` is that: {"kernel", "size": what a size counts ("points"), "rows": [row], "observations": [row], "rankings":
[ranking]}, as the site's files of a kernel hold it and as ``timings.data`` makes it from the rows of ``jitkernels time``.

- A row is a cell: {"backend", "size", "status", "interpreted", "figures": {name: figure}}; an observation one without a
  size (null).
- A figure is {"value", "low", "high" (quartiles of samples, or null), "settled", ...}; a name that is not there was not
  measured. Names are those of docs/measures.md, and with a point in them ``stages.NAME`` ("stages.other" too),
  ``retraces.KIND``, ``counts.NAME`` and, of a file made ahead of time, ``aot.FORM.build_seconds``, ``aot.FORM.bytes`` and
  whatever other seconds it has.
- A ranking is {"size", "entries": [{"backend", "break_even": {"numpy", "numpy_reason", "eager", "eager_reason"}}]}.

Every function here and in ``estimates`` gives dicts of numbers, text, booleans and null, in the order of the input. A chart
for which nothing was measured has no rows.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jitkernels.backends.table import BACKENDS
from jitkernels.charts import cells
from jitkernels.charts.cells import Data, Row
from jitkernels.charts.estimates import error, pi, tradeoff
from jitkernels.charts.palette import shown
from jitkernels.measure.speedup import eager_mode

LIVES = ("cold", "cached", "retrace", "warm")
NEVER = "never"
COUNTS = ("counts", "programs")  # families of figures


def seconds(data: Data) -> list[Row]:
    """One row for each cell with a warm call."""
    return cells.warm(data)


def lives(data: Data) -> list[Row]:
    """Up to four rows for each backend: at the one size at which most backends were called cold, or, for a life that was
    not measured there, at the nearest to it."""
    size = _commonest_size(data, "cold_seconds")
    if size is None:
        return []
    found = []
    for backend in dict.fromkeys(row["backend"] for row in cells.measured(data, "cold_seconds")):
        for life in LIVES:
            own = [row for row in cells.measured(data, f"{life}_seconds") if row["backend"] == backend]
            nearest = min(own, key=lambda row: abs(math.log(row["size"] / size)), default=None)
            if nearest:
                found.append({**cells.cell(nearest), "life": life, **cells.spread(nearest, f"{life}_seconds")})
    return found


def stages(data: Data) -> list[Row]:
    """One row for each stage of each compiler, at one size; ``share`` of the seconds that are in any, from ``start`` on.

    "other" is what is in no stage. Its clock noise can make it negative; then its share is 0.
    """
    found = []
    size = _commonest_size(data, "stages.other")
    for row in (row for row in data["rows"] if row["size"] == size):
        parts = {name: value for name, value in cells.family(row, "stages") if name != "total"}
        whole, begin = sum(max(0.0, value) for value in parts.values()), 0.0
        for order, (name, value) in enumerate(parts.items()):
            share = max(0.0, value) / whole if whole else 0.0
            place = {"order": order, "start": begin, "end": begin + share, "share": share}
            found.append({**cells.of_the_compiler(row), "stage": name, "seconds": value, "total": whole, **place})
            begin += share
    return found


def ahead_of_time(data: Data) -> list[Row]:
    """For each file that a compiler writes: seconds by ``step`` ("build", "load", ...), and, beside it, the first call
    of the compiler just in time, at the size nearest to the file's.

    ``ratio``: a warm call's seconds over those of the program made just in time. ``other_shape``: whether it takes one.
    """
    found = []
    for row in data["rows"]:
        forms = dict.fromkeys(name.partition(".")[0] for name, _ in cells.family(row, "aot"))
        for form in forms:
            figures = {
                name.partition(".")[2]: value for name, value in cells.family(row, "aot") if name.startswith(f"{form}.")
            }
            steps = {name: value for name, value in figures.items() if name.endswith("_seconds")}
            cold = _nearest_cold(data, row)
            if cold is not None:
                steps.setdefault("just_in_time_seconds", cold)
            file = {
                "form": form.replace("_", " "),
                "file": f"{row['backend']}: {form.replace('_', ' ')}",
                "bytes": figures.get("bytes"),
                "ratio": figures.get("warm_over_jit"),
                "other_shape": _yes(figures.get("other_shape")),
            }
            found += [
                {
                    **cells.of_the_compiler(row),
                    **file,
                    "step": step.removesuffix("_seconds").replace("_", " "),
                    "seconds": value,
                }
                for step, value in steps.items()
            ]
    return found


def counts(data: Data) -> list[Row]:
    """One row for each count of each compiler, at the largest size at which it was counted."""
    latest: dict[tuple[str, str], Row] = {}
    for row in [*data.get("observations", ()), *sorted(data["rows"], key=lambda row: row["size"])]:
        for name, value in _counted(row):
            latest[row["backend"], name] = {**cells.of_the_compiler(row), "count": name, "value": value}
    order = list(BACKENDS)
    return sorted(
        latest.values(), key=lambda row: (row["count"], order.index(row["backend"]) if row["backend"] in order else 99)
    )


def speedup(data: Data) -> list[Row]:
    """One row for each warm cell and rival: how many ``times`` faster than NumPy, and than its framework's eager mode.

    ``low`` and ``high``: the least and the most that the quartiles of both allow.
    """
    found = []
    measured = {(row["backend"], row["size"]): row for row in cells.measured(data, "warm_seconds")}
    for row in measured.values():
        known = row["backend"] in BACKENDS
        for over, rival in {"numpy": "numpy", "eager mode": eager_mode(row["backend"]) if known else None}.items():
            other = measured.get((rival, row["size"])) if rival else None
            if other and rival != row["backend"] and not row.get("interpreted"):
                found.append({**cells.cell(row), "over": over, "rival": rival, **_times_faster(row, other)})
    return found


def break_even(data: Data) -> list[Row]:
    """One row for each compiler, size and rival: the warm calls after which compiling has paid, or why none."""
    interpreted = {(row["backend"], row["size"]): row.get("interpreted") for row in data["rows"]}
    return [
        {
            "backend": entry["backend"],
            "name": shown(entry["backend"], interpreted.get((entry["backend"], ranking["size"]))),
            "size": ranking["size"],
            "over": over,
            "calls": entry["break_even"].get(key),
            "verdict": _verdict(entry["break_even"], key),
            "reason": entry["break_even"].get(f"{key}_reason"),
        }
        for ranking in data.get("rankings", ())
        for entry in ranking["entries"]
        if _compiles(entry["backend"])
        for key, over in {"numpy": "numpy", "eager": "eager mode"}.items()
        if entry.get("break_even") and _verdict(entry["break_even"], key)
    ]


def _counted(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """What is a count by its figure's name, in words: "counts.fusions" is "fusions", "Caching.track_programs.run.same"
    "programs, run, same"."""
    for name, figure in row["figures"].items():
        kind, _, rest = name.partition(".")
        tracked = rest.startswith("track_")
        if (
            (kind in COUNTS or tracked)
            and cells.value(row, name) is not None
            and figure.get("unit") not in ("seconds", "bytes")
        ):
            first, *others = rest.removeprefix("track_").split(".")
            words = [first, *others] if kind == "counts" or tracked else [kind, first, *others]
            yield ", ".join(words).replace("_", " "), cells.value(row, name)


def _commonest_size(data: Data, name: str) -> int | None:
    """The size at which most backends have the figure; the smaller of two."""
    sizes = Counter(row["size"] for row in cells.measured(data, name))
    return min(sizes, key=lambda size: (-sizes[size], size)) if sizes else None


def _nearest_cold(data: Data, row: Mapping[str, Any]) -> Any:
    cold = [other for other in cells.measured(data, "cold_seconds") if other["backend"] == row["backend"]]
    nearest = min(cold, key=lambda other: abs(math.log(other["size"] / row["size"])), default=None)
    return nearest and cells.value(nearest, "cold_seconds")


def _times_faster(row: Mapping[str, Any], other: Mapping[str, Any]) -> Row:
    mine, its = row["figures"]["warm_seconds"], other["figures"]["warm_seconds"]
    ends = [figure.get(end) for figure in (mine, its) for end in ("low", "high")]
    spread = (its["low"] / mine["high"], its["high"] / mine["low"]) if None not in ends else (None, None)
    settled = False if False in (mine.get("settled"), its.get("settled")) else mine.get("settled")
    return {"times": its["value"] / mine["value"], "low": spread[0], "high": spread[1], "settled": settled}


def _yes(value: float | None) -> bool | None:
    return None if value is None else bool(value)


def _compiles(backend: str) -> bool:
    return backend not in BACKENDS or BACKENDS[backend].mode not in ("eager", "interpreter")


def _verdict(found: Mapping[str, Any], key: str) -> str | None:
    """ "never", "not told apart", a number of calls as text; None where there was nothing to compare with."""
    if found.get(key) is not None:
        return f"{found[key]:,}"
    reason = str(found.get(f"{key}_reason"))
    return next((verdict for verdict in (NEVER, "not told apart") if reason.startswith(verdict)), None)


MAKERS: dict[str, Callable[[Data], list[Row]]] = {
    maker.__name__: maker
    for maker in (
        seconds, error, tradeoff, lives, stages, ahead_of_time, counts, speedup, break_even, pi,
    )
}  # fmt: skip
"""By the chart's name."""
