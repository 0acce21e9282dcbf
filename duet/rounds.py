"""Rounds of a duet: in each, both sides get one process for a benchmark case. These two are a pair."""

import contextlib
import errno
import json
import math
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from duet import memory
from duet.cases import BenchmarkCase, Launch, rows_of
from duet.child import Answer
from duet.process import DIED, LONGEST_IMPORT, UNANSWERED, Child
from duet.samples import Measurement, Pairs, Samples
from duet.sides import Side
from duet.turns import PARTS, QUICK, StopRule, take_one_turn_at_once, take_turns

ONE_SAMPLE = {"repeat": 1, "min_run_count": 1}  # of a turn
TIMED_OUT = "timed out"  # a child's reason begins with it
MOST_TIMEOUTS = 3  # pairs of a group: each may take as long as its benchmark's timeout
NARROW = 0.06  # width of a ratio's interval, as a fraction: 3 % to each side
FULL = (errno.ENOSPC, errno.EDQUOT)  # the disk or the user's quota is full
Faults = Mapping[tuple[str, str], Mapping[str, Any]]


def measure(
    sides: tuple[Side, Side],
    cases: Iterable[BenchmarkCase],
    directory: Path,
    *,
    rounds: int,
    most: int = 0,
    launch: Launch | None = None,
    rule: StopRule = QUICK,
) -> dict[str, Pairs]:
    """Measure benchmark cases on two sides, and return their pairs by the case's name.

    A warm time is measured in ``rounds`` pairs of processes, which take samples in turn on the same core until ``rule`` ends
    the pair. It gets up to ``most`` pairs while the interval of its ratio is wider than NARROW. A process measures a first
    call or a tracked figure once; exact figures get one pair. Inside the clock of a sample: the calls that the suite's
    benchmark times, for 10 ms or one call. Outside: the start of the process, imports, ``setup`` (compilation, checks,
    warm-up), and before each turn but the first a call that brings the side's arrays back into the caches, if it is short.

    sides: must have different names. cases: of a suite that both sides can import (``discover``). directory: must exist;
    gets ``samples.jsonl``, ``log.txt``, and caches by side. A case that a side skips or fails to measure has a reason and no
    pairs.
    """
    duet, samples, remaining = Duet(directory, sides, launch), Samples(sides[0].name, sides[1].name), list(cases)
    names = [case.name for case in remaining]
    for number in range(1, max(rounds, most) + 1):
        duet.round(remaining, samples, rule=rule)
        remaining = [case for case in remaining if not (case.is_measured_once or samples.is_skipped(case.name))]
        if number >= rounds:
            remaining = [case for case in remaining if samples.pairs(case.name).is_wide(NARROW)]
        if not remaining:
            break
    return {name: samples.pairs(name) for name in names}


