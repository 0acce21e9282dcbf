"""The charts: their look, their rows, the pictures that they become, and the command that draws them."""

import base64
import functools
import hashlib
import html.parser
import itertools
import json
import math
import os
import pty
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import altair
import colorspacious
import jsonschema
import pytest
from made_ladder import BROKEN, FAILED, MENDED, SPIKE, Ladder

from jitkernels import charts
from jitkernels.backends.table import BACKENDS
from jitkernels.charts import curves, drawing, estimates, palette, pictures, rows, timings, tradeoff
from jitkernels.charts.releases import cells as by_release
from jitkernels.charts.releases import rows as ladder_rows
from jitkernels.charts.releases import sides as ladder_sides

ROOT = Path(__file__).parents[2]
STORED = ROOT / "docs" / "philox_pi.json"
LEAST_CONTRAST = 3.0  # WCAG 2.2, 1.4.11: what is needed to understand a graphic
LEAST_TEXT_CONTRAST = 4.5  # 1.4.3
LEAST_DIFFERENCE = 10.0  # in CAM02-UCS, where 1 is about what can be seen side by side
SIGHTS = [None, "deuteranomaly", "protanomaly"]
Row = dict[str, Any]


def luminance(colour: str) -> float:
    """WCAG's relative luminance."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(colour: str, other: str) -> float:
    darker, lighter = sorted((luminance(colour), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def parts(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def difference(colour: str, other: str, sight: str | None) -> float:
    """As far apart as these colours are for who sees with that sight (Machado et al. 2009)."""
    seen = [parts(colour), parts(other)]
    if sight:
        space = {"name": "sRGB1+CVD", "cvd_type": sight, "severity": 100}
        seen = [colorspacious.cspace_convert(colour, space, "sRGB1") for colour in seen]
    return float(colorspacious.deltaE(*seen, input_space="sRGB1"))


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("dialect", palette.COLOURS)
def test_a_line_is_seen_on_a_white_page_and_on_a_dark_one(dialect: str, theme: str) -> None:
    assert contrast(palette.COLOURS[dialect], palette.THEMES[theme]["background"]) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", palette.THEMES.values(), ids=palette.THEMES)
def test_text_is_read_on_both_pages(theme: dict[str, str]) -> None:
    for part in ("ink", "quiet"):
        assert contrast(theme[part], theme["background"]) >= LEAST_TEXT_CONTRAST


def test_the_measure_of_contrast_can_fail() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#000000", palette.THEMES["dark"]["background"]) < LEAST_CONTRAST
    assert contrast("#f0e442", palette.THEMES["light"]["background"]) < LEAST_CONTRAST


@pytest.mark.parametrize("sight", SIGHTS, ids=str)
@pytest.mark.parametrize("pair", list(itertools.combinations(palette.COLOURS, 2)), ids="-".join)
def test_two_frameworks_are_told_apart_by_whoever_looks(pair: tuple[str, str], sight: str | None) -> None:
    one, other = (palette.COLOURS[dialect] for dialect in pair)
    assert difference(one, other, sight) >= LEAST_DIFFERENCE


def test_the_measure_of_difference_can_fail() -> None:
    assert difference("#d55e00", "#7f8c00", None) > LEAST_DIFFERENCE > difference("#d55e00", "#7f8c00", "deuteranomaly")


def test_no_two_backends_look_alike() -> None:
    styles = [palette.style(name) for name in BACKENDS]
    assert len(set(styles)) == len(styles)


def test_backends_of_one_framework_differ_in_more_than_colour() -> None:
    for one, other in itertools.combinations(BACKENDS.values(), 2):
        if one.dialect == other.dialect:
            first, second = palette.style(one.name), palette.style(other.name)
            assert (first.colour == second.colour) and (first.dash, first.shape) != (second.dash, second.shape)


def test_an_interpreted_backend_is_marked_and_an_unknown_one_has_a_look() -> None:
    assert palette.shown("triton", True) == "triton (interpreted)"
    assert palette.style("triton (interpreted)").dash != palette.style("triton").dash
    assert palette.style("triton (interpreted)").colour == palette.style("triton").colour
    assert palette.style("gcc").colour


def timed(backend: str, size: int, seconds: float, **others: Any) -> Row:
    """A row as ``jitkernels time --json`` has it."""
    row = {
        "kernel": "philox_pi", "backend": backend, "size": size, "status": "ok", "reason": None, "interpreted": False,
        "processor": "a processor", "device": "cpu", "threads": 2, "warm_seconds": seconds, "warm_samples": 10,
        "warm_quartiles": [seconds * 0.9, seconds * 1.1], "settled": True,
    }  # fmt: skip
    return {**row, **others}


def lived(backend: str, size: int, seconds: float) -> Row:
    """One with every life and with stages, "other" of them the clocks' noise."""
    even = {"numpy": 12, "numpy_reason": None, "eager": None, "eager_reason": "never: its warm call is not the faster one"}
    return timed(
        backend, size, seconds, cold_seconds=1.0, cached_seconds=0.1, retrace_seconds=0.5, break_even=even,
        stages={"trace": 0.2, "compile": 0.6}, stages_other=-0.01, stages_total=0.79, error=0.01, z=0.2,
    )  # fmt: skip


