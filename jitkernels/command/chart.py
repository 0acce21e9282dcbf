"""``jitkernels chart``: a chart's name, the measurements that it needs, and its file."""

import argparse
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from jitkernels import charts, kernels
from jitkernels.backends import caches
from jitkernels.charts import timings, tradeoff
from jitkernels.charts.description import ENDINGS
from jitkernels.command import arguments, output
from jitkernels.command.output import OK
from jitkernels.kernel import Kernel, valid_seed
from jitkernels.measure import words
from jitkernels.measure.rows import Row
from jitkernels.measure.timing import Request

PACKAGES = {"altair": "altair", "vl_convert": "vl-convert-python"}  # by import name
DEFAULT, OF_AN_ESTIMATE = "seconds", "pi"  # if no chart is named
LIVES = {"lives": ("cold", "cached", "retrace"), "stages": ("cold",), "break_even": ("cold",)}
"""What ``jitkernels time`` must measure beside warm calls, by chart."""
NOT_MEASURED = {
    "ahead_of_time": "give it --rows with what jitkernels aot --json prints",
    "counts": "jitkernels show prints them, and the site draws them",
    **dict.fromkeys(charts.LADDER_ROWS, "the site draws it from the release ladder's results"),
    **dict.fromkeys(charts.COMMIT_ROWS, "the site draws it from the duets of commits"),
}
FACTORS = (0.01, 0.1, 1, 10)  # times the size that is quick on every backend


def draw(options: argparse.Namespace) -> int:
    """Measure a kernel and draw it, or draw rows from a file. FAILED, with one line, if no row has what the chart shows, or
    if the picture cannot be written."""
    spec, out = kernels.load(options.kernel), valid_out(options.out)
    _check_name(options.chart, options.rows is not None)
    rows = _rows(spec, options)
    data = timings.data(rows)
    name = options.chart or (OF_AN_ESTIMATE if charts.ROWS[OF_AN_ESTIMATE](data) else DEFAULT)
    chart, flat = charts.chart(name), charts.ROWS[name](data)
    if not flat:
        reasons = [f"{row['backend']}: {row['reason']}" for row in rows if row.get("reason")]
        why = f" ({reasons[0]}{', ...' if len(reasons) > 1 else ''})" if reasons else ""
        return output.fail(f"there is no row to draw {name} from: it wants {chart.wants}{why}")
    from jitkernels.charts import pictures  # here: it imports what draws

    claim = tradeoff.claim(charts.ROWS["seconds"](data)) if name in ("tradeoff", "pi") else ""
    title = f"{spec.name}: {chart.title[0].lower()}{chart.title[1:]}"
    picture = pictures.Picture(chart, flat, spec.unit, title, _about(rows, spec.unit), claim, options.theme)
    content = picture.draw(out.suffix.removeprefix("."))
    try:
        pictures.write(out, content)
    except OSError as error:
        return output.fail(f"cannot write {out}: {error.strerror}")
    print("\n\n".join(filter(None, (claim, f"written: {out}"))))
    return OK if options.rows else output.exit_code(rows)


def _rows(spec: Kernel, options: argparse.Namespace) -> list[Row]:
    """Return the rows to draw: from the file, or else measured."""
    backends, seed = arguments.backends(options.backends), valid_seed(options.seed)
    sizes = arguments.sizes_of(spec, options.sizes) if options.sizes else None
    if sizes and 0 in sizes:
        raise ValueError("a chart's axis of sizes is logarithmic: it has no 0")
    if options.rows:
        rows = timings.read(Path(options.rows), spec.name)
        return [row for row in rows if row["backend"] in backends and (sizes is None or row["size"] in sizes)]
    cases = tuple((spec.name, size) for size in sizes or _default_sizes(spec))
    return output.timings(Request(cases, backends, seed, LIVES.get(options.chart, ())))


def _default_sizes(kernel: Kernel) -> list[int]:
    """Return sizes around the one that is quick on every backend, without 0."""
    around = (round(kernel.default_size * factor) for factor in FACTORS)
    return sorted({size for size in around if size and size in kernel.sizes})


def valid_out(text: str) -> Path:
    """Return the file for the picture. Raises ValueError, in one line, if no picture can be drawn there."""
    for module, package in PACKAGES.items():
        if importlib.util.find_spec(module) is None:
            raise ValueError(f"charts are drawn by {package}, which is not installed: pip install 'jitkernels[chart]'")
    path = Path(text)
    if path.suffix.removeprefix(".") not in ENDINGS:
        raise ValueError(f"--out must end in .{', .'.join(ENDINGS)}, got {text!r}")
    if path.is_dir():
        raise ValueError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no directory {path.parent}")
    if reason := caches.unwritable(path.parent):
        raise ValueError(f"cannot write {path}: {reason}")
    return path


def _check_name(name: str | None, has_rows: bool) -> None:
    """Raise ValueError if there is no such chart, or this command does not measure what it shows."""
    if name is None:
        return
    wants = charts.chart(name).wants
    if name in NOT_MEASURED and not (has_rows and name == "ahead_of_time"):
        raise ValueError(f"{name} shows {wants}, which this command does not measure: {NOT_MEASURED[name]}")


def _about(rows: Sequence[Row], unit: str) -> str:
    """Return the size, if any, the machine and the threads of the measurement."""
    sizes = {row["size"] for row in rows}
    size = f"{sizes.pop():,} {unit}; " if len(sizes) == 1 else ""
    threads = max((row["threads"] for row in rows if row.get("threads")), default=None)
    return size + "; ".join(words.machines(rows)) + (f", at most {threads} thread{'s' * (threads > 1)}" if threads else "")