class Duet:
    """Starts the processes of two sides, and writes what they measure into ``directory``."""

    def __init__(
        self,
        directory: Path,
        sides: tuple[Side, Side],
        launch: Launch | None = None,
        faults: Faults | None = None,
        most_hung: float = math.inf,
    ) -> None:
        """faults: what calibration changes in a benchmark, by the names of side and case (``child.CaseRequest``). most_hung:
        seconds of timeouts in all groups, after which nothing more is measured."""
        if sides[0].name == sides[1].name:
            raise ValueError(f"both sides are called {sides[0].name!r}")
        self.directory, self.sides = directory, sides
        for side in sides:  # processes have their temporary files there too
            self._caches(side).mkdir(exist_ok=True)
        self.launch, self.faults = launch or Launch(), faults or {}
        self._rounds = 0
        self._timeouts: dict[str, int] = defaultdict(int)  # by group
        self._given_up: dict[str, str] = {}  # groups that are no longer measured, and why
        self._hung, self._most_hung = 0.0, most_hung  # seconds that ended with a timeout

    def try_again(self) -> None:
        """Measure the groups that hung or timed out too often again, from the next round on, unless the limit of all
        groups is used up."""
        self._timeouts.clear()
        self._given_up.clear()

    def is_given_up(self, case: BenchmarkCase) -> bool:
        """True if the case's group is no longer measured, because it hung or timed out too often."""
        return bool(self._reason_to_give_up(self.launch.group(case.name)))

    def _reason_to_give_up(self, group: str) -> str:
        if self._hung >= self._most_hung:
            return f"not measured after {self._most_hung:g} s of timeouts"
        return self._given_up.get(group, "")

    def round(
        self,
        cases: Iterable[BenchmarkCase],
        samples: Samples,
        report_progress: Callable[[str], None] = lambda group: None,
        rule: StopRule = QUICK,
    ) -> None:
        """Add a pair of processes for each case to ``samples``. The sides swap cores and order each round.
        report_progress: gets the name of each group of cases."""
        seed = random.randrange(1, 2**32)
        groups: dict[tuple[str, bool], list[BenchmarkCase]] = defaultdict(list)
        for case in cases:
            groups[self.launch.group(case.name), self.launch.is_pinned(case)].append(case)
        for (name, is_pinned), group in groups.items():
            report_progress(name)
            self._measure(name, group, self._cores() if is_pinned else (None, None), seed, samples, rule)
        self._rounds += 1

    def _measure(
        self,
        name: str,
        group: Sequence[BenchmarkCase],
        cores: tuple[int | None, int | None],
        seed: int,
        samples: Samples,
        rule: StopRule,
    ) -> None:
        measuring = [] if self._reason_to_give_up(name) else zip(self.sides, cores, strict=True)
        with contextlib.ExitStack() as stack:
            children = [
                stack.enter_context(Child(side, self.directory / "log.txt", self._variables(group, side, seed), core))
                for side, core in measuring
            ]
            for child in children:
                child.first_answer()  # both have finished their imports, so nothing else runs now
            for number, row in enumerate(rows_of(group, alone={case for _, case in self.faults})):
                begin = time.monotonic()
                measured = dict.fromkeys(samples.sides, [Measurement("failed", self._reason_to_give_up(name))] * len(row))
                if not self._reason_to_give_up(name):
                    order = children if (self._rounds + number) % 2 == 0 else children[::-1]
                    answers = self._pair(order, row, rule)
                    measured = {child.side.name: measurements(row, child, answer) for child, answer in answers.items()}
                for side, of_side in measured.items():
                    for case, measurement in zip(row, of_side, strict=True):
                        samples.of(side, case.name).append(measurement)
                        self._write(side, case, measurement)
                if any(each[0].reason.startswith((TIMED_OUT, UNANSWERED)) for each in measured.values()):
                    self._timeouts[name] += 1
                    self._hung += time.monotonic() - begin
                if self._timeouts[name] >= MOST_TIMEOUTS:  # the others would take as long
                    self._given_up[name] = f"not measured after {MOST_TIMEOUTS} timeouts in its group"
            for child in children:
                if child.reason != DIED:
                    self._given_up[name] = child.reason
                    self._hung += LONGEST_IMPORT

    def _cores(self) -> tuple[int | None, int | None]:
        """Return a core for each side, swapped in every round; None for both if two cores cannot be chosen."""
        cores = sorted(os.sched_getaffinity(0))[:2] if hasattr(os, "sched_getaffinity") else []
        if len(cores) < 2:
            return None, None
        return (cores[0], cores[1]) if self._rounds % 2 == 0 else (cores[1], cores[0])

    def _caches(self, side: Side) -> Path:
        return self.directory / f"{side.name}.caches"

    def _variables(self, group: Sequence[BenchmarkCase], side: Side, seed: int) -> dict[str, str]:
        """Return a side's environment variables. seed: gives sets the same order on both sides, and another one each
        round."""
        variables = self.launch.variables([case.name for case in group], self._caches(side))
        allocator = memory.variables() if all(case.takes_turns or case.is_measured_once for case in group) else {}
        return {**variables, **allocator, "PYTHONHASHSEED": str(seed)}

    def _pair(self, children: Sequence[Child], row: Sequence[BenchmarkCase], rule: StopRule) -> dict[Child, Answer | None]:
        """Measure a row in a process of each side. Both are set up at the same time if each has a core of its own or no
        time is measured: set-up is most of their life."""
        case, answers = row[0], dict[Child, Answer | None]()
        have_cores = all(child.core is not None for child in children)
        together, is_at_once = have_cores or case.is_measured_once, have_cores and case.is_first_call
        for child in children:
            self._request(child, row, is_at_once)
            if not together:
                answers[child] = child.answer()
        if together:
            answers = {child: child.answer() for child in children}
        if is_at_once:
            take_one_turn_at_once(answers)
        else:
            take_turns(answers, children[0].core, rule)
        return answers

    def _request(self, child: Child, row: Sequence[BenchmarkCase], is_at_once: bool) -> None:
        side, case, is_sharing = child.side.name, row[0], len(row) > 1
        shared = self.directory / f"{side}.figures.{self._rounds}"  # of this round: a second look computes them again
        if is_sharing:
            shared.mkdir(exist_ok=True)
        attributes, turns = (ONE_SAMPLE, PARTS) if case.takes_turns else ({}, int(is_at_once))
        fault, directory = self.faults.get((side, case.name)), str(shared) if is_sharing else None
        child.request_case(*row, attributes=attributes, turns=turns, fault=fault, directory=directory)

    def _write(self, side: str, case: BenchmarkCase, measurement: Measurement) -> None:
        """Add a line to ``samples.jsonl``: the measurement, its side and round, the benchmark case (``cell``), and when, in
        seconds since 1970. OSError if the disk is full, here or in the child: a full disk is no result."""
        for number in FULL:
            if f"[Errno {number}]" in measurement.reason or os.strerror(number) in measurement.reason:  # or a compiler's
                raise OSError(number, os.strerror(number), str(self.directory))
        line = {**vars(measurement), "side": side, "round": self._rounds, "cell": case.name, "at": time.time()}
        with (self.directory / "samples.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")


def measurements(row: Sequence[BenchmarkCase], child: Child, answer: Answer | None) -> list[Measurement]:
    """Return what a process of the child measured, by case of the row. What ended it holds for all of them."""
    answers = [answer, *answer["others"]] if answer and "others" in answer else [answer] * len(row)
    return [Measurement.of(each, child.reason) for each in answers]
