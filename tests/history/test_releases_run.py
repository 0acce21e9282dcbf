"""A run of the ladder, with fake environments: what is measured, in which order, what is recorded, and how it stops."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import small_table
from small_table import NOWHERE

from history.errors import StopError
from history.releases import run as ladder_run
from history.releases.environments import CannotMeasureError, Environments, ReleaseEnvironment
from history.releases.run import LadderRun
from history.releases.table import Compiler, Release, read
from history.store import records
from history.store.records import ReleaseLine
from history.store.results import RESULTS
from jitkernels import files
from jitkernels.machine import identity

THING = read(small_table.with_versions("1.0", "1.1", "1.2", "1.3", "1.4", "1.5")).compilers["thing"]


class FakeEnvironment(ReleaseEnvironment):
    """An environment without asv. broken: reasons why a version cannot be installed. events: the calls, in order."""

    broken: dict[str, str] = {}
    events: list[str] = []

    def create(self) -> dict[str, str]:
        self.events.append(f"create {self.release.version}")
        if reason := self.broken.get(self.release.version):
            raise CannotMeasureError(reason)
        return dict(self.release.requirements)

    def remove(self) -> None:
        self.events.append(f"remove {self.release.version}")


class FakeEnvironments(Environments):
    def of(self, release: Release) -> ReleaseEnvironment:
        return FakeEnvironment(release, self.python, self.commit, self.lock)


class FakeRun(LadderRun):
    """Measures nothing; ``run`` writes the records that measuring processes would. lie: the version in those of 1.1."""

    lie: str = ""

    def run(self, environment: ReleaseEnvironment, cases: list[str], anew: bool = False, share: bool = True) -> None:
        kind = "drift" if anew else "cases" if share else "afresh"
        FakeEnvironment.events.append(f"{kind} {environment.release.version}")
        written = records.written(environment.commit, environment.name)
        written.parent.mkdir(parents=True, exist_ok=True)
        version = self.lie if self.lie and environment.release.version == "1.1" else environment.release.version
        packages = {"jitkernels-thing": version, "jitkernels-part": "1.0"}
        written.write_text(json.dumps({"schema": 1, "said": "backend", "backend": "numpy", "packages": packages}) + "\n")


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package_index: str) -> FakeRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Compiler, "reference", lambda self: self.release("1.5"))
    monkeypatch.setattr(ladder_run, "all_cases", lambda: [])
    monkeypatch.setattr(FakeEnvironment, "broken", {})
    monkeypatch.setattr(FakeEnvironment, "events", [])
    return FakeRun(FakeEnvironments("3.11", "0" * 40, lock=0))


def measure(ladder: FakeRun) -> int:
    FakeEnvironment.events.clear()
    return len(ladder.measure_compiler(THING, list(THING.releases)))


def outcome_of(ladder: FakeRun, version: str) -> ReleaseLine | None:
    return ladder.environments.of(THING.release(version)).outcome()


def drift_lines() -> list[Any]:
    return list(files.lines(RESULTS / identity() / "drift.jsonl"))


def test_the_reference_is_measured_before_between_and_after(ladder: FakeRun) -> None:
    assert measure(ladder) == 0
    first, second, drift = [f"cases 1.{minor}" for minor in range(4)], ["cases 1.4", "cases 1.5"], ["drift 1.5"]
    events = [event for event in FakeEnvironment.events if not event.startswith(("create", "remove"))]
    assert events == drift + first + drift + second + drift
    lines = drift_lines()
    assert [(line["said"], line["compiler"], line["release"]) for line in lines] == [("reference", "thing", "1.5")] * 3


def test_a_case_that_fails_with_a_program_from_a_cache_is_measured_without(
    ladder: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached, wrong, counted = (f"pi.{name}.time_call('numpy', 1)" for name in ("Warm", "Error", "Made"))
    monkeypatch.setattr(ladder_run.selection, "of_release", lambda cases, backends: [cached, wrong, counted])

    def values(environment: ReleaseEnvironment, cases: list[str]) -> dict[str, float | None]:
        heals = "afresh 1.0" in FakeEnvironment.events and environment.release.version == "1.0"
        return {cached: 1.0 if heals else None, wrong: None, counted: None}

    monkeypatch.setattr(ReleaseEnvironment, "values", values)
    measure(ladder)
    assert FakeEnvironment.events.index("afresh 1.0") == FakeEnvironment.events.index("cases 1.0") + 1
    outcome = outcome_of(ladder, "1.0")
    assert outcome and (outcome["afresh"], outcome["cells"]) == ([cached], {"measured": 1, "failed": 2})


def test_a_release_that_was_measured_before_cases_were_added_gets_those(
    ladder: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = ["pi.Warm.time_call('numpy', 1)"]
    monkeypatch.setattr(ladder_run.selection, "of_release", lambda *_: cases)
    measure(ladder)
    former = {**(outcome_of(ladder, "1.0") or {}), "cells": {"measured": 1}, "afresh": ["one"]}
    ladder.environments.of(THING.release("1.0")).add_outcome(former)
    assert measure(ladder) == 0
    assert FakeEnvironment.events == []
    cases.append("pi.Error.track_error('numpy', 1)")
    measure(ladder)
    assert "cases 1.0" in FakeEnvironment.events
    outcome = outcome_of(ladder, "1.0")
    assert outcome and (outcome["afresh"], sum(outcome["cells"].values())) == (["one"], 2)
    assert measure(ladder) == 0
    assert FakeEnvironment.events == []


def test_measuring_the_reference_leaves_its_own_results_as_they_were(
    ladder: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = THING.release("1.5")
    result = ladder.environments.of(reference).result_file
    result.parent.mkdir(parents=True)

    def run(environment: ReleaseEnvironment, cases: list[str], anew: bool = False, share: bool = True) -> None:
        result.write_text("of the reference")
        monkeypatch.setattr(ReleaseEnvironment, "figures", lambda *_: {"of": {"value": len(result.read_text())}})

    monkeypatch.setattr(ladder, "run", run)
    for own in ("its own point", None):
        result.unlink(missing_ok=True)
        if own:
            result.write_text(own)
        ladder.measure_reference(THING, reference)
        assert (result.read_text() if result.exists() else None) == own
    lines = drift_lines()
    assert [line["cells"] for line in lines] == [{"of": {"value": len("of the reference")}}] * 2


def test_environments_are_removed_when_done_and_the_reference_last(ladder: FakeRun) -> None:
    measure(ladder)
    removed = [event for event in FakeEnvironment.events if event.startswith("remove")]
    assert removed == [f"remove 1.{minor}" for minor in range(6)]
    assert FakeEnvironment.events[-1] == "remove 1.5"


def test_with_keep_environments_stay(ladder: FakeRun) -> None:
    ladder.environments.keep = True
    measure(ladder)
    assert [event for event in FakeEnvironment.events if event.startswith("remove")] == []


def test_a_release_that_cannot_be_installed_is_a_point_with_its_reason(ladder: FakeRun) -> None:
    FakeEnvironment.broken["1.2"] = "cannot be installed: ERROR: on purpose"
    assert measure(ladder) == 1
    name = THING.release("1.2").environment_name("3.11")
    line = json.loads((RESULTS / identity() / f"00000000-{name}.records.jsonl").read_text())
    assert (line["schema"], line["said"], line["status"]) == (1, "environment", "failed")
    assert line["reason"] == "cannot be installed: ERROR: on purpose"
    assert line["requirements"] == {"jitkernels-part": "1.0", "jitkernels-thing": "1.2"}
    assert "cases 1.3" in FakeEnvironment.events, "the ladder goes on"


def test_results_of_another_release_are_removed_and_the_release_has_failed(ladder: FakeRun) -> None:
    ladder.lie = "1.9"
    result = ladder.environments.of(THING.release("1.1")).result_file
    result.parent.mkdir(parents=True)
    result.write_text("{}")
    assert measure(ladder) == 1
    outcome = outcome_of(ladder, "1.1")
    assert outcome and "jitkernels-thing 1.1 was asked for, and 1.9 is there" in outcome["reason"]
    assert not result.exists()


def test_an_interrupted_ladder_goes_on_with_the_release_that_was_not_finished(
    ladder: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: FakeRun, compiler: Compiler, environment: ReleaseEnvironment, cases: list[str]) -> None:
        if environment.release.version == "1.2":
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(FakeRun, "require_release", interrupt)
        with pytest.raises(KeyboardInterrupt):
            measure(ladder)
    measure(ladder)
    assert [event for event in FakeEnvironment.events if event.startswith("cases")] == [
        f"cases 1.{minor}" for minor in range(2, 6)
    ]
    measure(ladder)
    assert FakeEnvironment.events == [], "all releases have their points"
    ladder.again = True
    measure(ladder)
    assert "cases 1.0" in FakeEnvironment.events


def test_without_an_index_a_failure_is_no_point(ladder: FakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    FakeEnvironment.broken["1.1"] = "cannot be installed: ERROR: no network"
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    with pytest.raises(StopError, match="the package index cannot be reached") as stopped:
        measure(ladder)
    assert stopped.value.status == 3
    assert outcome_of(ladder, "1.1") is None


def test_a_disk_that_runs_full_stops_the_ladder_and_leaves_no_point(
    ladder: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = iter([10**9, 10**9, 10])
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 0, next(free)))
    with pytest.raises(StopError, match=r"the next release needs .* GB of disk") as stopped:
        measure(ladder)
    assert stopped.value.status == 4
    outcomes = [outcome_of(ladder, release.version) for release in THING.releases]
    assert [bool(outcome) for outcome in outcomes] == [True, True, False, False, False, False]
