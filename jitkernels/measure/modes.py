"""What each rung of ``torch.compile`` adds to a cold call: by difference of the modes that stop one rung lower.

torch's own clocks (``stages``) say the same from inside; where the two differ, something is outside torch's clocks.
"""

from collections.abc import Sequence
from typing import Any

from jitkernels.backends.table import BACKENDS

Row = dict[str, Any]

RUNGS = {row.name: row.adds for row in BACKENDS.values() if row.adds}
"""Each mode does what those before it do, and one thing more."""


def add(rows: Sequence[Row]) -> None:
    """Give each row ``ladder``: in Inductor's row, where all modes were called cold at its kernel and size, the seconds that
    each rung adds, the run of the program in the first. A difference of noisy figures may be negative, and stays so."""
    cold = {(row["kernel"], row["size"], row["backend"]): row["cold_seconds"] for row in rows}
    for row in rows:
        found = [cold.get((row["kernel"], row["size"], backend)) for backend in RUNGS]
        seconds = [cold_seconds for cold_seconds in found if cold_seconds is not None]
        row["ladder"] = None
        if row["backend"] == list(RUNGS)[-1] and len(seconds) == len(RUNGS):
            below = [0.0, *seconds[:-1]]
            row["ladder"] = {rung: of - less for rung, of, less in zip(RUNGS.values(), seconds, below, strict=True)}
