"""``jitkernels chart``, and what it loads."""

import errno
import importlib.util
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from chart_rows import timed

from jitkernels import charts, kernels
from jitkernels.__main__ import main
from jitkernels.charts import pictures
from jitkernels.command.chart import _default_sizes

ROOT = Path(__file__).parents[2]
STORED = ROOT / "docs" / "philox_pi.json"


class Answer(NamedTuple):
    status: int
    out: str
    err: str


Chart = Callable[..., Answer]


@pytest.fixture
def chart(capsys: pytest.CaptureFixture[str]) -> Chart:
    """Runs ``jitkernels chart`` in this process."""

    def run(*arguments: str) -> Answer:
        try:
            status = main(["chart", *arguments])
        except SystemExit as end:
            status = int(end.code or 0)
        return Answer(status, *capsys.readouterr())

    return run


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_stored_rows_become_a_file(chart: Chart, ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"chart.{ending}"
    answer = chart("philox_pi", "--rows", str(STORED), "--out", str(out), "-b", "c", "-b", "jax")
    assert answer.status == 0, answer.err
    assert answer.out.splitlines()[-1] == f"written: {out}"
    assert [file.name for file in tmp_path.iterdir()] == [out.name]


def test_the_named_backends_and_sizes_are_measured_and_drawn(chart: Chart, tmp_path: Path) -> None:
    out = tmp_path / "chart.svg"
    answer = chart("philox_pi", "seconds", "-b", "c", "-b", "python", "-n", "10", "-n", "1e3", "--out", str(out))
    assert (answer.status, answer.err.count("\n")) == (0, 4), "a line for each case"
    svg = out.read_text()
    assert [len(re.findall(rf'aria-label="[^"]*backend: {name};', svg)) for name in ("c", "python", "numpy")] == [2, 2, 0]


def test_a_progress_bar_shows_on_a_terminal(tmp_path: Path) -> None:
    out = str(tmp_path / "chart.svg")
    terminal, other = pty.openpty()
    command = [sys.executable, "-m", "jitkernels", "chart", "philox_pi", "-b", "c", "-n", "10", "--out", out]
    subprocess.run(command, stdout=subprocess.PIPE, stderr=other, check=True)  # without frameworks, pi's chart has no rows
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
        (["side_effect", "lives", "--out", "a.svg", "-n", "0"], "a chart's axis of sizes is logarithmic: it has no 0"),
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
    chart: Chart, arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = chart(*arguments)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert complaint in answer.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kernel", kernels.names())
def test_default_sizes_have_a_place_on_a_logarithmic_axis(kernel: str) -> None:
    sizes = _default_sizes(kernels.load(kernel))
    assert sizes and min(sizes) > 0


def test_nothing_to_draw_is_one_line_with_the_reason(chart: Chart, tmp_path: Path) -> None:
    path, out = tmp_path / "rows.json", tmp_path / "a.svg"
    missing = timed(
        "numba", 10, 1.0, status="unavailable", reason="numba is not installed", warm_seconds=None, warm_quartiles=None
    )
    path.write_text(json.dumps([missing]))
    answer = chart("philox_pi", "--rows", str(path), "--out", str(out))
    assert (answer.status, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert "there is no row to draw seconds from: it wants warm calls (numba: numba is not installed)" in answer.err
    assert not out.exists()


def test_a_picture_that_cannot_be_written_is_a_failure(
    chart: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(out: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pictures, "write", write)
    out = tmp_path / "a.svg"
    line = f"jitkernels: cannot write {out}: No space left on device\n"
    assert chart("philox_pi", "--rows", str(STORED), "--out", str(out), "-b", "c") == (1, "", line)


def test_an_older_picture_stays_when_there_is_nothing_to_draw(chart: Chart, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    out.write_text("before")
    answer = chart("philox_pi", "lives", "--rows", str(STORED), "--out", str(out))
    assert answer.status == 1
    assert out.read_text() == "before"


@pytest.mark.parametrize(("module", "package"), [("altair", "altair"), ("vl_convert", "vl-convert-python")])
def test_a_missing_package_that_draws_is_named_with_its_extra(
    chart: Chart, module: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == module else find(name, *rest))
    answer = chart("philox_pi", "--out", str(tmp_path / "a.svg"))
    assert answer.status == 2
    assert f"charts are drawn by {package}, which is not installed: pip install 'jitkernels[chart]'" in answer.err


def test_the_help_names_every_chart_of_a_kernel(chart: Chart) -> None:
    answer = chart("--help")
    assert answer.status == 0
    listed = re.search(r"CHART  (.*?);\s+without it", answer.out, re.DOTALL)
    assert listed
    assert re.findall(r"\w+", listed[1]) == list(charts.ROWS)


def loaded(statement: str) -> str:
    code = f"{statement}\nimport sys; print(sorted({{'altair', 'vl_convert'}} & set(sys.modules)))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def test_making_rows_loads_nothing_that_draws() -> None:
    assert loaded("from jitkernels import charts; charts.ROWS; charts.chart('seconds').fields") == "[]"
    assert loaded("from jitkernels.__main__ import main; main(['list', '--json'])") == "[]"
    assert loaded("from jitkernels.charts.drawing import kernels") == "['altair']"
