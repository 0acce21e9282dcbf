"""Steps of several machines: which of them saw a step, which did not, and which can't tell."""

from pathlib import Path
from typing import Any

import pytest
from synthetic_duets import DuetHistory, Row, case, duet, ratio, releases, write

from history.store.results import Unread
from website.across.machines import Machines
from website.commits import files
from website.read.benchmarks import finder
from website.read.commits import History
from website.releases import files as release_files
from website.releases.outcomes import Ladder

COMMITS = [f"{place:08x}" * 5 for place in range(8)]
C, NUMBA, JAX = case("c"), case("numba"), case("jax")
STEP = 2, 3  # places of the step's commits, on the machine vm
SLOWER = 1.3


def anchors(values: dict[int, float], machine: str = "other", spread: float = 0.01) -> list[Row]:
    """Duets with the first commit: the ratio of each commit, by its place."""
    return [
        duet(COMMITS[0], COMMITS[place], {C: ratio(value, spread=spread)}, place, machine=machine)
        for place, value in values.items()
    ]


def direct(base: int, commit: int, value: float, machine: str = "other", spread: float = 0.01) -> Row:
    return duet(COMMITS[base], COMMITS[commit], {C: ratio(value, spread=spread)}, 9, role="step", machine=machine)


def lines_of_vm() -> list[Row]:
    levels = {place: 1.0 if place < STEP[1] else SLOWER for place in range(1, 8)}
    return [*anchors(levels, "vm"), direct(*STEP, SLOWER, "vm")]


def everywhere(*lines: Row) -> Machines:
    unread: list[Unread] = []
    history = History([f"{hash_}\0{place}\0Change {place}" for place, hash_ in enumerate(COMMITS)], COMMITS)
    shown = files.machine_commits(list(lines), history, finder({}), unread)  # type: ignore[arg-type]
    assert unread == []
    return shown[0].all_machines


def answer(*lines: Row) -> Any:
    """Return what the machine "other" says of the step of vm."""
    rows = everywhere(*lines_of_vm(), *lines).of_step(C, (COMMITS[STEP[0]], COMMITS[STEP[1]]), SLOWER)
    return {row["machine"]: row for row in rows}["other"]


def span(row: Any) -> tuple[int, int, float]:
    """The places of the commits whose ratio the answer rests on, and the ratio."""
    places = {hash_[:8]: place for place, hash_ in enumerate(COMMITS)}
    return places[row["measured"]["from"]], places[row["measured"]["to"]], row["measured"]["factor"]


def test_the_machine_of_a_step_saw_it() -> None:
    found = everywhere(*lines_of_vm()).of_step(C, (COMMITS[2], COMMITS[3]), SLOWER)
    (row,) = found
    assert (row["machine"], row["answer"], span(row)) == ("vm", "seen", (2, 3, SLOWER))


@pytest.mark.parametrize(
    ("base", "commit", "value"),
    [(2, 3, 1.1), (2, 3, 1.9), (1, 4, 1.2), (1, 3, 1.2), (2, 5, 1.2)],
    ids=["smaller", "larger", "longer span", "an older base", "a newer commit"],
)
def test_a_machine_saw_a_step_that_its_own_duet_confirms_in_a_span_with_a_shared_part(
    base: int, commit: int, value: float
) -> None:
    row = answer(*anchors({base: 1.0, commit: value}), direct(base, commit, value))
    assert (row["answer"], span(row)) == ("seen", (base, commit, value))


def test_a_step_in_a_neighbouring_span_is_another_one() -> None:
    row = answer(*anchors({2: 1.0, 3: 1.0, 4: 1.3}), direct(3, 4, 1.3))
    assert (row["answer"], span(row)) == ("absent", (2, 3, 1.0))


