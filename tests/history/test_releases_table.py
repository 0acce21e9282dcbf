"""The table of releases, the configuration that is written from it, and which releases and benchmark cases are selected."""

import itertools
import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import small_table
from asv.config import Config
from asv.environment import get_environments
from asv.util import ParsedPipDeclaration, load_json

from benchmarks import _selection as selection
from history.errors import StopError
from history.releases import command
from history.releases.command import needed_bytes, require_disk
from history.releases.table import BASE, CONFIGURATION, RUNNER, TABLE, WRITE, Release, added, configuration, read
from history.store import release_lines
from history.store.duets import is_step

ROOT = Path(__file__).parents[2]
LADDER = read((ROOT / TABLE).read_text())


def test_the_configuration_is_that_of_the_table() -> None:
    written = (ROOT / CONFIGURATION).read_text()
    assert written == configuration(LADDER, ROOT / BASE), f"{CONFIGURATION} is not that of {TABLE}: {WRITE}"


def test_the_configuration_shares_all_but_environments() -> None:
    ours, theirs = (load_json(str(ROOT / name), js_comments=True) for name in (CONFIGURATION, BASE))
    assert {key for key in ours if ours[key] != theirs.get(key)} == {"pythons", "matrix", "env_dir", "include"}
    assert ours["pythons"] == [] and ours["matrix"] == {}
    assert {entry["req"][RUNNER] for entry in ours["include"]} == set(theirs["matrix"]["req"][RUNNER])


def test_asv_finds_the_table_s_environments_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    if not shutil.which(f"python{LADDER.python}"):
        pytest.skip(f"there is no python{LADDER.python} here")
    names = [environment.name for environment in get_environments(Config.load(str(CONFIGURATION)), None, verbose=False)]
    assert names == [release.environment_name(LADDER.python) for release in LADDER.releases()]


@pytest.mark.parametrize("release", LADDER.releases(), ids=str)
def test_a_release_s_pins_survive_asv_s_parser(release: Release) -> None:
    for name, version in release.requirements.items():
        declaration = ParsedPipDeclaration(f"{name} {version}")
        assert (declaration.pkgname, declaration.specification) == (name, f"=={version}")
    assert len(release.environment_name(LADDER.python)) < 128, "asv would file its results under a hash"


def test_environments_have_different_names() -> None:
    names = [release.environment_name(LADDER.python) for release in LADDER.releases()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("compiler", "fewest"), [("numba", 10), ("jax", 14), ("tensorflow", 6), ("triton", 8), ("torch", 1)]
)
def test_the_ladder_is_long_enough(compiler: str, fewest: int) -> None:
    assert len(LADDER.compiler(compiler).releases) >= fewest


