"""Duets of releases, with fake environments and times: which pairs are measured, what is stored, and what goes on."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import small_table
from small_table import NOWHERE

from duet import BenchmarkCase, Pairs, Side
from history import ratios
from history.errors import StopError
from history.releases import environments
from history.releases.duets import ReleaseDuets
from history.releases.environments import CannotMeasureError, Environments, ReleaseEnvironment
from history.releases.table import read
from history.store import release_lines as store
from jitkernels.backends.caches import PERSISTENT

VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5")
NEIGHBOURS = [("1.0", "1.1"), ("1.1", "1.2"), ("1.2", "1.3"), ("1.3", "1.4"), ("1.4", "1.5")]
LONG = [("1.0", "1.5"), ("1.0", "1.3")]
WARM = "pi.Warm.time_call('numpy', 1)"
CASES = {name: BenchmarkCase(name, name, {"type": "time"}) for name in (WARM, "pi.other")}


class Machine:
    """What the environments and processes would do. events: environments made and removed. broken: reasons why a version
    cannot be installed. calls: a duet's sides, its cases and its pairs of processes. ratios: by the newer version. wrong:
    the case whose programs from the cache are wrong."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.broken: dict[str, str] = {}
        self.calls: list[tuple[str, str, list[str], int]] = []
        self.ratios: dict[str, float] = {}
        self.wrong = ""

    def create(self, environment: ReleaseEnvironment) -> dict[str, str]:
        self.events.append(f"create {environment.release.version}")
        if reason := self.broken.get(environment.release.version):
            raise CannotMeasureError(reason)
        return {}

    def measure(self, sides: tuple[Side, Side], cases: Sequence[BenchmarkCase], *_: Any, **options: Any) -> dict[str, Pairs]:
        first, second = (side.name for side in sides)
        self.calls.append((first, second, [case.name for case in cases], options["rounds"]))
        ratio = self.ratios.get(second, 1.0) * (1.001 if options["rounds"] > 3 else 1.0)
        pairs = [ratio * 0.999, *[ratio] * (options["rounds"] - 2), ratio * 1.001]
        measured = {case.name: Pairs([1.0] * len(pairs), pairs, pairs) for case in cases}
        variables = options["launch"].variables([case.name for case in cases], Path("caches"))
        if self.wrong in measured and variables[PERSISTENT]:
            first = [1.0]  # of the processes that compiled it
            measured[self.wrong] = Pairs(first, first, first, "AssertionError: 0 hits, not 782")
        return measured


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package_index: str) -> Machine:
    machine = Machine()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ReleaseEnvironment, "create", lambda self: machine.create(self))
    monkeypatch.setattr(ReleaseEnvironment, "remove", lambda self: machine.events.append(f"remove {self.release.version}"))
    monkeypatch.setattr(ReleaseEnvironment, "path", Path("environment"))
    monkeypatch.setattr(Side, "versions", lambda *_: {"python": "3.11.7"})
    monkeypatch.setattr(environments, "unpack", lambda *_: None)
    monkeypatch.setattr(environments, "discover", lambda *_: CASES)
    monkeypatch.setattr(ratios, "measure", machine.measure)
    monkeypatch.setattr(environments.selection, "of_release_duet", lambda cases, _: list(cases))
    return machine


def measure(*versions: str, again: bool = False, table: Sequence[str] = VERSIONS) -> int:
    """Measure these releases, or all of the table, as a new process does: what is stored is read from the file."""
    made = read(small_table.with_versions(*table))
    compiler = made.compilers["thing"]
    releases = [each for each in compiler.releases if each.version in (versions or table)]
    file = Path("results", "vm", store.DUETS)
    known = store.duets(Path("results"), [])
    own = ReleaseDuets(file, known, Environments(made.python, "a" * 40, 0), again)
    return len(own.measure_compiler(compiler, releases))


def lines() -> list[store.ReleaseDuetLine]:
    unread: list[Any] = []
    found = store.duets(Path("results"), unread)
    assert unread == []
    return found


def pairs() -> list[tuple[str, str]]:
    return [(line["base"], line["release"]) for line in lines()]


def test_each_release_is_measured_with_the_one_before_and_the_first_with_two_more(machine: Machine) -> None:
    assert measure() == 0
    assert sorted(pairs()) == sorted(NEIGHBOURS + LONG)
    assert machine.calls[0] == ("1.0", "1.1", list(CASES), 3)
    line = lines()[0]
    assert (line["suite"], line["compiler"], line["package"]) == ("a" * 40, "thing", "jitkernels-thing")
    assert line["base_requirements"]["jitkernels-thing"] != line["requirements"]["jitkernels-thing"]
    most = now = 0
    for event in machine.events:
        now += 1 if event.startswith("create") else -1
        most = max(most, now)
    assert (most, now) == (2, 0), "two environments at a time, and none at the end"


