"""The account of what a run of the suite spent its time on."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import _costs
from history.spent import PARTS, Spent

ROOT = Path(__file__).parents[2]


def test_a_process_knows_how_old_it_is() -> None:
    script = "import time; time.sleep(0.3); from benchmarks._costs import process_seconds; print(process_seconds())"
    begin = time.monotonic()
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    ticks = 0.02  # the kernel's clock has a hundred a second
    assert 0.3 - ticks < float(answer.stdout) < time.monotonic() - begin + ticks, "between its sleep and its whole life"


def test_laps_are_the_process_s_life_without_holes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_costs.FILE, str(tmp_path / "costs"))
    before = _costs.process_seconds()
    now = iter([10.0, 13.0, 13.5])
    watch = _costs.Stopwatch(clock=lambda: next(now))
    watch.lap("check")
    watch.lap("warm_up")
    watch.save("warm")
    line = json.loads((tmp_path / "costs").read_text())
    assert set(line) == {"kind", "start", "check", "warm_up"} <= {"kind", *PARTS}
    assert line["start"] >= before
    assert (line["check"], line["warm_up"]) == (3.0, 0.5)


def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_costs.FILE, raising=False)
    monkeypatch.chdir(tmp_path)
    _costs.Stopwatch().save("warm")
    assert list(tmp_path.iterdir()) == []


def test_the_account_adds_up(tmp_path: Path) -> None:
    file = tmp_path / "costs"
    file.write_text('{"kind": "left over", "start": 1000.0}\n')
    spent = Spent(file)
    warm = {"kind": "warm", "start": 2.0, "check": 3.0, "warm_up": 5.0, "unsettled": "x"}
    beside, figures = {"kind": "exact", "benchmark": "relu.Lives", "beside": 7.0}, {"kind": "exact", "figures": 1.0}
    file.write_text("\n".join(map(json.dumps, (warm, beside, figures))))
    spent.add(wall=20.0, samples=5.0)
    spent.add(wall=20.0, samples=10.0)
    assert spent.seconds == {
        "start": 2.0,
        "framework": 0.0,
        "check": 3.0,
        "warm_up": 5.0,
        "samples": 15.0,
        "figures": 1.0,
        "rest": 14.0,
    }
    first, *parts, exact, lives, heading, case = spent.summary()
    assert first == "0:40 in all, 50% of it in timed samples and warm-up:"
    assert ("not settled" in heading, case) == (True, "  1  x")
    assert ("exact figures" in exact, lives) == (True, "  0:07  relu.Lives")
    assert len(parts) == 6
    assert sum(int(part.split("%")[0]) for part in parts) == pytest.approx(100, abs=3)
