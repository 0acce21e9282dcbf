"""The steps that docs/releases.md lists, from the published data set: ``python -m tools.steps`` writes docs/rows/steps.json,
and `python tools/findings.py` draws them."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools import site
from website import commits
from website.ladder import listed
from website.points import finder

ROWS = Path("docs/rows/steps.json")
LEAST = 1.2  # times as much, or as little
ROUNDING = 2**-26, 2**-22  # of the largest entry: up to two units in the last place of a float32, and an eighth of one
DIGITS = 4  # significant: drawn with three
SHARED = ("machine", "compiler", "kernel", "backend", "size", "figure", "unit", "exact", "from", "to", "published")


def main() -> int:
    ROWS.write_text("[\n" + ",\n".join(map(json.dumps, found())) + "\n]\n")
    return 0


def found() -> list[dict[str, Any]]:
    """Steps of LEAST and more, the newest release of each compiler first, and of a release the largest."""
    with tempfile.TemporaryDirectory() as directory:
        benchmarks = site.discovered(Path(directory))
    told = listed.steps(site.SEED, commits.read(Path()), finder(benchmarks))
    return [_row(step) for step in told if _is_large(step) and not _is_rounding(step)]


def _is_large(step: dict[str, Any]) -> bool:
    factor = step["factor"]
    return not factor or max(factor, 1 / factor) >= LEAST


def _is_rounding(step: dict[str, Any]) -> bool:
    """Whether an array's error is a float32's last place before and after: which way that falls is no step."""
    errors = step["before"], step["after"]
    return step["unit"] == "of the largest entry" and all(ROUNDING[0] <= error <= ROUNDING[1] for error in errors)


def _row(step: dict[str, Any]) -> dict[str, Any]:
    numbers = {key: step[key] for key in ("before", "after", "factor", "low", "high")}
    return {
        **{key: step[key] for key in SHARED},
        **{key: value and float(f"{value:.{DIGITS}g}") for key, value in numbers.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
