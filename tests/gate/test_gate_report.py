"""The report is text, says by what a change was judged, and ends on the terminal."""

from dataclasses import replace
from pathlib import Path

import pytest

from gate import errors, report, verdict
from gate.commits import Commit
from gate.scope import DIALECTS, Scope
from gate.verdict import Finding, Verdict

COMMIT = Commit("HEAD", "0" * 40, "Change it")
KNOWN = frozenset((kernel, dialect) for kernel in ("relu", "softmax", "dense", "nbody") for dialect in DIALECTS)
NONE = frozenset[tuple[str, str]]()
SAME = [Finding("k.Warm.time_call('c', 1)", verdict.SAME), Finding("k.Error.track_error('c', 1)", verdict.SAME)]


def judged(scope: Scope | None, findings: list[Finding], bench: list[str] | None = None) -> Verdict:
    method = {"processes": 7, "memory": "jemalloc", "bench": bench or [], "budget": 60.0}
    conditions = {"machine": "vm", "processor": "one", "cores": 2, "method": method}
    return Verdict(COMMIT, COMMIT, conditions, {"numpy": "2.0"}, 90.0, "2026-01-01T00:00:00Z", findings, scope)


@pytest.mark.parametrize("text", ["layer_norm.Warm.time_call('c', 100)", "a", '{[(*_~#$!"%^)]}\\'])
def test_a_harmless_name_stands_in_backticks(text: str) -> None:
    assert report.literal(text) == f"`{text}`"


@pytest.mark.parametrize("letter", "`|<>&@\n\t\u202e\u00e9\x1b")
def test_a_name_that_could_do_harm_is_entities(letter: str) -> None:
    text = report.literal(f"a_b{letter}c")
    assert text.startswith("<code>a&#95;b&#") and text.endswith("c</code>")
    assert letter not in text.removeprefix("<code>").removesuffix("</code>").replace("&#", "") or letter in "&"
    assert report.literal(f"{letter} a") == report.literal(f"{letter} a").replace("`", "")
    assert report.literal(" a") == "<code> a</code>" and report.literal("") == "<code></code>"


def test_the_report_says_what_has_changed_and_by_what_it_was_judged() -> None:
    one = Scope(("a.py",), frozenset({("softmax", "numpy")}), frozenset(("softmax", each) for each in DIALECTS), KNOWN)
    lines = report.markdown(judged(one, SAME)).splitlines()
    assert (
        "Changed: `a.py`; so judged by: times (1), exact figures and errors (1) on `numpy`, answers on all frameworks too, "
        "of `softmax` (without long calls, and without pi at sizes between others)."
    ) in lines
    shared = Scope((), KNOWN, KNOWN, KNOWN, is_all=True)
    lines = report.markdown(judged(shared, SAME)).splitlines()
    assert any("all frameworks, of all kernels (--all; a selection of the times)." in line for line in lines)
    assert "--all" in report.command(judged(shared, SAME))
    lines = report.markdown(judged(one, SAME, ["softmax"])).splitlines()
    assert "Changed: `a.py`; so judged by: what --bench selects." in lines


def test_what_judges_a_change_comes_before_everything_else() -> None:
    files = tuple(f"gate/{number}.py" for number in range(20))
    seen = judged(Scope(("README.md", *files), NONE, NONE, KNOWN), [])
    lines = report.markdown(seen).splitlines()
    (head,) = [line for line in lines if line.startswith("**This change touches what judges it:** `gate/0.py`, ")]
    assert head.endswith(", 12 more.")
    assert lines.index(head) < next(number for number, line in enumerate(lines) if line.startswith("Changed: "))
    assert report.closing(seen, None)[-1].startswith("it touches what judges it: gate/0.py, gate/1.py")


def test_a_change_that_can_touch_nothing_passes_and_one_that_was_not_looked_at_does_not() -> None:
    assert judged(Scope(("README.md",), NONE, NONE, KNOWN), []).exit_code == errors.PASSED
    assert judged(Scope(("README.md",), KNOWN, KNOWN, KNOWN), []).exit_code == errors.TOO_LITTLE
    assert judged(None, []).exit_code == errors.TOO_LITTLE
    lost = [Finding("k.Warm", verdict.LOSS)]
    assert judged(Scope(("README.md",), NONE, NONE, KNOWN), lost).exit_code == errors.LOST


def test_the_report_names_pairs_memory_and_threads() -> None:
    text = report.markdown(judged(None, SAME))
    assert (
        "Warm calls have jemalloc's memory, and one thread; those of `numba_parallel` and `Threads` have all cores." in text
    )
    assert "\n0 times compared, in up to 7 pairs of processes in the first look, with intervals at 95 %;" in text


def test_the_command_that_repeats_it_is_an_indented_block_that_no_text_can_end() -> None:
    lines = report.markdown(judged(None, SAME, ["```", "a\n\nb"])).splitlines()
    block = lines[lines.index("Again, by hand:") + 1 :]
    assert block[:2] == ["", f"    python -m gate {COMMIT.hash} {COMMIT.hash} '--bench=```' '--bench=a"]
    assert [line for line in block if line and not line.startswith("    ")] == []


def test_the_terminal_ends_with_the_verdict_the_worst_cases_and_the_report() -> None:
    worse = [
        Finding(f"k.Made.track_count('c', {number})", verdict.WORSE, 1.0, 2.0, "hits", text="exact") for number in range(7)
    ]
    lines = report.closing(judged(None, [Finding("k\x1b[2J\nforged", verdict.LOSS, text="gone"), *worse]), Path("r.md"))
    assert lines[0] == "Something is worse: 7 worse, 1 lost, 7 compared"
    assert lines[1] == "  worse: k.Made.track_count('c', 0): 1 -> 2; exact"
    assert lines[6:] == ["  and 3 more", "the report: r.md"]
    (line,) = [
        line for line in report.closing(judged(None, [Finding("k\x1b[2J\nforged", verdict.LOSS)]), None) if "k" in line
    ]
    assert line == "  lost: k\\u001b[2J\\u000aforged: "


def test_first_calls_that_are_not_judged_are_named() -> None:
    seen = replace(judged(Scope((), KNOWN, KNOWN, KNOWN), SAME), unjudged=["k.Cold.time_first_call('c', 1)"])
    line = "First calls that no selection has, so not judged (docs/gate.md#first-calls): `k.Cold.time_first_call('c', 1)`."
    assert line in report.markdown(seen).splitlines()


def test_a_case_that_failed_once_is_not_folded_away() -> None:
    slip = Finding("k.Warm.time_call('numba', 1)", verdict.SAME, text="HEAD failed in 1 of 7 processes", slipped=True)
    text = report.markdown(judged(None, [*SAME, slip]))
    shown, folded = text.split("<details>")
    assert "### The same, with a remark" in shown and "`HEAD failed in 1 of 7 processes`" in shown
    assert "The same: 2</summary>" in folded and "numba" not in folded.partition("</details>")[0]