def built(backend: str, form: str, **others: Any) -> Row:
    """A row as ``jitkernels aot --json`` has it."""
    row = timed(backend, 20, 1e-6, form=form, build_seconds=0.5, load_seconds=0.01, first_call_seconds=0.001, bytes=15408)
    return {**row, "ratio": 1.04, "other_shape": "no", "jit_first_calls": [0.4, 0.1], **others}


def sample() -> Row:
    """Data for which every chart has rows."""
    measured = [
        lived(backend, size, start + size * 1e-9)
        for backend, start in {"numpy": 1e-5, "c": 1e-7, "numba": 2e-7, "jax_eager": 1e-3, "jax": 1e-4}.items()
        for size in (1_000, 100_000, 10_000_000)
    ]
    measured.append(timed("triton", 1_000, 0.01, interpreted=True, settled=False, error=0.02, z=0.4))
    data = timings.data("philox_pi", [*measured, built("c", "shared_object")])
    data["rows"][0]["figures"]["counts.fusions"] = {"value": 3}
    return data


SAMPLE = sample()
LADDER = Ladder("vm", 20, str)


def made(name: str, data: Row = SAMPLE) -> list[Row]:
    """A chart's rows: of the data, or of the ladder of releases."""
    if name in charts.ROWS:
        return charts.ROWS[name](data)
    return {**LADDER.content["charts"], **LADDER.contents["philox_pi"]["charts"]}[name]


def picture(name: str, data: Row = SAMPLE) -> pictures.Picture:
    return pictures.Picture(name, made(name, data), "points", f"a title of {name}")


def test_every_chart_has_rows_a_drawing_and_a_description() -> None:
    assert list(charts.CHARTS) == [chart.name for chart in charts.CHARTS.values()]
    assert set(charts.CHARTS) == set(charts.ROWS) | set(charts.LADDER_ROWS) == set(drawing.DRAWN)
    assert not set(charts.ROWS) & set(charts.LADDER_ROWS)


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_chart_s_rows_have_the_fields_that_it_names(name: str) -> None:
    rows = made(name)
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


@functools.cache
def specs() -> dict[str, Row]:
    """Building one holds it to Vega-Lite's schema."""
    return charts.specs()


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_specification_holds_no_rows_and_says_nothing_of_the_page(name: str) -> None:
    spec = specs()[name]
    assert spec["datasets"] == {"rows": []}
    assert set(re.findall(r'"data": (\{[^}]*\})', json.dumps(spec))) == {'{"name": "rows"}'}
    assert "config" not in spec
    assert charts.CHARTS[name].what in spec["description"]
    assert spec["$schema"] == altair.SCHEMA_URL


