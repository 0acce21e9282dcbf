"""The names of figures, files, links and commands."""

import shlex
import urllib.parse
from typing import Any

import pytest
from site_files import HOSTILE
from synthetic import listed

from website.read import benchmarks, names


@pytest.mark.parametrize(
    ("benchmark", "parameters", "cell", "expected"),
    [
        ("philox_pi.Warm.time_call", "backend points", ["jax", 10], ("jax", 10, "warm_seconds")),
        ("heat_2d.Warm.time_call", "backend,points a side", ["jax", 10], ("jax", 10, "warm_seconds")),
        ("philox_pi.Stages.track_seconds", "backend points stage", ["jax", 10, "trace"], ("jax", 10, "stages.trace")),
        ("philox_pi.Made.track_count", "backend points count", ["jax", 10, "fusions"], ("jax", 10, "counts.fusions")),
        ("relu.Counts.track_fusions", "backend rows", ["jax", 10], ("jax", 10, "counts.fusions")),
        ("relu.Lives.track_programs", "backend size life", ["jax", 20, "cold"], ("jax", 20, "programs.cold")),
        ("relu.Retrace.time_first_call", "backend size", ["jax", 20], ("jax", 20, "retrace_seconds")),
        ("relu.Retraces.track_seconds", "backend size kind", ["jax", 20, "shape"], ("jax", 20, "retrace_seconds")),
        ("relu.Retraces.track_seconds", "backend size kind", ["jax", 20, "dtype"], ("jax", 20, "retraces.dtype")),
        ("relu.AheadOfTime.track_bytes", "backend size form", ["c", 20, "cubin"], ("c", 20, "aot.cubin.bytes")),
        ("relu.AheadOfTime.track_anything", "backend size form", ["c", 20, "x"], ("c", 20, "aot.x.anything")),
        ("relu.Dispatch.time_1000_calls", "backend how", ["jax", "case"], ("jax", 1, "dispatch_seconds")),
        ("philox_pi.Threads.time_call", "backend points threads", ["jax", 10, 2], ("jax", 10, "Threads.time_call.2")),
        (
            "square_or_cube.Spellings.track_programs",
            "backend spelling pattern",
            ["jax", "run", "same"],
            ("jax", None, "Spellings.track_programs.run.same"),
        ),
        ("strange.Thing.track_that", "", [], ("", None, "Thing.track_that")),
        ("alone", "", [], ("", None, "alone")),
    ],
)
def test_a_figure_s_name(benchmark: str, parameters: str, cell: list[Any], expected: tuple[Any, ...]) -> None:
    called = parameters.split("," if "," in parameters else None)
    known = benchmarks.benchmark(benchmark, listed(benchmark, [[repr(value)] for value in cell], called))
    found = benchmarks.case(known, tuple(repr(value) for value in cell))
    assert (found.backend, found.size, found.figure) == expected


def test_a_thousand_calls_are_a_thousand_times_one() -> None:
    known = benchmarks.benchmark("relu.Dispatch.time_1000_calls", listed("relu.Dispatch.time_1000_calls", [], []))
    assert benchmarks.case(known, ("'jax'", "'case'")).calls == 1000


def test_a_link_into_the_history_carries_any_name_as_it_is() -> None:
    link = names.link(HOSTILE, {"machine": HOSTILE, "cpu": HOSTILE, "python": "", "os": None})
    address, _, query = link.partition("#")
    assert address == "history/index.html"
    read = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
    assert read == {"view": "explore", "bench": HOSTILE, "machine": HOSTILE, "f-cpu": HOSTILE}


def test_a_command_quotes_what_a_shell_would_run() -> None:
    command = names.command("a.B.time_$(reboot)`reboot`('; reboot #')", "c" * 40)
    assert len(shlex.split(command)) == 6
    assert "reboot" in shlex.split(command)[4]


def test_file_names_are_safe_and_no_two_alike() -> None:
    evil = ["../../etc/passwd", "..", ".", "", "/", "a/b", "a\\b", "A", "a", "index.json", "CON\x00", "\xe9", "e", HOSTILE]
    evil += ["x" * 300, "x" * 299]
    found = {name: names.slug(name, ["index.json"]) for name in evil}
    assert len(set(found.values())) == len(evil)
    for slug in found.values():
        assert slug.isascii() and len(slug) < 80 and not set(slug) & set("/\\ \x00:") and ".." not in slug
        assert slug[0] not in ".-"
    assert found["a"] == "a"
    assert {name: names.slug(name, ["index.json"]) for name in evil} == found, "the same on every run"
