"""Real runs of a calibration, interrupted and summed up."""

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable

from laboratory import Laboratory, heeding_ctrl_c

from gate import calibration, errors

SLOW, WRONG = (f"philox_pi.Warm.time_call('c', {points})" for points in (1_000_000, 1_000))
HITS = [f"philox_pi.Accuracy.track_hits('c', {points})" for points in (1_000, 10_000)]
BENCH = [f"^{re.escape(cell)}$" for cell in (SLOW, WRONG, *HITS)]
WORDS = ["calibrate", "--slow", SLOW, "--sizes", "0,900", *(f"--bench={each}" for each in BENCH)]


def test_real_runs_find_their_faults_and_an_interrupted_one_keeps_finished_runs(
    laboratory: Laboratory, gate_command: Callable[..., list[str]]
) -> None:
    file = laboratory.path / calibration.FILE
    with subprocess.Popen(
        heeding_ctrl_c(gate_command(*WORDS, "--runs", "9")),
        cwd=laboratory.path,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while len(calibration.load(file)) < 2 and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, steps = process.communicate()
    assert process.returncode == 130, steps
    untouched, touched = calibration.load(file)[:2]
    assert (untouched["injected"], untouched["lost"], untouched["too_little"]) == ({}, [], []), untouched
    is_alarm = bool(untouched["believed"])  # equal sides differ by chance, beside enough other work: that rate is measured
    assert untouched["exit_code"] == (errors.REGRESSION if is_alarm else errors.PASSED), untouched
    assert set(untouched["cells"]) == {SLOW, WRONG, *HITS}
    assert {name: len(ratios) for name, ratios in untouched["pairs"].items()} == {SLOW: 7, WRONG: 7}
    kinds = {fault["kind"]: name for name, fault in touched["injected"].items()}
    assert (kinds["slower"], kinds["wrong"], {kinds["changed"], kinds["lost"]}) == (SLOW, WRONG, set(HITS))
    assert touched["injected"][SLOW]["factor"] == 10, "far beyond the noise of a machine on which other tests run"
    assert SLOW in touched["suspected"]
    assert SLOW in touched["believed"]
    assert kinds["changed"] in touched["believed"]
    assert {kinds["wrong"], kinds["lost"]} == set(touched["lost"])
    assert touched["exit_code"] == errors.REGRESSION

    answer = laboratory.gate(*WORDS, "--json", "sums.json")
    assert answer.returncode == 0, answer.stderr
    (group,) = json.loads((laboratory.path / "sums.json").read_text())["groups"]
    assert group["runs"] == len(calibration.load(file))
    assert {slower["slower"]: slower["believed"]["hits"] for slower in group["power"]} == {9.0: 1}
    assert "| what was done to HEAD |" in answer.stdout