def test_a_specification_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "HEIGHT", "tall")
    with pytest.raises(jsonschema.ValidationError):
        drawing.spec("seconds")


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_chart_is_drawn_with_a_mark_for_what_was_measured(name: str) -> None:
    svg = picture(name).draw("svg").decode()
    symbols = len(re.findall(r'aria-roledescription="(?:point|bar)"', svg))
    assert symbols >= min(2, len(made(name)))
    assert "{size}" not in svg
    assert "NaN" not in svg


def test_axes_have_units() -> None:
    svg = picture("seconds").draw("svg").decode()
    assert re.search(r">100 µs<|>1 ms<", svg)
    assert ">100k<" in svg
    assert ">seconds a call<" in svg
    assert ">points<" in svg


def test_ticks_between_powers_of_ten_have_labels_where_there_are_few() -> None:
    near = timings.data("philox_pi", [timed("c", 20, 2e-3), timed("c", 100, 6e-3)])
    svg = picture("seconds", near).draw("svg").decode()
    assert all(f">{label}<" in svg for label in ("20", "50", "100", "2 ms", "5 ms"))


def test_a_chart_of_one_point_has_ticks() -> None:
    svg = picture("seconds", timings.data("philox_pi", [timed("c", 1_000_000, 3e-3)])).draw("svg").decode()
    assert ">1M<" in svg
    assert ">2 ms<" in svg


def test_an_unsettled_point_is_hollow_and_an_unknown_spread_has_no_bar() -> None:
    def drawn(**others: Any) -> tuple[bool, int]:
        """Whether its one point is filled, and how many bars there are."""
        svg = picture("seconds", timings.data("philox_pi", [timed("c", 1_000, 1e-3, **others)])).draw("svg").decode()
        (point,) = re.findall(r'<path aria-label="points:[^>]*="point"[^>]*>', svg)
        return "fill=" in point, svg.count('aria-roledescription="rule mark"')

    assert drawn(settled=False) == (False, 1)
    assert drawn(settled=True) == (True, 1)
    assert drawn(settled=None) == (True, 1), "nobody said"
    assert drawn(warm_quartiles=None) == (True, 0)


def test_a_legend_names_each_backend_once_as_their_lines_end() -> None:
    names = pictures.ordered(charts.ROWS["seconds"](SAMPLE))
    assert names[0] == "triton (interpreted)"
    assert set(names[-2:]) == {"c", "numba"}
    svg = picture("seconds").draw("svg").decode()
    assert [svg.count(f">{name}<") for name in names] == [1] * len(names)


def test_rows_share_an_error_only_at_the_same_size() -> None:
    data = timings.data(
        "philox_pi", [timed(name, size, 1e-3, error=0.5 / size, z=1.0) for name in ("c", "jax") for size in (10, 20)]
    )
    assert [(row["size"], row["same"], row["shared"]) for row in estimates.error(data)][:2] == [
        (10, 2, "c, jax"),
        (20, 2, "c, jax"),
    ]
    assert estimates.error(data)[0]["expected"] == pytest.approx(1.642 / math.sqrt(10), rel=1e-3)


def test_the_lives_are_those_of_the_size_that_was_called_cold_or_the_nearest() -> None:
    data = timings.data("philox_pi", [timed("c", 20, 1e-6, retrace_seconds=0.3), timed("c", 1_000, 1e-5, cold_seconds=1.0)])
    assert [(row["life"], row["size"], row["seconds"]) for row in rows.lives(data)] == [
        ("cold", 1_000, 1.0), ("retrace", 20, 0.3), ("warm", 1_000, 1e-5),
    ]  # fmt: skip


def test_stages_are_parts_of_the_whole_and_noise_is_none_of_it() -> None:
    made = [row for row in rows.stages(SAMPLE) if row["backend"] == "jax"]
    assert [row["stage"] for row in made] == ["trace", "compile", "other"]
    assert [row["share"] for row in made] == pytest.approx([0.25, 0.75, 0.0])
    assert made[-1]["end"] == pytest.approx(1)
    assert made[-1]["seconds"] == -0.01, "shown as it was measured"