def test_a_stopped_run_goes_on_and_what_is_measured_costs_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: Any, **options: Any) -> dict[str, Pairs]:
        if len(machine.calls) == 2:
            raise KeyboardInterrupt
        return machine.measure(*arguments, **options)

    monkeypatch.setattr(ratios, "measure", stopped)
    with pytest.raises(KeyboardInterrupt):
        measure()
    assert pairs() == NEIGHBOURS[:2]
    assert not Path(".asv/release-duets").exists()
    monkeypatch.setattr(ratios, "measure", machine.measure)
    assert measure() == 0
    assert [(first, second) for first, second, *_ in machine.calls] == NEIGHBOURS + LONG
    machine.events.clear()
    assert measure() == 0
    assert (len(machine.calls), machine.events) == (7, [])


def test_again_measures_what_has_been_measured(machine: Machine) -> None:
    measure("1.0", "1.1")
    measure("1.0", "1.1", again=True)
    assert len(machine.calls) == 2


def test_a_case_that_was_added_is_measured_alone(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    measure("1.0", "1.1")
    added = {"pi.added": BenchmarkCase("pi.added", "pi.added", {"type": "time"})}
    monkeypatch.setattr(environments, "discover", lambda *_: {**CASES, **added})
    measure("1.0", "1.1")
    assert machine.calls[-1] == ("1.0", "1.1", ["pi.added"], 3)


def test_a_step_is_measured_once_more_and_that_counts(machine: Machine) -> None:
    machine.ratios = {"1.1": 1.2, "1.2": 1.04, "1.3": 0.9}
    measure("1.0", "1.1", "1.2", "1.3")
    again = [(first, second) for first, second, _, rounds in machine.calls if rounds == 7]
    assert again == [("1.0", "1.1"), ("1.2", "1.3")]
    cells = [line["cells"]["pi.other"] for line in lines()]
    assert [len(cell["ratios"]) for cell in cells] == [7, 3, 7]
    assert cells[0]["ratio"] == pytest.approx(1.2012)


@pytest.mark.parametrize(
    ("broken", "expected"),
    [("1.2", [("1.0", "1.1"), ("1.1", "1.3")]), ("1.0", [("1.1", "1.2"), ("1.2", "1.3")]), ("1.3", NEIGHBOURS[:2])],
)
def test_a_release_that_cannot_be_installed_is_left_out_and_the_chain_goes_on(
    machine: Machine, broken: str, expected: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    machine.broken = {broken: "no wheel"}
    assert measure("1.0", "1.1", "1.2", "1.3") == 1
    assert pairs() == expected
    assert f"thing {broken} is left out: no wheel" in capsys.readouterr().out


def test_releases_of_which_none_can_be_installed_are_counted(machine: Machine) -> None:
    machine.broken = {"1.0": "no wheel", "1.1": "no wheel"}
    assert (measure("1.0", "1.1"), pairs()) == (2, [])


def test_a_release_that_cannot_be_installed_is_counted_with_its_own_compiler_alone(machine: Machine) -> None:
    machine.broken = {"1.1": "no wheel"}
    made = read(small_table.with_versions("1.0", "1.1"))
    compiler = made.compilers["thing"]
    own = ReleaseDuets(Path("results", "vm", store.DUETS), [], Environments(made.python, "a" * 40, 0))
    assert own.measure_compiler(compiler, compiler.releases) == {"1.1"}
    other = dataclasses.replace(compiler, name="other")
    assert own.measure_compiler(other, compiler.releases[:1]) == set()


def test_without_a_package_index_the_run_stops(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    monkeypatch.setenv("UV_DEFAULT_INDEX", NOWHERE)
    machine.broken = {"1.1": "no wheel"}
    with pytest.raises(StopError) as stop:
        measure("1.0", "1.1")
    assert stop.value.status == 3


@pytest.mark.parametrize("measured", [5, 6, 12])
def test_a_newer_release_costs_one_duet(machine: Machine, measured: int) -> None:
    many = [f"1.{minor}" for minor in range(measured + 1)]
    measure(table=many[:measured])
    before = len(machine.calls)
    measure(table=many)
    assert [(first, second) for first, second, *_ in machine.calls[before:]] == [(many[-2], many[-1])]


def test_a_case_that_fails_with_programs_from_the_cache_is_measured_without_it(machine: Machine) -> None:
    machine.wrong, machine.ratios = WARM, {"1.1": 1.2}
    measure("1.0", "1.1")
    (line,) = lines()
    assert [(cases, rounds) for _, _, cases, rounds in machine.calls] == [
        (list(CASES), 3),
        ([WARM], 3),
        (["pi.other"], 7),
        ([WARM], 7),
    ]
    assert line["cells"][WARM]["afresh"] is True
    assert "afresh" not in line["cells"]["pi.other"]
    assert line["empty"] == {}


def test_two_releases_that_are_no_neighbours_make_a_duet(machine: Machine) -> None:
    measure("1.0", "1.4")
    assert pairs() == [("1.0", "1.4")]
    assert json.loads(Path("results", "vm", store.DUETS).read_text())["said"] == "duet"
