"""After how many calls a compiler has paid for itself."""

import math
from collections.abc import Sequence

from jitkernels.measure.rows import TimeRow
from jitkernels.measure.speedup import eager_mode

NOT_FASTER = "never: its warm call is not the faster one"
NOT_TOLD_APART = "not told apart: the quartiles of the two warm calls overlap"
INTERPRETED = "an interpreter stands in for the compiler on this device"
NOT_MEASURED = "was not measured here, cold and warm, at this size"


def add(rows: Sequence[TimeRow]) -> None:
    """Give each row whose cold call was measured ``break_even``, against NumPy and against its framework's eager mode.

    At the same kernel and size; None to the other rows. By name of the rival the number of warm calls after the first, or
    None; by "NAME_reason" why there is none.
    """
    measured = {(row["kernel"], row["size"], row["backend"]): row for row in rows if _figures(row)}
    for row in rows:
        row["break_even"] = {} if _figures(row) else None
        if row["break_even"] is not None:
            for name, backend in (("numpy", "numpy"), ("eager", eager_mode(row["backend"]))):
                calls, reason = _against(row, backend, measured.get((row["kernel"], row["size"], backend or "")))
                row["break_even"].update({name: calls, f"{name}_reason": reason})


def calls_to_pay(cold: float, warm: float, other_cold: float, other_warm: float) -> int:
    """Return the fewest warm calls after the first by which the slower starter has taken less time in all. In seconds.

    ``warm`` must be less than ``other_warm``. 0 where the first call is already no slower.
    """
    return max(0, math.ceil((cold - other_cold) / (other_warm - warm)))


def _against(row: TimeRow, backend: str | None, other: TimeRow | None) -> tuple[int | None, str | None]:
    """Return the number of calls, or why there is none."""
    if backend is None:
        return None, f"{row['backend']} has no eager mode to be compared with"
    if backend == row["backend"]:
        return None, "it is the one compared with"
    mine, others = _figures(row), _figures(other)
    if not (mine and others):
        return None, f"{backend} {NOT_MEASURED}"
    if row.get("interpreted"):
        return None, INTERPRETED
    (cold, warm, (fastest, slowest)), (other_cold, other_warm, (other_fastest, other_slowest)) = mine, others
    if fastest <= other_slowest and other_fastest <= slowest:
        return None, NOT_TOLD_APART
    if warm >= other_warm:
        return None, NOT_FASTER
    return calls_to_pay(cold, warm, other_cold, other_warm), None


def _figures(row: TimeRow | None) -> tuple[float, float, list[float]] | None:
    """Return the seconds of the cold call, of the warm call, and its quartiles; None where one was not measured."""
    if row is None or row["cold_seconds"] is None or row["warm_seconds"] is None:
        return None
    return row["cold_seconds"], row["warm_seconds"], row["warm_quartiles"] or []