def test_what_a_compiler_made_is_not_marked_as_interpreted() -> None:
    row = {**lived("triton", 1_000, 0.01), "interpreted": True}
    data = timings.data("philox_pi", [row])
    assert {row["name"] for row in rows.stages(data)} == {"triton"}
    assert {row["name"] for row in rows.lives(data)} == {"triton (interpreted)"}


def test_a_speed_up_says_what_the_quartiles_allow() -> None:
    data = timings.data("philox_pi", [timed("numpy", 10, 4.0), timed("jax", 10, 1.0), timed("jax_eager", 10, 2.0)])
    found = {(row["backend"], row["over"]): row for row in rows.speedup(data)}
    assert set(found) == {("jax", "numpy"), ("jax", "eager mode"), ("jax_eager", "numpy")}
    row = found["jax", "numpy"]
    assert (row["times"], row["low"], row["high"]) == pytest.approx((4.0, 3.6 / 1.1, 4.4 / 0.9))


def test_an_interpreter_has_no_speed_up_and_no_place_on_the_frontier() -> None:
    data = timings.data("philox_pi", [timed("numpy", 10, 4.0, z=1.0), timed("triton", 10, 1e-9, interpreted=True, z=1.0)])
    assert rows.speedup(data) == []
    assert {row["backend"]: row["frontier"] for row in estimates.tradeoff(data)} == {"numpy": "yes", "triton": "no"}


def test_what_never_pays_has_no_calls_and_an_eager_mode_compiles_nothing() -> None:
    made = {(row["backend"], row["over"]): row for row in rows.break_even(SAMPLE) if row["size"] == 1_000}
    assert made["jax", "numpy"]["calls"] == 12
    assert (made["jax", "eager mode"]["calls"], made["jax", "eager mode"]["verdict"]) == (None, "never")
    assert not any(backend in ("numpy", "jax_eager") for backend, _ in made)


def test_counts_are_of_the_largest_size_and_observations_have_none() -> None:
    def cell(size: int | None, **figures: float) -> Row:
        named = {name.replace("__", "."): {"value": value} for name, value in figures.items()}
        return {"backend": "jax", "size": size, "status": "ok", "interpreted": False, "figures": named}

    seen = cell(None, Effects__track_printed__prints__same=1)
    data = {
        "kernel": "k",
        "size": "rows",
        "rows": [cell(20, counts__fusions=2), cell(10, counts__fusions=1)],
        "observations": [seen],
    }
    assert [(row["count"], row["size"], row["value"]) for row in rows.counts(data)] == [
        ("fusions", 20, 2), ("printed, prints, same", None, 1),
    ]  # fmt: skip


def test_a_file_made_ahead_of_time_stands_beside_its_compiler() -> None:
    made = {row["step"]: row for row in rows.ahead_of_time(timings.data("philox_pi", [built("c", "shared_object")]))}
    assert {step: row["seconds"] for step, row in made.items()} == {
        "build": 0.5, "load": 0.01, "first call": 0.001, "just in time": 0.4,
    }  # fmt: skip
    assert (made["build"]["bytes"], made["build"]["other_shape"]) == (15408, False)


def test_a_row_that_failed_is_not_drawn() -> None:
    wrong = timed("c", 10, 1e-3, status="wrong", reason="7 hits, not 8")
    assert rows.seconds(timings.data("philox_pi", [wrong])) == []


def test_the_frontier_is_what_nothing_surely_beats() -> None:
    def point(seconds: float, low: float, high: float, error: float) -> Row:
        return {"seconds": seconds, "low": low, "high": high, "error": error}

    best, close, worse, slow_and_good = (
        point(1, 0.9, 1.1, 0.1), point(1.05, 0.95, 1.2, 0.1), point(2, 1.9, 2.1, 0.1), point(9, 8, 10, 0.01),
    )  # fmt: skip
    assert tradeoff.frontier([best, close, worse, slow_and_good], "error") == ["yes", "not told apart", "no", "yes"]
    unknown = point(1.05, None, None, 0.1)  # type: ignore[arg-type]
    assert tradeoff.frontier([best, unknown], "error") == ["yes", "not told apart"]


