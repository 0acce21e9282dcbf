"""What each mode of ``torch.compile`` adds to a cold call: its seconds less those of the mode that stops one step earlier.

torch's own clocks (``stages``) give the same from inside. Where the two differ, something is outside torch's clocks.
"""

import itertools
from collections.abc import Sequence

from jitkernels.backends.table import BACKENDS
from jitkernels.measure.rows import TimeRow

STEPS = {row.name: row.adds for row in BACKENDS.values() if row.adds}
"""By mode, the step that it adds to those of the modes before it."""


def add(rows: Sequence[TimeRow]) -> None:
    """Give each row ``ladder``: seconds by step in Inductor's row where all modes were called cold at its kernel and size,
    None elsewhere.

    The first step holds the run of the program. A difference of noisy figures may be negative, and stays so.
    """
    cold = {(row["kernel"], row["size"], row["backend"]): row["cold_seconds"] for row in rows}
    for row in rows:
        seconds = [cold.get((row["kernel"], row["size"], backend)) for backend in STEPS]
        measured = [0.0, *(value for value in seconds if value is not None)]
        row["ladder"] = None
        if row["backend"] == list(STEPS)[-1] and len(measured) == len(STEPS) + 1:
            differences = (after - before for before, after in itertools.pairwise(measured))
            row["ladder"] = dict(zip(STEPS.values(), differences, strict=True))
