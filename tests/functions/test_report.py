"""What a report says of its rows: the answer, the ranking, break-even, the table, and its files."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from jitkernels.functions.report import Report
from jitkernels.measure.rows import LIVES


def row(label: str, size: int, warm: float | None, cold: float | None = None, **more: Any) -> dict[str, Any]:
    processes = [warm * (1 + part / 1000) for part in range(5)] if warm else None
    return {
        **dict.fromkeys((*LIVES, "version", "error", "first_calls", "reason")),
        **{"label": label, "backend": label.partition(":")[0], "size": size, "status": "ok" if warm else "failed"},
        **{"warm_seconds": warm, "warm_quartiles": [warm, warm * 1.004] if warm else None, "warm_samples": 50},
        **{"warm_processes": processes, "settled": True, "cold_seconds": cold, "device": "cpu", "processor": "P"},
        **more,
    }


def report(*rows: dict[str, Any]) -> Report:
    return Report(rows, "numpy")


THREE = (
    *(row("numpy", size, 1e-6 * size, 2e-6 * size) for size in (10, 100, 1000)),
    *(row("numba", size, 20e-6 + 1e-7 * size, 1.0) for size in (10, 100, 1000)),
    *(row("jax", size, 40e-6 + 1e-8 * size, 0.01) for size in (10, 100, 1000)),
)


def test_the_answer_says_who_is_fastest_from_which_size_on_and_when_compiling_has_paid() -> None:
    assert report(*THREE).answer() == (
        "numpy is fastest at 10, numba is fastest at 100, jax is fastest from 1,000 on; "
        "jax pays after 9 calls, numba pays after 1,135 calls (over numpy, at 1,000)."
    )


def test_a_size_that_was_not_measured_has_no_fastest() -> None:
    with pytest.raises(ValueError, match="size 99 was not measured; known: 10, 100, 1000"):
        report(*THREE).fastest(99)


def test_notes_say_what_is_outside_the_clock_only_where_it_matters() -> None:
    plain = report(row("numpy", 10, 1.0), row("python", 10, 1.0, argument_dtypes=[]), row("numba", 10, 1.0)).notes()
    cases = {
        "arrays are on the device before the clock starts": row("jax", 10, 1.0),
        "python got NumPy's arrays": row("python: loop", 10, 1.0, argument_dtypes=["float64"]),
        "below 1 us a call": row("numpy", 10, 0.9e-6),
    }
    for words, own in cases.items():
        assert not any(words in note for note in plain)
        assert [words in note for note in report(own).notes()].count(True) == 1


def test_a_function_that_its_compiler_left_to_python_is_named() -> None:
    nothing = {"cold_programs": 0, "cold_from_disk": 0}
    rows = [row("numpy", 10, 1.0, 1.0, **nothing), row("jax", 10, 1.0, 1.0, cold_programs=1, cold_from_disk=0)]
    assert "compiled nothing" not in str(report(*rows).notes())
    notes = report(*rows, row("torch_inductor", 10, 1.0, 1.0, **nothing)).notes()
    assert [note.partition(": it")[0] for note in notes if "compiled nothing" in note] == [
        "the first call compiled nothing: torch_inductor"
    ]


def test_functions_that_cannot_be_told_apart_share_the_answer() -> None:
    own = report(row("numpy", 10, 1.0), row("numba", 10, 1.001), row("jax", 10, 2.0))
    assert own.fastest(10) == ["numpy", "numba"]
    assert own.answer() == "numpy and numba are not told apart and fastest at 10."


def test_the_fastest_are_all_that_are_not_told_apart_from_the_first_whatever_stands_between_them() -> None:
    own = report(row("numpy", 10, 1.0), row("jax", 10, 1.2), row("numba", 10, 1.4, warm_processes=[1.0, 1.3, 1.4, 1.5, 1.6]))
    assert own.fastest(10) == ["numpy", "numba"]
    assert [(place.backend, place.rank, place.tied) for place in own.ranking(10)] == [
        ("numpy", 1, False), ("numba", 1, True), ("jax", 3, True)
    ]  # fmt: skip


def test_few_processes_claim_no_rank() -> None:
    few = [{**each, "warm_processes": each["warm_processes"][:4]} for each in THREE]
    assert report(*few).answer().startswith("numpy has the shortest time at 10, numba has the shortest time at 100")
    assert report(*few).fastest(10) == ["numpy", "numba", "jax"]


def test_few_processes_estimate_when_compiling_has_paid() -> None:
    few = [{**each, "warm_processes": each["warm_processes"][:1]} for each in THREE]
    calls = "; jax pays after about 9 calls, numba pays after about 1,135 calls"
    assert report(*few).answer().endswith(f"{calls} (over numpy, at 1,000; an estimate of 1 process).")
    titles, texts = report(*few).table()
    paid = {(line[0], line[1]): line[titles.index("pays over numpy")] for line in texts}
    assert (paid["10", "jax"], paid["1,000", "jax"]) == ("took longer", "about 9 calls")


def test_a_single_call_that_pays_is_one_call() -> None:
    own = report(row("numpy", 10, 1.0, 1.0), row("jax", 10, 0.5, 1.4))
    assert own.answer() == "jax is fastest at 10; jax pays after 1 call (over numpy, at 10)."


def test_an_interpreted_function_is_never_the_fastest() -> None:
    own = report(row("numpy", 10, 1.0), row("triton", 10, 0.5, interpreted=True))
    assert own.fastest(10) == ["numpy"]
    assert own.answer() == "numpy is the only one timed at 10."


def test_a_failed_function_is_named_and_costs_the_others_nothing() -> None:
    own = report(row("numpy", 10, 1.0), row("jax", 10, None, reason="TypeError: no"))
    assert not own.ok
    assert own.answer() == "numpy is the only one timed at 10. No right answer everywhere, for the reasons below: jax."
    titles, texts = own.table()
    assert texts[1][titles.index("reason")] == "TypeError: no"
    assert report(row("numpy", 10, None)).answer() == "No function gave a right answer."


def test_a_function_that_failed_after_its_warm_calls_is_neither_fastest_nor_pays() -> None:
    late = {**row("jax", 10, 0.5, 0.1), "status": "failed", "reason": "out of memory"}
    own = report(row("numpy", 10, 1.0, 1.0), late)
    assert own.answer() == "numpy is the only one timed at 10. No right answer everywhere, for the reasons below: jax."
    titles, texts = own.table()
    assert {text[titles.index("function")]: text[titles.index("times the fastest")] for text in texts}["jax"] == ""


def test_what_cannot_run_here_is_no_failure() -> None:
    missing = row("jax", 10, None, status="unavailable", reason="not installed")
    assert report(row("numpy", 10, 1.0), missing).ok
    assert not report(missing).ok, "nothing was checked"
    assert report(missing).answer() == "No function can run here, for the reasons below."


def test_break_even_has_a_number_of_calls_or_a_reason() -> None:
    paid = report(*THREE).break_even("numpy")
    assert paid["jax"][1000] == 9  # (0.01 - 0.002) s over (1000 - 50) us a call, rounded up
    assert paid["jax"][10] == "never: its warm call is not the faster one"
    assert report(*THREE).break_even("numba").keys() == {"jax"}, "nothing compiles NumPy: it has nothing to pay"
    with pytest.raises(ValueError, match="unknown rival 'torch'; known: numpy, numba, jax"):
        report(*THREE).break_even("torch")
    with pytest.raises(ValueError, match="first calls were not measured"):
        report(row("numpy", 10, 1.0)).break_even()


def test_a_chart_that_is_over_numpy_counts_against_numpy_whoever_is_the_reference() -> None:
    from jitkernels import charts

    rows = charts.ROWS["break_even"](Report(THREE, "numba")._data())
    assert {(each["backend"], each["size"]): each["calls"] for each in rows if each["size"] == 1000} == {
        ("numba", 1000): 1135, ("jax", 1000): 9,
    }  # fmt: skip
    without = [row for row in THREE if row["label"] != "numpy"]
    assert not charts.ROWS["break_even"](Report(without, "numba")._data())


def test_a_cached_call_that_compiled_again_says_so() -> None:
    titles, texts = report(row("numba", 10, 1.0, cached_seconds=0.5, cached_programs=1)).table()
    assert texts[0][titles.index("cached")] == "500 ms, 1 compiled"


def test_the_table_is_sorted_and_has_no_empty_column() -> None:
    titles, texts = report(*THREE, row("python", 10, None, reason="no")).table()
    assert "cached" not in titles and "pays over numpy" in titles
    assert [line[1] for line in texts[:4]] == ["numpy", "numba", "jax", "python"]
    assert [line[titles.index("times the fastest")] for line in texts[:4]] == ["1", "2.1", "4.01", ""]


def test_text_and_html_have_the_answer_and_no_markup_of_the_user_s(tmp_path: Path) -> None:
    own = report(row("numpy", 10, 1.0), row("numba: <b>[red]", 10, 2.0))
    assert "numba: <b>[red]" in repr(own)
    assert "numba: &lt;b&gt;[red]" in own._repr_html_()


def test_files_are_whole_and_their_mistakes_are_named(tmp_path: Path) -> None:
    own = report(*THREE)
    own.to_json(tmp_path / "r.json")
    stored = json.loads((tmp_path / "r.json").read_text())
    assert (stored["schema"], stored["reference"], stored["answer"]) == (1, "numpy", own.answer())
    assert stored["rows"] == json.loads(json.dumps(own.rows))
    own.chart(tmp_path / "r.svg")
    assert "numba" in (tmp_path / "r.svg").read_text()
    with pytest.raises(ValueError, match=r"must end in .svg, .png, .html, got 'r.txt'"):
        own.chart(tmp_path / "r.txt")
    with pytest.raises(ValueError, match="there is no row to draw stages from"):
        own.chart(tmp_path / "r.svg", "stages")
    with pytest.raises(ValueError, match="unknown chart 'nonsense'"):
        own.chart(tmp_path / "r.svg", "nonsense")


def test_the_page_keeps_what_is_wide_in_regions_of_their_own_and_speaks_of_no_c(tmp_path: Path) -> None:
    report(*THREE).to_html(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert '<div class="rows" tabindex="0" role="region" aria-label="table" style="overflow-x: auto"><table>' in text
    assert "main .chart { display: block; }" in text
    assert "hollow points had not settled." in text
    assert "The thick line is C" not in text


def test_charts_without_their_packages_name_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "jitkernels.charts.pictures", raising=False)
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(ModuleNotFoundError, match=r"altair draws the charts: pip install 'jitkernels\[chart\]'"):
        report(*THREE).chart(tmp_path / "r.svg")


def test_variants_of_a_backend_have_its_colour_and_another_look(tmp_path: Path) -> None:
    from jitkernels.charts import palette

    plain, tiled, other = (palette.style(name) for name in ("numba", "numba: tiled", "numba: flat"))
    assert plain.colour == tiled.colour == other.colour
    assert len({(plain.dash, plain.shape), (tiled.dash, tiled.shape), (other.dash, other.shape)}) == 3