@pytest.mark.parametrize(
    ("value", "spread", "expected"),
    [
        (1.0, 0.01, "absent"),
        (1.02, 0.01, "absent"),  # no step of 5 %, and its interval excludes 1
        (0.8, 0.01, "absent"),
        (1.0, 0.04, "absent"),
        (1.0, 0.06, "unclear"),
        (1.3, 0.01, "unclear"),  # no direct duet confirms it
        (0.9, 0.2, "unclear"),
    ],
)
def test_a_machine_without_the_step_excludes_it_or_cannot_tell(value: float, spread: float, expected: str) -> None:
    assert answer(*anchors({2: 1.0}, spread=0.001), *anchors({3: value}, spread=spread))["answer"] == expected


def test_a_confirmed_step_in_the_other_direction_is_not_this_one() -> None:
    row = answer(*anchors({2: 1.0, 3: 0.7}), direct(2, 3, 0.7))
    assert (row["answer"], span(row)) == ("absent", (2, 3, 0.7))


def test_the_shortest_measured_span_around_the_step_counts_and_there_a_direct_duet() -> None:
    row = answer(*anchors({1: 1.3, 2: 1.0, 5: 1.0, 7: 1.3}))
    assert (row["answer"], span(row)) == ("absent", (2, 5, 1.0))
    row = answer(*anchors({2: 1.0, 3: 1.3}, spread=0.2), direct(2, 3, 1.001))
    assert (row["answer"], span(row)) == ("absent", (2, 3, 1.001))


def test_in_a_longer_span_a_change_in_the_other_direction_may_hide_the_step() -> None:
    longer = anchors({1: 1.0, 5: 1.0})
    assert answer(*longer)["answer"] == "absent"
    assert answer(*longer, direct(4, 5, 0.7, "vm"))["answer"] == "unclear", "a step of another machine"
    assert answer(*longer, direct(5, 6, 0.7, "vm"))["answer"] == "absent", "outside of the span"
    assert answer(*anchors({1: 1.0, 5: 0.9}))["answer"] == "unclear", "the ratio itself"
    assert answer(*anchors({2: 1.0, 3: 1.0}), direct(4, 5, 0.7, "vm"))["answer"] == "absent", "a span as short as the step"


def test_a_machine_without_a_ratio_on_each_side_did_not_measure_it() -> None:
    assert answer(*anchors({1: 1.0, 2: 1.0}))["answer"] == "unmeasured"
    other = duet(COMMITS[0], COMMITS[5], {NUMBA: ratio(1.0)}, machine="other")
    assert answer(other) == {"machine": "other", "answer": "unmeasured", "measured": None}


def test_a_table_has_each_machine_s_ratio_to_its_own_nearest_older_commit() -> None:
    other = anchors({1: 1.0, 3: 1.4})
    other[-1] |= {"empty": {JAX: "no jax here"}}
    more = duet(COMMITS[2], COMMITS[3], {JAX: ratio(0.5)}, 10, machine="vm")
    (table,) = everywhere(*lines_of_vm(), more, *other).tables(finder({}))
    assert table["to"]["commit"] == COMMITS[3]
    assert table["machines"] == ["vm", "other"]
    jax, c = table["rows"]
    assert (jax["backend"], jax["cells"][1]) == ("jax", "no jax here")
    ends = [(cell["from"], cell["to"], cell["factor"]) for cell in c["cells"] if not isinstance(cell, str)]
    assert ends == [("00000002", "00000003", SLOWER), ("00000001", "00000003", 1.4)]


def test_a_cell_without_a_number_says_so_and_one_machine_alone_has_no_table() -> None:
    (table,) = everywhere(*lines_of_vm(), *anchors({1: 1.0, 4: 1.0})).tables(finder({}))
    assert [row["cells"][1] for row in table["rows"]] == ["not measured"]
    assert everywhere(*lines_of_vm()).tables(finder({})) == []


def test_a_step_that_no_chain_has_any_more_has_no_table() -> None:
    lost = duet(COMMITS[4], COMMITS[5], {NUMBA: ratio(2.0)}, 9, role="step", machine="other")
    lines = [*anchors({2: 1.0, 3: SLOWER}, "vm"), direct(*STEP, SLOWER, "vm"), *anchors({1: 1.0}), lost]
    assert [table["to"]["commit"] for table in everywhere(*lines).tables(finder({}))] == [COMMITS[3]]


