"""Every chart: its description, its specification and its drawing."""

import json
import re
from pathlib import Path
from typing import Any

import altair
import jsonschema
import pytest
from chart_rows import Row, lived, rows_of, svg, svg_of, timed

from jitkernels import charts
from jitkernels.charts import pictures
from jitkernels.charts.drawing import kernels


def test_every_chart_has_a_name_of_its_own_and_belongs_to_a_kernel_or_to_releases() -> None:
    assert list(charts.CHARTS) == [chart.name for chart in charts.CHARTS.values()]
    assert [*charts.ROWS, *charts.LADDER_ROWS, *charts.COMMIT_ROWS] == list(charts.CHARTS)


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_chart_s_rows_have_the_fields_that_it_names(name: str) -> None:
    rows = rows_of(name)
    assert rows
    for row in rows:
        assert {field.name for field in charts.CHARTS[name].fields} <= set(row)
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


@pytest.mark.parametrize("name", charts.ROWS)
def test_a_chart_of_nothing_has_no_rows(name: str) -> None:
    assert charts.ROWS[name]({"kernel": "philox_pi", "size": "points", "rows": [], "rankings": []}) == []


@pytest.mark.parametrize("name", charts.LADDER_ROWS)
def test_a_chart_of_no_releases_has_no_rows(name: str) -> None:
    assert charts.LADDER_ROWS[name]({"kernels": {}, "releases": [], "series": [], "commits": []}) == []


def test_a_step_of_commits_is_marked_with_its_factor_in_its_own_view() -> None:
    assert [row["mark"] for row in rows_of("by_commit") if row["order"] == 2] == ["▲ 1.98\N{MULTIPLICATION SIGN}", None]
    assert charts.COMMIT_ROWS["by_commit"]({"commits": [], "series": []}) == []


@pytest.fixture(scope="module")
def specs(drawn: Path) -> dict[str, Row]:
    """Every specification, as the site has it; building one holds it to Vega-Lite's schema."""
    return {name: json.loads((drawn / f"{name}.json").read_text()) for name in charts.CHARTS}


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_specification_has_no_rows_and_no_colours_of_the_page(name: str, specs: dict[str, Row]) -> None:
    spec = specs[name]
    assert spec["datasets"] == {"rows": []}
    assert set(re.findall(r'"data": (\{[^}]*\})', json.dumps(spec))) == {'{"name": "rows"}'}
    assert "config" not in spec
    assert charts.CHARTS[name].what in spec["description"]
    assert spec["$schema"] == altair.SCHEMA_URL


@pytest.mark.parametrize("name", charts.CHARTS)
def test_no_chart_speaks_of_an_article_that_the_page_does_not_name(name: str, specs: dict[str, Row]) -> None:
    assert "article" not in json.dumps(specs[name])
    assert "article" not in f"{charts.CHARTS[name].title} {charts.CHARTS[name].what}"


def test_an_invalid_specification_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "HEIGHT", "tall")
    with pytest.raises(jsonschema.ValidationError):
        pictures.spec(charts.chart("seconds"))


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_chart_is_drawn_with_marks(name: str) -> None:
    symbols = len(re.findall(r'aria-roledescription="(?:point|bar)"', svg(name)))
    assert symbols >= min(2, len(rows_of(name)))
    assert "{size}" not in svg(name)
    assert "NaN" not in svg(name)


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_tooltip_has_the_columns_of_the_chart_s_table(name: str, specs: dict[str, Row]) -> None:
    tooltips = [json.loads(text) for text in re.findall(r'"tooltip": (\[[^]]*\])', json.dumps(specs[name]))]
    titles = [line["title"] for line in max(tooltips, key=len)]
    assert titles == [field.title for field in charts.CHARTS[name].fields]
    assert len(set(titles)) == len(titles), "Vega keeps one of two lines with the same title"


def test_a_tooltip_s_values_have_units_and_nothing_stands_for_an_unknown_one() -> None:
    drawn = svg_of("seconds", timed("c", 1_000_000, 3e-3, settled=None))
    assert 'lower quartile: 2.7 ms; upper quartile: 3.3 ms; samples: 10; settled: "' in drawn
    assert "file: 15,408 bytes; warm call, over just in time: 1.04; accepts another shape: no" in svg("ahead_of_time")


def test_axes_have_units() -> None:
    assert re.search(r">100 µs<|>1 ms<", svg("seconds"))
    assert all(f">{text}<" in svg("seconds") for text in ("100k", "seconds a call", "points"))


def test_ticks_between_powers_of_ten_have_labels_where_there_are_few() -> None:
    drawn = svg_of("seconds", timed("c", 20, 2e-3), timed("c", 100, 6e-3))
    assert all(f">{label}<" in drawn for label in ("20", "50", "100", "2 ms", "5 ms"))


def test_a_chart_of_one_point_has_ticks() -> None:
    drawn = svg_of("seconds", timed("c", 1_000_000, 3e-3))
    assert ">1M<" in drawn
    assert ">2 ms<" in drawn


def test_an_unsettled_point_is_hollow_and_an_unknown_spread_has_no_bar() -> None:
    def drawn(**others: Any) -> tuple[bool, int]:
        """Return whether its one point is filled, and how many bars there are."""
        text = svg_of("seconds", timed("c", 1_000, 1e-3, **others))
        (point,) = re.findall(r'<path aria-label="points:[^>]*="point"[^>]*>', text)
        return "fill=" in point, text.count('aria-roledescription="rule mark"')

    assert drawn(settled=False) == (False, 1)
    assert drawn(settled=True) == (True, 1)
    assert drawn(settled=None) == (True, 1), "unknown"
    assert drawn(warm_quartiles=None) == (True, 0)


def test_a_legend_names_each_backend_once_as_their_lines_end() -> None:
    names = pictures.names_by_speed(rows_of("seconds"))
    assert names[0] == "triton (interpreted)"
    assert set(names[-2:]) == {"c", "numba"}
    assert [svg("seconds").count(f">{name}<") for name in names] == [1] * len(names)


@pytest.mark.parametrize("name", ["seconds", "lives", "break_even"])
def test_rows_of_a_backend_that_is_not_in_the_table_are_drawn(name: str) -> None:
    assert ">tomorrow<" in svg_of(name, *(lived("tomorrow", size, size * 1e-9) for size in (10, 100, 1_000)))