def line(overhead: float, per_point: float, sizes: Sequence[int] = tuple(10**power for power in range(3, 9))) -> list[Row]:
    """Calls that take exactly ``overhead + per_point * size``."""
    calls = [(size, overhead + per_point * size) for size in sizes]
    return [
        {"backend": "jax", "interpreted": False, "size": size, "seconds": seconds, "low": seconds, "high": seconds}
        for size, seconds in calls
    ]


@pytest.mark.parametrize(("overhead", "verdict"), [(1e-6, "before"), (4e-4, "within"), (1e-2, "after")])
def test_the_knee_is_where_overhead_is_a_tenth_of_the_call(overhead: float, verdict: str) -> None:
    (knee,) = tradeoff.knees(line(overhead, 1e-9))
    assert knee.points == pytest.approx(9 * overhead / 1e-9, rel=1e-3)
    assert knee.verdict == verdict


def test_a_knee_that_quartiles_leave_open_is_called_open() -> None:
    calls = line(1.2e-4, 1e-9)
    assert tradeoff.knees(calls)[0].verdict == "within"
    noisy = [{**row, "low": row["seconds"] * 0.8, "high": row["seconds"] * 1.25} for row in calls]
    assert tradeoff.knees(noisy)[0].verdict == "open"


def test_a_knee_outside_of_what_was_measured_is_not_made_up() -> None:
    (below,) = tradeoff.knees(line(0.0, 1e-9))
    assert (below.points, below.verdict) == (1_000, "before")
    (past,) = tradeoff.knees(line(1.0, 1e-12))
    assert (past.points, past.verdict) == (None, "after")
    (early,) = tradeoff.knees(line(1.0, 1e-12, (10, 100, 1_000)))
    assert (early.points, early.verdict) == (None, "open"), "nothing was measured where the claim is"
    assert tradeoff.knees(line(1.0, 1e-9, (10, 100))) == [], "two sizes are any line"


def test_an_interpreter_says_nothing_of_the_claim() -> None:
    assert tradeoff.knees([{**row, "interpreted": True} for row in line(1e-3, 1e-9)]) == []


def test_the_claim_is_judged_in_words() -> None:
    said = tradeoff.claim([*line(4e-4, 1e-9), *({**row, "backend": "c"} for row in line(1e-6, 1e-9))])
    assert "before 10^6 points for 1 (c 9,000)" in said
    assert "between 10^6 and 10^7 points for 1 (jax 3,600,000)" in said
    assert '"Best between 10^6 and 10^7" holds for 1 of the 2 backends measured.' in said
    assert tradeoff.claim([]).startswith("Too few sizes")


def view(rows: list[Row], **of: Any) -> list[Row]:
    return [row for row in rows if all(row[key] == value for key, value in of.items())]


WARM = {"figure": "warm_seconds", "size": 10_000_000}


def test_every_release_stands_on_the_axis_and_says_why_it_has_no_number() -> None:
    rows = view(made("releases"), **WARM, backend="numba_parallel")
    assert [row["order"] for row in rows] == list(range(20))
    assert {row["order"] for row in rows if row["seconds"] is None} == {FAILED, BROKEN}
    assert rows[FAILED]["absent"].startswith("numba, numba_parallel: ERROR: Could not find")
    assert rows[BROKEN]["absent"].startswith("numba_parallel: LoweringError")
    assert rows[0]["label"] == "2023-05  0.50.0"


def test_each_size_and_life_has_a_view_of_its_own_the_largest_warm_one_first() -> None:
    panels = dict.fromkeys((row["place"], row["panel"]) for row in made("releases"))
    assert list(panels) == [
        (0, "A warm call at 10,000,000 {size}"), (1, "A warm call at 1,000,000 {size}"), (2, "A warm call at 1,000 {size}"),
        (3, "The first call at 1,000 {size}"),
    ]  # fmt: skip


