"""A ratio with its interval, along a chain of duets."""

import math
from dataclasses import dataclass

from history.store.lines import AnyRatio


@dataclass(frozen=True)
class Level:
    """A ratio to the beginning of a chain of duets. ``below``, ``above``: how far its interval reaches, as logarithms."""

    ratio: float = 1.0
    below: float = 0.0
    above: float = 0.0

    @property
    def low(self) -> float:
        return self.ratio * math.exp(-self.below)

    @property
    def high(self) -> float:
        return self.ratio * math.exp(self.above)

    def times(self, other: "Level") -> "Level":
        """Return the product; the errors of two duets are independent, so their squares add up."""
        return Level(self.ratio * other.ratio, math.hypot(self.below, other.below), math.hypot(self.above, other.above))

    def over(self, other: "Level") -> "Level":
        """Return the quotient."""
        return self.times(Level(1 / other.ratio, other.above, other.below))


def level_of(ratio: AnyRatio) -> Level:
    """Return the ratio of a duet as a level."""
    return Level(ratio["ratio"], math.log(ratio["ratio"] / ratio["low"]), math.log(ratio["high"] / ratio["ratio"]))