@pytest.mark.parametrize("compiler", LADDER.compilers)
def test_the_release_that_asv_conf_json_pins_is_in_the_table(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert LADDER.compiler(compiler).reference()


def test_a_release_that_is_added_can_be_read_again() -> None:
    release = Release(
        "thing", "jitkernels-thing", "1.1", read(small_table.TEXT).compilers["thing"].releases[0].published, {"x-y": "2"}
    )
    text = added(small_table.TEXT, [release])
    assert read(text).compilers["thing"].releases[-1] == release
    assert read(text).compilers["still"].releases == ()
    assert text.replace(release.line(), "") == small_table.TEXT
    with pytest.raises(ValueError, match="no list of releases of other"):
        added(small_table.TEXT, [Release("other", "other", "1", release.published, {})])


@pytest.mark.parametrize("text", ["python =", 'python = "3.11"', small_table.TEXT.replace("published", "made")])
def test_a_text_that_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a table of releases"):
        read(text)


def test_the_selection_takes_cases_of_all_kinds_of_the_compiler_and_c() -> None:
    selected = {
        "philox_pi.Warm.time_call('jax', 1000)",
        "philox_pi.Warm.time_call('c', 1000000)",
        "philox_pi.Made.track_count('jax', 1000, 'fusions')",
        "monte_carlo_pi.Cold.time_first_call('jax', 1000)",
        "mlp_train.Warm.time_call('jax', 32)",
        "dense_relu.Error.track_error('jax', 100)",
    }
    left_out = {
        "philox_pi.Warm.time_call('c', 1000)",
        "philox_pi.Warm.time_call('numba', 1000)",
        "philox_pi.Threads.time_call('jax', 100000000, 1)",
        "relu.Warm.time_call('jax', 20)",
    }
    assert set(selection.of_release(selected | left_out, ["jax"])) == selected
    assert selection.of_drift(selected | left_out, ["jax"]) == ["philox_pi.Warm.time_call('c', 1000000)"]


def test_an_interpreter_has_smaller_arrays() -> None:
    names = ("softmax.Error.track_error", "dense_relu.Interpreted.time_call", "dense_relu.Error.track_error")
    cases = [f"{name}('{backend}', {size})" for name in names for backend in ("triton", "jax") for size in (20, 100)]
    assert set(selection.of_release(cases, ["triton"])) == {
        "softmax.Error.track_error('triton', 100)",
        "dense_relu.Interpreted.time_call('triton', 20)",
        "dense_relu.Error.track_error('triton', 20)",
        "dense_relu.Error.track_error('triton', 100)",
    }
    assert selection.of_release(cases, ["jax"]) == ["dense_relu.Error.track_error('jax', 100)"]


def test_selected_releases_are_in_the_order_of_versions() -> None:
    jax = LADDER.compiler("jax")
    assert [release.version for release in jax.selected(None, "0.10.0,0.4.31,0.9.0,0.4.31")] == ["0.4.31", "0.9.0", "0.10.0"]


@pytest.mark.parametrize(("version", "known"), [("0.4.30", True), ("0.4.30.1", False), ("nonsense", False)])
def test_only_releases_of_the_table_can_be_selected(version: str, known: bool) -> None:
    jax = LADDER.compiler("jax")
    if known:
        assert jax.selected(version, None)[0].version == jax.selected(None, version)[0].version == version
        return
    for since, only in ((version, None), (None, version)):
        with pytest.raises(ValueError, match=f"unknown release jax {version}; known: .*0.4.30"):
            jax.selected(since, only)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-c", "julia"], "unknown compiler 'julia'; known: numba, jax"),
        (["-c", "jax", "--since", "9.9"], "unknown release jax 9.9; known: "),
        (["-c", "jax", "--only", "0.10.2,9.9"], "unknown release jax 9.9; known: "),
        (["--since", "0.60.0"], "name it with --compiler"),
        (["-c", "jax", "--commit", "nonsense"], "no commit 'nonsense' here"),
    ],
)
def test_an_unknown_name_is_one_line_and_status_2(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert command.main(["run", *arguments]) == 2
    answer = capsys.readouterr().err
    assert message in answer and answer.count("\n") == 1


def test_the_disk_for_the_two_largest_chosen_environments_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    numba, torch = (LADDER.compiler(name) for name in ("numba", "torch"))
    old = torch.selected(None, "2.8.0,2.9.1")
    small, large = numba.space(numba.reference()), torch.space(old[0])
    assert torch.space(torch.reference()) < large == torch.space(old[1])
    assert needed_bytes([(torch, old)], keep=False) == 2 * large
    assert needed_bytes([(torch, old[:1])], keep=False) == large + torch.space(torch.reference()), "that is measured too"
    assert needed_bytes([(numba, [numba.reference()]), (torch, old)], keep=False) == 2 * large
    assert needed_bytes([(numba, [numba.reference()])], keep=True) == small


def test_a_disk_that_is_too_small_stops_the_ladder_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    chosen = [(compiler, list(compiler.releases)) for compiler in LADDER.compilers.values()]
    assert 30e9 > needed_bytes(chosen, keep=False) < needed_bytes(chosen, keep=True)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 0, 10**8))
    with pytest.raises(StopError, match=r"needs \d+\.\d GB of disk, but only 0\.1 GB are free") as stopped:
        require_disk(chosen, keep=False)
    assert stopped.value.status == 4


CAUSES = tomllib.loads((ROOT / TABLE).read_text())["causes"]


@pytest.mark.parametrize(
    "cause", CAUSES, ids=lambda cause: "-".join((cause["compiler"], cause["release"], *cause["kernels"]))
)
def test_a_cause_is_of_a_step_between_neighbours_that_were_measured(cause: dict[str, Any]) -> None:
    stored = (ROOT / "results" / cause["machine"] / release_lines.DUETS).read_text().splitlines()
    lines = [line for line in map(json.loads, stored) if line["compiler"] == cause["compiler"]]
    links = [release_lines.neighbours(pairs.values()) for pairs in release_lines.links(lines).values()]
    own = [each[cause["release"]] for each in links if cause["release"] in each]
    factors = {link.case: link.ratio["ratio"] for link in own if link.line["base"] == cause["base"] and is_step(link.ratio)}
    figures = {"warm_seconds": "Warm.time_call", "cold_seconds": "Cold.time_first_call"}
    benchmark = figures[cause.get("figure", "warm_seconds")]
    for kernel, backend in itertools.product(cause["kernels"], cause["backends"]):
        (factor, *_) = [factor for case, factor in factors.items() if case.startswith(f"{kernel}.{benchmark}('{backend}'")]
        assert (factor > 1) == (cause["became"] == "slower")
