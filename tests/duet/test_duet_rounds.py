"""How many pairs of processes a benchmark case gets."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from duet import BenchmarkCase, Samples, Side, rounds
from duet.samples import Measurement
from duet.turns import StopRule

SIDES = (Side("one", "python", None, Path()), Side("two", "python", None, Path()))
SECONDS = {"quiet": [1.0, 1.01], "noisy": [1.0, 1.5], "fails": [], "exact": [7.0]}
CASES = [BenchmarkCase(name, name, {"exact": True} if name == "exact" else {"type": "time"}) for name in SECONDS]


class Measured:
    """Stands in for the processes of a duet."""

    def __init__(self, *_: Any) -> None:
        self.count = 0

    def round(self, cases: Iterable[BenchmarkCase], samples: Samples, rule: StopRule) -> None:
        self.count += 1
        for case in cases:
            seconds = SECONDS[case.name]
            for side in samples.sides:
                value = seconds[self.count % len(seconds)] if side == "two" and seconds else 1.0
                samples.of(side, case.name).append(Measurement("ok", values=[value]) if seconds else Measurement("failed"))


@pytest.mark.parametrize(("most", "noisy"), [(0, 3), (5, 5)])
def test_a_ratio_that_is_not_known_well_gets_more_pairs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, most: int, noisy: int
) -> None:
    monkeypatch.setattr(rounds, "Duet", Measured)
    pairs = rounds.measure(SIDES, CASES, tmp_path, rounds=3, most=most)
    assert {name: len(each.ratios) for name, each in pairs.items()} == {"quiet": 3, "noisy": noisy, "fails": 0, "exact": 1}
