"""The levels of a verdict: which difference is a suspicion, which suspicion is believed, and which noise excuses both."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from duet.statistics import FEWEST, Comparison, compare
from jitkernels import files

LEAST = 7  # processes a side: with fewer no result of the test is below 1 %
BUDGET = 25.0  # minutes of measuring, by default: the suite of each commit takes 10 to 13 on two cores (docs/gate.md)
SUSPICIOUS = 0.05  # the first look's level: a suspicion costs another look, not a verdict
BELIEVED = 0.005  # the second look's, over all suspects together
EARLY = 0.0025  # of an early end for the guilty, over all times of a verdict; so both ends together are wrong in 0.75 %
SPARE = 4  # pairs of the second look beyond the fewest: they cost seconds, and only where something is suspected
SMALLEST = 0.02  # of a time: the same code differs by less from one build's directory to the next
LONG_ENOUGH = 1e-3  # seconds of a call that calibration slows: of a shorter one the clock's own steps are a part

NOISE_SCHEMA = 4  # another way of measuring has another noise; until 3 it was learnt from verdicts on two commits
STORED = 100  # numbers a case: older ones were measured on another machine, in effect
FEW = 10  # below this many the largest is taken


def is_suspect(comparison: Comparison, noise: float) -> bool:
    """True if the first look calls for a second: slower by more than the case's noise, and hardly by chance.

    noise: how far apart the same code was measured, as a fraction.
    """
    return comparison.worse <= SUSPICIOUS and comparison.ratio > 1 + max(noise, SMALLEST)


def is_better(comparison: Comparison, noise: float) -> bool:
    return comparison.better <= SUSPICIOUS and 1 / comparison.ratio > 1 + max(noise, SMALLEST)


def is_innocent(ratios: Sequence[float], pairs: int) -> bool:
    """True if no outcome of the remaining pairs could make this case suspect, and it is not faster by SMALLEST either, so
    the first look need not go on. ratios: of its first pairs; ``pairs``: that it has at most."""
    return is_cleared(ratios, pairs, SUSPICIOUS) and compare(ratios).ratio > 1 - SMALLEST


def is_cleared(ratios: Sequence[float], pairs: int, level: float = BELIEVED) -> bool:
    """True if no outcome of the remaining pairs could make this case significant, so stopping cannot change the verdict.

    The remaining pairs are taken to be worse than any so far. Each such pair lowers the p-value, and it would still be above
    the level: of the second look that for the last one of several suspects. ratios: of the first pairs of a look, which has
    ``pairs``.
    """
    remaining = pairs - len(ratios)
    if len(ratios) < FEWEST or remaining <= 0:
        return False
    widest = max(max(ratio, 1 / ratio) for ratio in ratios)
    return compare([*ratios, *[2 * widest] * remaining]).worse > level


def is_guilty(first: Sequence[float], second: Sequence[float], times: int, noise: float) -> bool:
    """True if all pairs of both looks are worse, and there are so many of them that this is no chance.

    Between equal sides each pair is worse or better like a coin. The likelihood ratio of "always worse" to that coin is 2 to
    the power of n after n worse pairs, and 0 after a better one. It ever reaches times / EARLY with a probability of at most
    EARLY / times (Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945). So EARLY
    is the level over all cases that were timed, not the suspects alone, and the first look's pairs count. times: how many
    cases were timed.
    """
    ratios = [*first, *second]
    if len(second) < FEWEST or len(ratios) < math.log2(times / EARLY) or min(ratios) <= 1:
        return False
    return compare(second).ratio > 1 + max(noise, SMALLEST)


def confirmed(second_look: dict[str, Comparison], noise: dict[str, float]) -> dict[str, bool]:
    """Return which suspects are worse by the second look, from new processes alone.

    The samples that raised the suspicion are not used again, so selecting the suspects among many cases costs nothing. Over
    the suspects Holm's procedure (Scandinavian Journal of Statistics 6, 1979) keeps the chance of one false verdict at
    BELIEVED.
    """
    verdict = dict.fromkeys(second_look, False)
    for position, name in enumerate(sorted(second_look, key=lambda name: second_look[name].worse)):
        if second_look[name].worse > BELIEVED / (len(second_look) - position):
            break
        verdict[name] = second_look[name].ratio > 1 + max(noise.get(name, 0.0), SMALLEST)
    return verdict


def pairs_needed(suspects: int) -> int:
    """Return the pairs of the second look with which the first of so many suspects can be confirmed, though one or two
    pairs disagree.

    The smallest p-value of n pairs is 2 to the power of -n. With no more pairs than that needs, all must agree: where
    processes differ by 2 %, 7 of 10 slowdowns of 5 % would be confirmed instead of 19 of 20.
    """
    return max(LEAST, math.ceil(math.log2(suspects / BELIEVED))) + SPARE if suspects else 0


@dataclass
class Noise:
    """How far apart the same code was measured on this machine, by benchmark case: ``.asv/gate/noise.json``.

    ``distances``: from 1, of ratios of a commit to itself (``gate calibrate``), as fractions. What 95 % of them stay below
    is the case's noise; a smaller change is not reported.
    """

    file: Path
    distances: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def load(cls, file: Path) -> "Noise":
        """Return what is stored; nothing if there is no file, or none that can be read."""
        try:
            stored = json.loads(file.read_text())
            cases = stored["seen"].items() if stored["schema"] == NOISE_SCHEMA else ()
            return cls(file, {str(case): [float(number) for number in numbers] for case, numbers in cases})
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            return cls(file)

    def of(self, case: str) -> float:
        """Return the noise as a fraction; 0.0 for a case that was never measured."""
        numbers = self.distances.get(case, [])
        if not numbers:
            return 0.0
        return float(max(numbers) if len(numbers) < FEW else numpy.quantile(numbers, 0.95))

    def learn(self, case: str, ratio: float) -> None:
        """Add the ratio of two sides that are the same."""
        self.distances[case] = [*self.distances.get(case, []), math.exp(abs(math.log(ratio))) - 1][-STORED:]

    def save(self) -> None:
        """Write the file."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        content = json.dumps({"schema": NOISE_SCHEMA, "seen": self.distances}, allow_nan=False)
        files.write(self.file, content.encode())
