"""``jitkernels chart``: a chart's name, the measurements that it needs, and its file."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from jitkernels import charts
from jitkernels.backends import caches
from jitkernels.charts import timings, tradeoff
from jitkernels.kernel import Kernel
from jitkernels.measure.rows import Row

ENDINGS = ("svg", "png", "html")
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
FROM_ROWS = ("ahead_of_time",)
FACTORS = (0.01, 0.1, 1, 10)  # times the size that is quick on every backend


class NothingToDrawError(Exception):
    """No row has what the chart shows. The message is one line that names it."""


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


def check_name(name: str | None, has_rows: bool) -> None:
    """Raise ValueError if there is no such chart, or this command does not measure what it shows."""
    if name is None:
        return
    wants = charts.chart(name).wants
    if name in NOT_MEASURED and not (has_rows and name in FROM_ROWS):
        raise ValueError(f"{name} shows {wants}, which this command does not measure: {NOT_MEASURED[name]}")


def sizes(kernel: Kernel) -> list[int]:
    """Return the sizes to measure by default: around the one that is quick on every backend."""
    around = (round(kernel.default_size * factor) for factor in FACTORS)
    return sorted({size for size in around if size in kernel.sizes})


def draw(path: Path, name: str | None, kernel: Kernel, rows: Sequence[Row], theme: str) -> str:
    """Draw the rows of ``jitkernels time`` and write the file. Return their meaning in words, or "".

    Raises NothingToDrawError, or ValueError if the file cannot be written; each in one line.
    """
    from jitkernels.charts import pictures  # here: it imports what draws

    data = timings.data(rows)
    name = name or (OF_AN_ESTIMATE if charts.ROWS[OF_AN_ESTIMATE](data) else DEFAULT)
    flat = charts.ROWS[name](data)
    if not flat:
        reasons = [f"{row['backend']}: {row['reason']}" for row in rows if row.get("reason")]
        why = f" ({reasons[0]}{', ...' if len(reasons) > 1 else ''})" if reasons else ""
        raise NothingToDrawError(f"there is no row to draw {name} from: it wants {charts.chart(name).wants}{why}")
    claim = tradeoff.claim(charts.ROWS["seconds"](data)) if name in ("tradeoff", "pi") else ""
    title = f"{kernel.name}: {charts.chart(name).title[0].lower()}{charts.chart(name).title[1:]}"
    picture = pictures.Picture(charts.chart(name), flat, kernel.unit, title, _about(rows, kernel.unit), claim, theme)
    content = picture.draw(path.suffix.removeprefix("."))
    try:
        pictures.write(path, content)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None
    return claim


def _about(rows: Sequence[Row], unit: str) -> str:
    """Return the size, if any, the machine and the threads of the measurement."""
    sizes = {row["size"] for row in rows}
    size = f"{sizes.pop():,} {unit}; " if len(sizes) == 1 else ""
    processors = sorted({f"{row['processor']}, {row['device']}" for row in rows if row.get("processor")})
    threads = max((row["threads"] for row in rows if row.get("threads")), default=None)
    return size + "; ".join(processors) + (f", at most {threads} thread{'s' * (threads > 1)}" if threads else "")
