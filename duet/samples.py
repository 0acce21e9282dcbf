"""What the processes of both sides measured, and the pairs that they form."""

import statistics
from collections import defaultdict
from dataclasses import dataclass, field

from duet.child import Answer
from duet.statistics import FEWEST, Comparison, compare
from duet.turns import ratio


@dataclass
class Measurement:
    """What one process measured of one benchmark case.

    ``outcome``: ok, or skipped, wrong or failed with a ``reason``. ``values``: seconds of a call, by sample; or the tracked
    value.
    """

    outcome: str
    reason: str = ""
    values: list[float] = field(default_factory=list)

    @staticmethod
    def of(answer: Answer | None, reason: str) -> "Measurement":
        """Return what a process answered. reason: why there is no answer, if there is none."""
        if answer is None:
            return Measurement("failed", reason)
        return Measurement(answer["outcome"], answer.get("reason", ""), answer.get("values", []))


@dataclass(frozen=True)
class Pairs:
    """One benchmark case, by pairs of processes that both measured it.

    ``first``, ``second``: the side's median of each process, in the case's unit. ``ratios``: second over first of each pair,
    the median over turns. ``reason``: why a process measured nothing, if any.
    """

    first: list[float]
    second: list[float]
    ratios: list[float]
    reason: str = ""

    def comparison(self) -> Comparison | None:
        """Return the ratio with its interval; None for fewer than three pairs, or values that have no ratio."""
        return compare(self.ratios) if len(self.ratios) >= FEWEST and min(self.ratios) > 0 else None

    def is_wide(self, width: float) -> bool:
        """True if the interval of the ratio is wider than this fraction of it."""
        comparison = self.comparison()
        return comparison is not None and comparison.high - comparison.low > width * comparison.ratio


class Samples:
    """Measurements by side and case, a measurement a round. ``sides``: the names of the first and the second."""

    def __init__(self, first: str, second: str) -> None:
        self.sides = first, second
        self._measurements: dict[tuple[str, str], list[Measurement]] = defaultdict(list)

    def of(self, side: str, case: str) -> list[Measurement]:
        """Return the measurements of a side; append to it to add one."""
        return self._measurements[side, case]

    def rounds(self, case: str) -> list[tuple[Measurement, Measurement]]:
        """Return both sides' measurements, by round."""
        first, second = (self.of(side, case) for side in self.sides)
        return list(zip(first, second, strict=False))

    def pairs(self, case: str) -> Pairs:
        """Return the pairs of those rounds in which both sides measured something."""
        both = [(a.values, b.values) for a, b in self.rounds(case) if a.outcome == b.outcome == "ok"]
        medians = [(statistics.median(a), statistics.median(b)) for a, b in both]
        ratios = [ratio(a, b) for a, b in both] if all(a for a, _ in medians) else []
        reasons = (each.reason for side in self.sides for each in self.of(side, case) if each.reason)
        return Pairs([a for a, _ in medians], [b for _, b in medians], ratios, next(reasons, ""))

    def is_skipped(self, case: str) -> bool:
        """True if both sides skipped it in the last round: another pair of processes would add nothing."""
        return [each.outcome for each in self.rounds(case)[-1]] == ["skipped", "skipped"]