def test_a_spike_is_marked_where_it_comes_and_where_it_goes() -> None:
    rows = view(made("releases"), **WARM, backend="numba")
    assert rows[SPIKE]["mark"].startswith("▲ ")
    assert rows[SPIKE]["step"] == pytest.approx(2, rel=0.1)
    assert rows[MENDED]["step"] == pytest.approx(0.5, rel=0.1)


def test_no_two_factors_stand_near_each_other() -> None:
    for panel in {row["panel"] for row in made("releases")}:
        orders = sorted(row["order"] for row in view(made("releases"), panel=panel) if row["mark"])
        assert all(later - earlier >= 20 / by_release.APART for earlier, later in itertools.pairwise(orders))


def test_a_kernel_s_factor_is_that_to_the_newest_release() -> None:
    rows = view(made("release_factors"), kernel="philox_pi", backend="numba")
    assert (rows[-1]["times"], rows[-1]["newest"], rows[-1]["size"]) == (1.0, "0.59.1", 10_000_000)
    assert rows[SPIKE]["times"] == pytest.approx(2 / 1.1, rel=0.1)
    assert rows[SPIKE]["low"] < rows[SPIKE]["times"] < rows[SPIKE]["high"]


def test_a_release_without_stages_says_so_once_and_noise_has_no_height() -> None:
    content = LADDER.contents["philox_pi"]
    noisy = json.loads(json.dumps(content).replace('"stages.other"', '"stages.noise"'))
    for one in noisy["series"]:
        for point in one["points"] if one["figure"] == "stages.noise" else ():
            point["value"] = -0.01
    rows = ladder_rows.release_stages(noisy)
    assert len(view(rows, backend="numba", order=FAILED)) == 1
    assert {(row["height"], row["seconds"]) for row in view(rows, stage="noise")} == {(0.0, -0.01)}


def test_counts_that_releases_changed_come_first() -> None:
    counted = dict.fromkeys((row["count"], row["moved"]) for row in made("release_counts"))
    assert list(counted) == [("instructions", 4), ("calls", 2), ("vector width", 0), ("blocks", 0)]


def test_releases_and_commits_are_of_one_cell() -> None:
    rows = made("beside")
    assert {row["size"] for row in rows} == {10_000_000}
    assert {row["side"] for row in rows} == {ladder_sides.RELEASES, ladder_sides.COMMITS}
    alone = ladder_rows.beside({**LADDER.contents["philox_pi"], "commits": []})
    assert {row["side"] for row in alone} == {ladder_sides.RELEASES}


def test_drift_is_of_the_reference_and_of_the_c_kernel() -> None:
    rows = made("drift")
    assert {(row["what"], row["side"]) for row in rows} == {
        ("warm calls", ladder_sides.REFERENCE), ("cold calls", ladder_sides.REFERENCE),
        ("warm calls of C", ladder_sides.KERNEL),
    }  # fmt: skip


