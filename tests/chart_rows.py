"""Made-up measurements for which every chart has rows, and each chart's rows and picture. Nothing is measured."""

import functools
from typing import Any

from synthetic_ladder import SyntheticLadder

from jitkernels import charts
from jitkernels.charts import pictures, timings

Row = dict[str, Any]
QUICKEST = {"numpy": 1e-5, "c": 1e-7, "numba": 2e-7, "jax_eager": 1e-3, "jax": 1e-4}  # seconds of a call without points


def timed(backend: str, size: int, seconds: float, **others: Any) -> Row:
    """Return a row as ``jitkernels time --json`` has it."""
    case = {"kernel": "philox_pi", "backend": backend, "size": size, "status": "ok", "reason": None, "interpreted": False}
    on = {"processor": "a processor", "device": "cpu", "threads": 2}
    warm = {"warm_seconds": seconds, "warm_samples": 10, "warm_quartiles": [seconds * 0.9, seconds * 1.1], "settled": True}
    warm["warm_processes"] = [seconds * part for part in (0.9, 0.95, 1.0, 1.05, 1.1)]
    return {**case, **on, **warm, **others}


def lived(backend: str, size: int, seconds: float) -> Row:
    """Return a row with every life and with stages; clock noise makes the time outside the stages negative."""
    even = {"numpy": 12, "numpy_reason": None, "eager": None, "eager_reason": "never: its warm call is not the faster one"}
    lives = {"cold_seconds": 1.0, "cached_seconds": 0.1, "retrace_seconds": 0.5, "break_even": even, "error": 0.01, "z": 0.2}
    stages = {"stages": {"trace": 0.2, "compile": 0.6}, "stages_other": -0.01, "stages_total": 0.79}
    return timed(backend, size, seconds, **lives, **stages)


def roofed(backend: str, seconds: float, threads: int = 1) -> Row:
    """Return a row with a roof whose corner is at ten operations per byte. Its call has five, so bytes limit it."""
    rates = {"flop_per_second": 1e11 * threads, "bytes_per_second": 1e10 * threads}
    roof = {"by": "bytes", "seconds": 2e-4 / threads, "flop": 1e7, "bytes": 2e6, **rates}
    share = {"threads": threads, "roof": roof, "fraction_of_roof": roof["seconds"] / seconds}
    return timed(backend, 1_000, seconds, **share)


def built(backend: str, form: str) -> Row:
    """Return a row as ``jitkernels aot --json`` has it."""
    file = {"form": form, "build_seconds": 0.5, "load_seconds": 0.01, "first_call_seconds": 0.001, "bytes": 15408}
    return timed(backend, 20, 1e-6, **file, ratio=1.04, other_shape="no", jit_first_calls=[0.4, 0.1])


def data_of(*rows: Row) -> Any:
    return timings.data(rows)


@functools.cache
def sample() -> Any:
    """Return data for which every chart of a kernel has rows."""
    rows = [
        lived(backend, size, start + size * 1e-9)
        for backend, start in QUICKEST.items()
        for size in (1_000, 100_000, 10_000_000)
    ]
    rows.append(timed("triton", 1_000, 0.01, interpreted=True, settled=False, error=0.02, z=0.4))
    data = data_of(*rows, built("c", "shared_object"), roofed("numba_parallel", 1e-3, 2), roofed("torch_eager", 4e-4))
    data["rows"][0]["figures"]["counts.fusions"] = {"value": 3}
    return data


@functools.cache
def ladder() -> SyntheticLadder:
    return SyntheticLadder("vm", 20, str)


def commits() -> Row:
    """Return the content of a kernel's file of commits: two backends at three commits."""
    named = [
        {"commit": f"{n:08x}" * 5, "short": f"{n:08x}", "subject": "Change", "date": "2026-11-01T00:00:00Z"}
        for n in range(3)
    ]
    points = [
        {
            "order": n,
            "value": 1e-3 * ratio,
            "low": 9e-4 * ratio,
            "high": 1.1e-3 * ratio,
            "ratio": ratio,
            "pairs": 3,
            "step": step,
        }
        for n, (ratio, step) in enumerate([(1.0, None), (1.01, None), (2.0, 1.98)])
    ]
    about = {"size": 1_000, "figure": "warm_seconds", "interpreted": False, "points": points}
    return {"commits": named, "series": [{"backend": backend, **about} for backend in ("c", "numba")]}


@functools.cache
def rows_of(name: str) -> list[Row]:
    """Return a chart's rows: of ``sample()``, or of ``ladder()``."""
    if name in charts.ROWS:
        return charts.ROWS[name](sample())
    if name in charts.COMMIT_ROWS:
        return charts.COMMIT_ROWS[name](commits())
    return {**ladder().content["charts"], **ladder().contents["philox_pi"]["charts"]}[name]


def picture(name: str, rows: list[Row] | None = None) -> pictures.Picture:
    return pictures.Picture(charts.chart(name), rows_of(name) if rows is None else rows, "points", f"a title of {name}")


@functools.cache
def svg(name: str) -> str:
    return picture(name).draw("svg").decode()


def svg_of(name: str, *rows: Row) -> str:
    """Return the chart of these rows of ``jitkernels time``."""
    return picture(name, charts.ROWS[name](data_of(*rows))).draw("svg").decode()
