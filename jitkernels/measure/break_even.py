"""After how many calls a compiler has paid for itself."""

import math
from collections.abc import Sequence
from typing import Any

from jitkernels.measure.speedup import eager_mode

Row = dict[str, Any]

NOT_FASTER = "never: its warm call is not the faster one"
NOT_TOLD_APART = "not told apart: the quartiles of the two warm calls overlap"
INTERPRETED = "an interpreter stands in for the compiler on this device"
NOT_MEASURED = "was not measured here, cold and warm, at this size"


def add(rows: Sequence[Row]) -> None:
    """Give each row whose cold call was measured ``break_even``, against NumPy and against its framework's eager mode.

    At the same kernel and size; None to the other rows. By name of the rival the number of warm calls after the first, or
    None; by "NAME_reason" why there is none.
    """
    measured = {(row["kernel"], row["size"], row["backend"]): row for row in rows if _measured(row)}
    for row in rows:
        row["break_even"] = None
        if _measured(row):
            row["break_even"] = {}
            for name, backend in (("numpy", "numpy"), ("eager", eager_mode(row["backend"]))):
                other = measured.get((row["kernel"], row["size"], backend))
                calls, reason = _against(row, backend, other)
                row["break_even"].update({name: calls, f"{name}_reason": reason})


def calls_to_pay(cold: float, warm: float, other_cold: float, other_warm: float) -> int:
    """The fewest warm calls after the first by which what starts slower, and is faster then, has taken less in all.

    In seconds; ``warm`` must be less than ``other_warm``. 0 where the first call is already no slower.
    """
    return max(0, math.ceil((cold - other_cold) / (other_warm - warm)))


def _against(row: Row, backend: str | None, other: Row | None) -> tuple[int | None, str | None]:
    if backend is None:
        return None, f"{row['backend']} has no eager mode to be compared with"
    if backend == row["backend"]:
        return None, "it is the one compared with"
    if other is None:
        return None, f"{backend} {NOT_MEASURED}"
    if row.get("interpreted"):
        return None, INTERPRETED
    (fastest, slowest), (other_fastest, other_slowest) = row["warm_quartiles"], other["warm_quartiles"]
    if fastest <= other_slowest and other_fastest <= slowest:
        return None, NOT_TOLD_APART
    if row["warm_seconds"] >= other["warm_seconds"]:
        return None, NOT_FASTER
    cold = row["cold_seconds"], row["warm_seconds"], other["cold_seconds"], other["warm_seconds"]
    return calls_to_pay(*cold), None


def _measured(row: Row) -> bool:
    return row["cold_seconds"] is not None and row["warm_seconds"] is not None