def test_the_files_of_each_machine_have_the_answers_and_the_tables(tmp_path: Path) -> None:
    history = DuetHistory(tmp_path)
    commits = history.commits
    for machine, value in (("other", 1.1), ("vm", 1.3)):
        lines = [duet(commits[0], commits[1], {C: ratio(value)}, machine=machine, role=role) for role in ("anchor", "step")]
        write(history.results, lines, machine)
    assert history.read() == []
    files_of = [history.data(f"{machine}/commits/steps.json") for machine in ("vm", "other")]
    assert files_of[0]["tables"] == files_of[1]["tables"] != []
    for content in files_of:
        (step,) = content["steps"]
        assert [row["answer"] for row in step["machines"]] == ["seen", "seen"]


# Releases


def of_releases(*lines: Row) -> Machines:
    known = Ladder([], History([], []))
    known.add_duets(lines)  # type: ignore[arg-type]
    return release_files.all_machines(known, "numba")


def ladder(machine: str, ratios: dict[tuple[str, str], float], name: str = NUMBA) -> list[Row]:
    return [releases(*ends, {name: value}, hour, machine=machine) for hour, (ends, value) in enumerate(ratios.items())]


VM = {("0.60.0", "0.61.0"): 1.0, ("0.61.0", "0.62.0"): 1.3, ("0.62.0", "0.63.0"): 1.0, ("0.60.0", "0.63.0"): 1.3}


@pytest.mark.parametrize(
    ("other", "expected", "ends"),
    [
        ({("0.61.0", "0.62.0"): 1.2}, "seen", ("0.61.0", "0.62.0")),
        ({("0.60.0", "0.62.0"): 1.2}, "seen", ("0.60.0", "0.62.0")),
        ({("0.61.0", "0.62.0"): 1.0}, "absent", ("0.61.0", "0.62.0")),
        ({("0.61.0", "0.62.0"): 0.7}, "absent", ("0.61.0", "0.62.0")),
        ({("0.59.0", "0.63.0"): 1.0}, "absent", ("0.59.0", "0.63.0")),
        ({("0.59.0", "0.63.0"): 0.9}, "unclear", ("0.59.0", "0.63.0")),
        ({("0.59.0", "0.61.5"): 1.0, ("0.61.5", "0.64.0"): 1.0}, "absent", ("0.59.0", "0.64.0")),
        ({("0.62.0", "0.63.0"): 1.0}, "unmeasured", None),
    ],
)
def test_a_machine_s_chain_of_releases_shows_a_step_or_not(
    other: dict[tuple[str, str], float], expected: str, ends: tuple[str, str] | None
) -> None:
    machines = of_releases(*ladder("vm", VM), *ladder("other", other))
    row = machines.of_step(NUMBA, ("0.61.0", "0.62.0"), 1.3)[1]
    assert row["answer"] == expected
    assert (row["measured"] and (row["measured"]["from"], row["measured"]["to"])) == ends


def test_a_duet_of_distant_releases_is_no_step_of_its_own() -> None:
    steady = {ends: 1.0 for ends in VM if ends != ("0.60.0", "0.63.0")} | {("0.60.0", "0.63.0"): 1.3}
    row = of_releases(*ladder("vm", VM), *ladder("other", steady)).of_step(NUMBA, ("0.61.0", "0.62.0"), 1.3)[1]
    assert row["answer"] == "absent"


def test_a_release_has_a_table_too() -> None:
    machines = of_releases(*ladder("vm", VM), *ladder("other", {("0.60.0", "0.62.0"): 1.2}))
    (table,) = machines.tables(finder({}))
    assert table["to"] == {"compiler": "numba", "release": "0.62.0", "date": None}
    (row,) = table["rows"]
    assert [(cell["from"], cell["factor"]) for cell in row["cells"] if not isinstance(cell, str)] == [
        ("0.61.0", 1.3),
        ("0.60.0", 1.2),
    ]
