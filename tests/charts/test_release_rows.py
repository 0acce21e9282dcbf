"""The rows of the charts of a compiler's releases."""

import itertools
import json
from typing import Any

import pytest
from chart_rows import Row, ladder, rows_of
from synthetic_ladder import BROKEN, FAILED, MENDED, SPIKE

from jitkernels.charts import description, releases, series


def view(rows: list[Row], **of: Any) -> list[Row]:
    return [row for row in rows if all(row[key] == value for key, value in of.items())]


WARM = {"figure": "warm_seconds", "size": 10_000_000}


def test_every_release_has_a_row_and_without_a_number_the_reason() -> None:
    rows = view(rows_of("releases"), **WARM, backend="numba_parallel")
    assert [row["order"] for row in rows] == list(range(20))
    assert {row["order"] for row in rows if row["seconds"] is None} == {FAILED, BROKEN}
    assert rows[FAILED]["absent"].startswith("numba, numba_parallel: ERROR: Could not find")
    assert rows[BROKEN]["absent"].startswith("numba_parallel: LoweringError")
    assert rows[0]["label"] == "2023-05  0.50.0"


def test_each_size_and_life_has_a_view_of_its_own_the_largest_warm_one_first() -> None:
    panels = dict.fromkeys((row["place"], row["panel"]) for row in rows_of("releases"))
    assert list(panels) == [
        (0, "A warm call at 10,000,000 {size}"), (1, "A warm call at 1,000,000 {size}"), (2, "A warm call at 1,000 {size}"),
        (3, "The first call at 1,000 {size}"),
    ]  # fmt: skip


def test_a_spike_has_a_step_at_its_first_release_and_after_its_last() -> None:
    rows = view(rows_of("releases"), **WARM, backend="numba")
    assert rows[SPIKE]["mark"].startswith("▲ ")
    assert rows[SPIKE]["step"] == pytest.approx(2, rel=0.1)
    assert rows[MENDED]["step"] == pytest.approx(0.5, rel=0.1)


def test_no_two_factors_stand_near_each_other() -> None:
    for panel in {row["panel"] for row in rows_of("releases")}:
        orders = sorted(row["order"] for row in view(rows_of("releases"), panel=panel) if row["mark"])
        assert all(later - earlier >= 20 / series.MARKS_ACROSS for earlier, later in itertools.pairwise(orders))


def test_a_kernel_s_factor_is_that_to_the_newest_release() -> None:
    rows = view(rows_of("release_factors"), kernel="philox_pi", backend="numba")
    assert (rows[-1]["times"], rows[-1]["newest"], rows[-1]["size"]) == (1.0, "0.59.1", 10_000_000)
    assert rows[SPIKE]["times"] == pytest.approx(2 / 1.1, rel=0.1)
    assert rows[SPIKE]["low"] < rows[SPIKE]["times"] < rows[SPIKE]["high"]


def test_a_release_without_stages_has_one_row_and_noise_has_no_height() -> None:
    content = ladder().contents["philox_pi"]
    noisy = json.loads(json.dumps(content).replace('"stages.other"', '"stages.noise"'))
    for one in noisy["series"]:
        for point in one["points"] if one["figure"] == "stages.noise" else ():
            point["value"] = -0.01
    rows = releases.release_stages(noisy)
    assert len(view(rows, backend="numba", order=FAILED)) == 1
    assert {(row["height"], row["seconds"]) for row in view(rows, stage="noise")} == {(0.0, -0.01)}


def test_counts_that_releases_changed_come_first() -> None:
    counted = dict.fromkeys((row["count"], row["moved"]) for row in rows_of("release_counts"))
    assert list(counted) == [("instructions", 4), ("calls", 2), ("vector width", 0), ("blocks", 0)]


def test_releases_and_commits_are_of_one_size() -> None:
    rows = rows_of("beside")
    assert {row["size"] for row in rows} == {10_000_000}
    assert {row["side"] for row in rows} == {description.RELEASES, description.COMMITS}
    assert releases.beside({**ladder().contents["philox_pi"], "commits": []}) == [], "nothing stands beside releases alone"
    assert not any(row["in_duets"] for row in rows)


def test_a_size_in_duets_stands_beside_commits_before_a_larger_one() -> None:
    content = json.loads(json.dumps(ladder().contents["philox_pi"]))
    for one in content["series"]:
        one["in_duets"] = one["figure"] == "warm_seconds" and one["size"] == 1_000_000
    commits = [{**curve, "size": size} for size in (10_000_000, 1_000_000) for curve in content["commits"]]
    rows = releases.beside({**content, "commits": commits})
    assert {(row["size"], row["in_duets"]) for row in rows if row["side"] == description.RELEASES} == {(1_000_000, True)}


def test_drift_is_of_the_reference_and_of_the_c_kernel() -> None:
    rows = rows_of("drift")
    assert {(row["what"], row["side"]) for row in rows} == {
        ("warm calls", description.REFERENCE), ("cold calls", description.REFERENCE),
        ("warm calls of C", description.KERNEL),
    }  # fmt: skip