class Parsed(html.parser.HTMLParser):
    """Tags by name, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.addresses += [str(named[key]) for key in ("src", "href") if key in named]
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(named["content"])

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script" and data.strip():
            self.scripts.append(data)


HOSTILE = "</script><b id=x>&\"'\u202e"


def test_html_stands_alone_and_what_rows_say_is_text() -> None:
    flat = [{**row, "name": HOSTILE} for row in charts.ROWS["seconds"](SAMPLE)]
    text = pictures.Picture("seconds", flat, HOSTILE, HOSTILE, HOSTILE, HOSTILE).draw("html").decode()
    page = Parsed(text)
    assert "b" not in page.tags
    assert page.addresses == []
    assert len(page.scripts) == 2
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in page.scripts]
    assert page.policy.startswith("default-src 'none'; script-src " + " ".join(f"'sha256-{one}'" for one in hashes))
    assert "unsafe-eval" not in page.policy
    assert "ast: true" in page.scripts[1]


def test_the_detector_of_markup_can_fail() -> None:
    assert "b" in Parsed(f"<p>{HOSTILE}</p>").tags


def test_html_has_the_rows_as_a_table() -> None:
    page = Parsed(picture("seconds").draw("html").decode())
    assert page.tags.count("tr") == 1 + len(charts.ROWS["seconds"](SAMPLE))
    assert page.tags.count("th") == len(charts.fields("seconds"))


def test_a_png_is_one_and_dark_is_another() -> None:
    light = picture("lives")
    assert light.draw("png").startswith(b"\x89PNG")
    assert replace(light, theme="dark").draw("svg") != light.draw("svg")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("before")
    with pytest.raises(TypeError):
        pictures.write(path, "text is no bytes")  # type: ignore[arg-type]
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.svg", "before")]


def chart(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jitkernels", "chart", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_stored_rows_become_a_file(ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"chart.{ending}"
    answer = chart("philox_pi", "--rows", str(STORED), "--out", str(out), "-b", "c", "-b", "jax")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[-1] == f"written: {out}"
    assert [file.name for file in tmp_path.iterdir()] == [out.name]


def test_what_is_asked_for_is_measured_and_drawn(tmp_path: Path) -> None:
    out = tmp_path / "chart.svg"
    answer = chart("philox_pi", "seconds", "-b", "c", "-b", "python", "-n", "10", "-n", "1e3", "--out", str(out))
    assert (answer.returncode, answer.stderr.count("\n")) == (0, 4), "one line for each case"
    svg = out.read_text()
    assert [len(re.findall(rf'aria-label="[^"]*backend: {name};', svg)) for name in ("c", "python", "numpy")] == [2, 2, 0]


def test_a_bar_shows_on_a_terminal(tmp_path: Path) -> None:
    out = str(tmp_path / "chart.svg")
    terminal, other = pty.openpty()
    command = [sys.executable, "-m", "jitkernels", "chart", "philox_pi", "-b", "c", "-n", "10", "--out", out]
    subprocess.run(command, stdout=subprocess.PIPE, stderr=other, check=True)  # without frameworks, pi's chart is no choice
    os.close(other)
    assert "measuring" in os.read(terminal, 100_000).decode(errors="replace")
    os.close(terminal)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["pie", "--out", "a.svg"], "unknown kernel 'pie'; known: "),
        (["philox_pi", "pie", "--out", "a.svg"], "unknown chart 'pie'; known: seconds, error, tradeoff"),
        (["philox_pi", "--out", "a.svg", "-b", "gcc"], "unknown backend 'gcc'; known: python"),
        (["philox_pi", "--out", "a.svg", "-n", "0"], "points must be a whole number"),
        (["philox_pi", "--out", "a.pdf"], "--out must end in .svg, .png, .html, got 'a.pdf'"),
        (["philox_pi", "--out", "svg"], "--out must end in .svg, .png, .html, got 'svg'"),
        (["philox_pi", "--out", "no/such/directory/a.svg"], "there is no directory no/such/directory"),
        (["philox_pi", "--out", "/proc/a.svg"], "cannot write /proc/a.svg: "),
        (["philox_pi", "counts", "--out", "a.svg"], "this command does not measure: jitkernels show prints them"),
        (["philox_pi", "drift", "--out", "a.svg"], "the site draws it from the release ladder's results"),
        (["philox_pi", "ahead_of_time", "--out", "a.svg"], "jitkernels aot --json"),
        (["philox_pi"], "the following arguments are required: --out"),
        (["philox_pi", "--out", "a.svg", "--rows", "missing.json"], "cannot read missing.json: No such file or directory"),
        (["dense", "--out", "a.svg", "--rows", str(STORED)], "has no row of dense; it has philox_pi"),
    ],
)
def test_a_mistake_gets_one_line_before_anything_is_measured(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = chart(*arguments, PYTHONPATH=str(ROOT))
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (2, "", 1)
    assert complaint in answer.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not the JSON that jitkernels time --json prints"),
        ('[{"kernel": "philox_pi", "backe', "is not the JSON"),
        ("\udcff", "is not text"),
        ("{}", "holds no list of rows"),
        ("[]", "holds no list of rows"),
        ("[1]", "row 1 is none of jitkernels time --json: it is no object"),
        ('[{"kernel": "philox_pi"}]', "row 1 is none of jitkernels time --json: backend is None"),
        ([timed("c", 10, math.nan)], "NaN is no number"),
        ([timed("c", 10, math.inf)], "Infinity is no number"),
        (json.dumps([timed("c", 10, 1.5)]).replace("1.5,", "1e999,"), "1e999 is no number"),
        ([timed("c", 10, -1.0)], "row 1 is none of jitkernels time --json: warm_seconds is -1.0"),
        ([timed("c", 10, 1.0), timed("c", 0, 1.0)], "row 2 is none of jitkernels time --json: size is 0"),
        ([timed("c", 10, 1.0, warm_quartiles=[1.0])], "warm_quartiles is [1.0]"),
        ([timed("c", 10, 1.0, warm_quartiles=["a", "b"])], "warm_quartiles is ['a', 'b']"),
        ([timed("c", 10, 1.0, error="small")], "error is 'small'"),
    ],
)
def test_rows_that_are_none_are_named(text: str | list[Row], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), errors="surrogateescape")
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        timings.read(path, "philox_pi")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rows_of_a_backend_that_is_not_in_the_table_are_drawn(tmp_path: Path) -> None:
    data = timings.data("philox_pi", [lived("tomorrow", size, size * 1e-9) for size in (10, 100, 1_000)])
    for name in ("seconds", "lives", "break_even"):
        assert b">tomorrow<" in picture(name, data).draw("svg"), name


def test_nothing_to_draw_is_said_in_one_line_with_the_reason(tmp_path: Path) -> None:
    path, out = tmp_path / "rows.json", tmp_path / "a.svg"
    missing = timed(
        "numba", 10, 1.0, status="unavailable", reason="numba is not installed", warm_seconds=None, warm_quartiles=None
    )
    path.write_text(json.dumps([missing]))
    answer = chart("philox_pi", "--rows", str(path), "--out", str(out))
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)
    assert "there is no row to draw seconds from: it wants warm calls (numba: numba is not installed)" in answer.stderr
    assert not out.exists()


def test_what_is_drawn_already_stays_when_nothing_can_be(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    out.write_text("before")
    answer = chart("philox_pi", "lives", "--rows", str(STORED), "--out", str(out))
    assert answer.returncode == 1
    assert out.read_text() == "before"


HIDDEN = """
    import importlib.util
    find = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name == "{module}" else find(name, *rest)
