"""The outcome of a comparison as data: which function is faster at each size, and when compiling has paid."""

from collections.abc import Sequence

from jitkernels.backends.table import find_backend
from jitkernels.measure import comparisons, ranking
from jitkernels.measure.rows import Row


class Outcome:
    """rows: a dictionary for each function and size. reference: the label of the function with the true answers."""

    def __init__(self, rows: Sequence[Row], reference: str) -> None:
        self.rows, self.reference = list(rows), reference

    @property
    def ok(self) -> bool:
        """True if every function that can run on this machine gave right answers, and at least one can."""
        statuses = {row["status"] for row in self.rows}
        return "ok" in statuses and statuses <= {"ok", "unavailable"}

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(row["label"] for row in self.rows))

    @property
    def sizes(self) -> list[int]:
        return sorted({row["size"] for row in self.rows})

    def ranking(self, size: int) -> list[ranking.Place]:
        """Return the places of the functions that gave right answers at a size, fastest first.

        ValueError for a size that was not measured.
        """
        if size not in self.sizes:
            raise ValueError(f"size {size!r} was not measured; known: {', '.join(map(str, self.sizes))}")
        timed = [row for row in self.rows if row["size"] == size and row["status"] == "ok" and not row.get("interpreted")]
        return ranking.places({row["label"]: row["warm_processes"] for row in timed})

    def fastest(self, size: int) -> list[str]:
        """Return the labels of the fastest functions at a size: several if not told apart, none if none ran."""
        return [place.backend for place in self.ranking(size) if place.rank == 1]

    def break_even(self, rival: str | None = None) -> dict[str, dict[int, int | str]]:
        """Return by label and size the warm calls after which compiling has paid, or why it never does.

        The number is the fewest calls after the first by which the function has taken no longer in all than the rival.
        Functions that are not compiled (numpy, python, eager modes) have none. rival: a label, by default the reference.
        ValueError for an unknown label, or if first calls were not measured.
        """
        rival = rival or self.reference
        if rival not in self.labels:
            raise ValueError(f"unknown rival {rival!r}; known: {', '.join(self.labels)}")
        if not self.has_first_calls:
            raise ValueError("first calls were not measured: lives=('cold',) measures them")
        others = {row["size"]: row for row in self.of(rival)}
        paid: dict[str, dict[int, int | str]] = {}
        for row in self.rows:
            other, is_compared = others[row["size"]], row["label"] != rival and find_backend(row["backend"]).compiles
            if is_compared and row["status"] == other["status"] == "ok" and row["cold_seconds"] and other["cold_seconds"]:
                calls, reason = comparisons.calls_until_paid(row, other)
                paid.setdefault(row["label"], {})[row["size"]] = reason or "" if calls is None else calls
        return paid

    @property
    def has_first_calls(self) -> bool:
        return any(row["cold_seconds"] for row in self.rows)

    @property
    def processes(self) -> int:
        """The most processes that gave samples of a function."""
        return max((len(row["warm_processes"]) for row in self.rows if row["warm_processes"]), default=0)

    @property
    def has_enough_processes(self) -> bool:
        """True if there were enough processes to tell functions apart."""
        return self.processes >= ranking.FEWEST

    def of(self, label: str) -> list[Row]:
        return [row for row in self.rows if row["label"] == label]
