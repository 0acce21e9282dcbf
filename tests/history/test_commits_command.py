"""make history's command: bad arguments, and an anchor whose environment is gone."""

import contextlib
from pathlib import Path
from typing import Any

import pytest
from synthetic_duets import case, duet, ratio

from duet import SideError
from history.commits import command
from history.commits.run import CommitHistory


def test_an_anchor_whose_environment_cannot_be_made_begins_a_new_chain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Run:
        repository, directory = tmp_path, tmp_path

    def environment(*_: Any) -> None:
        raise SideError("numba 0.1 is not to be had")

    monkeypatch.setattr(command, "asv_environment", environment)
    command.link(Run(), "a" * 40, {"numba": "0.1"}, "b" * 40, [])  # type: ignore[arg-type]
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("the anchor aaaaaaaa can no longer be measured, so a new chain begins with bbbbbbbb: ")
    assert line.endswith("numba 0.1 is not to be had")


def test_a_new_anchor_is_linked_for_all_cases_with_a_curve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Run:
        repository, directory = tmp_path, tmp_path

        def replace_anchor(self, *arguments: Any) -> None:
            self.arguments = arguments

    monkeypatch.setattr(command, "asv_environment", lambda *_: ("python", {}))
    old, new, run = "b" * 40, "c" * 40, Run()
    lines: Any = [
        duet("a" * 40, old, {case("c"): ratio(1.0)}, is_anchor=True),
        duet(old, "d" * 40, {case("numba"): ratio(1.0)}),
        duet(old, "d" * 40, {case("numpy"): ratio(1.0)}, role="step"),
        duet("a" * 40, "e" * 40, {case("jax"): ratio(1.0)}),
    ]
    command.link(run, old, {}, new, lines)  # type: ignore[arg-type]
    assert run.arguments == (old, new, "python", {}, {case("c"), case("numba")})


def test_again_measures_commits_that_have_results(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, third = ("abc"[place] * 40 for place in range(3))

    class Run:
        stored: Any = [duet(one, other, {}), duet(one, third, {}), duet(other, third, {}, role="step")]
        forget = CommitHistory.forget

        def anchor(self) -> str:
            return one

        def measure(self, commits: list[str], anchor: str) -> int:
            self.known = [line["commit"] for line in self.stored]
            return 0

    run = Run()
    monkeypatch.setattr(command, "only_measurement", contextlib.nullcontext)
    monkeypatch.setattr(command, "require_free", lambda *_: None)
    monkeypatch.setattr(command, "build_history", lambda *_: (run, []))
    monkeypatch.setattr(command.choose, "commits", lambda *_: [other])
    for arguments, known in (([other], [other, third, third]), ([other, "--again"], [third])):
        assert (command.main(arguments), run.known) == (0, known)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere"], "no commit 'nowhere' here"),
        (["nowhere..HEAD"], "no commit or range 'nowhere..HEAD' here"),
        ([","], "',' names no commit"),
        (["HEAD", "--anchor", ","], "',' names no commit"),
        (["HEAD", "--bench", "("], "'(' is not a regular expression"),
    ],
)
def test_bad_arguments_are_one_line_and_nothing_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    monkeypatch.setattr(command, "only_measurement", contextlib.nullcontext)  # whatever else is measured in this checkout
    assert command.main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(reason)
