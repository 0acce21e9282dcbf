"""How many pairs of processes a benchmark case gets, and which are not measured."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from duet import BenchmarkCase, Launch, Samples, Side, rounds
from duet.process import DIED
from duet.rounds import Duet, measurements
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


class Hangs:
    """In place of a child process. Its import hangs if its reason says so, and its cases always do."""

    reason = DIED

    def __init__(self, side: Side, *_: Any) -> None:
        self.side, self.core = side, None

    def __enter__(self) -> "Hangs":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def first_answer(self) -> None:
        pass

    def request_case(self, *_: Any, **options: Any) -> None:
        pass

    def answer(self) -> Any:
        return {"outcome": "failed", "reason": "timed out after 1 s"} if self.reason == DIED else None


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, [("failed", DIED, [])] * 2),
        ({"outcome": "failed", "reason": "timed out"}, [("failed", "timed out", [])] * 2),
        (
            {"outcome": "ok", "values": [1], "others": [{"outcome": "wrong", "reason": "2 is not 3"}]},
            [("ok", "", [1]), ("wrong", "2 is not 3", [])],
        ),
    ],
)
def test_each_case_of_a_row_has_its_measurement_and_what_ended_the_process_holds_for_all(answer: Any, expected: Any) -> None:
    row, child = CASES[:2], Hangs(SIDES[0])
    assert [(each.outcome, each.reason, each.values) for each in measurements(row, child, answer)] == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("reason", [DIED, "the import hung"])
def test_a_group_that_hangs_is_given_up_until_the_duet_tries_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reason: str
) -> None:
    timeouts = [*["timed out after 1 s"] * 3, "not measured after 3 timeouts in its group"]
    first = timeouts if reason == DIED else [reason] * 4
    started: list[str] = []

    def start(side: Side, *_: Any) -> Hangs:
        started.append(side.name)
        child = Hangs(side)
        child.reason = reason
        return child

    monkeypatch.setattr(rounds, "Child", start)
    cases = [BenchmarkCase(str(number), str(number), {"exact": True}) for number in range(4)]
    duet, samples = Duet(tmp_path, SIDES), Samples("one", "two")
    for is_tried_again in (False, False, True):
        if is_tried_again:
            duet.try_again()
        duet.round(cases, samples)
    reasons = [[samples.of("two", case.name)[number].reason for case in cases] for number in range(3)]
    assert (reasons, started) == ([first, [first[-1]] * 4, first], ["one", "two"] * 2)


def test_timeouts_of_all_groups_have_one_budget_that_a_second_try_keeps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    now, seconds, most_hung = [0.0], 300.0, 1000.0  # of a process that times out, and of all

    def answer(child: Hangs) -> Any:
        now[0] += seconds
        return {"outcome": "failed", "reason": f"timed out after {seconds:g} s"}

    monkeypatch.setattr(rounds.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(Hangs, "answer", answer)
    monkeypatch.setattr(rounds, "Child", Hangs)
    cases = [BenchmarkCase(name, name, {"exact": True}) for name in ("a1", "b1", "b2", "c1")]
    duet = Duet(tmp_path, SIDES, Launch(group=lambda case: case[0]), most_hung=most_hung)
    samples = Samples("one", "two")
    duet.round(cases, samples)
    assert [duet.is_given_up(case) for case in cases] == [True] * 4
    duet.try_again()
    duet.round(cases, samples)
    timed_out, given_up = f"timed out after {seconds:g} s", f"not measured after {most_hung:g} s of timeouts"
    reasons = [[each.reason for each in samples.of("one", case.name)] for case in cases]
    assert reasons == [[timed_out, given_up]] * 2 + [[given_up, given_up]] * 2


@pytest.mark.parametrize(
    ("reason", "number"),
    [
        (f"OSError: [Errno {errno.EDQUOT}] writing", errno.EDQUOT),
        ("RuntimeError: cannot write /x (Disk quota exceeded), which TMPDIR names", errno.EDQUOT),
        ("CompileError: fatal error: error writing to /tmp/a.s: No space left on device", errno.ENOSPC),
    ],
)
def test_a_full_disk_or_quota_is_known_by_its_number_or_its_words(reason: str, number: int, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=os.strerror(number)):
        Duet(tmp_path, SIDES)._write("one", CASES[0], Measurement("failed", reason))