"""


@pytest.mark.parametrize(("module", "package"), [("altair", "altair"), ("vl_convert", "vl-convert-python")])
def test_what_draws_and_is_missing_is_named_with_its_extra(module: str, package: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(HIDDEN.format(module=module)))
    answer = chart("philox_pi", "--out", str(tmp_path / "a.svg"), PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert answer.returncode == 2
    assert f"charts are drawn by {package}, which is not installed: pip install 'jitkernels[chart]'" in answer.stderr


def test_the_help_names_every_chart_of_a_kernel() -> None:
    answer = chart("--help")
    assert answer.returncode == 0
    listed = re.search(r"CHART  (.*?);\s+without it", answer.stdout, re.DOTALL)
    assert listed
    assert re.findall(r"\w+", listed[1]) == list(charts.ROWS)


def loaded(statement: str) -> str:
    code = f"{statement}\nimport sys; print(sorted({{'altair', 'vl_convert'}} & set(sys.modules)))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def test_making_rows_loads_nothing_that_draws() -> None:
    assert loaded("from jitkernels import charts; charts.ROWS; charts.fields('seconds')") == "[]"
    assert loaded("from jitkernels import cli; cli.main(['list', '--json'])") == "[]"
    assert loaded("from jitkernels.charts import drawing") == "['altair']"
