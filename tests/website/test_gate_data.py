"""The data of the gate's section: calibration's sums of all machines."""

import json
from pathlib import Path
from typing import Any

import gate_summaries
import jsonschema
import pytest
from gate_summaries import rate, summary

from history.store.results import Unread
from website.read import gate
from website.schema import json_schema

ROOT = Path(__file__).parents[2]
SCHEMA = json_schema.of_file("gate")


def test_sums_of_all_machines_are_told_the_newest_first_and_fit_their_schema(tmp_path: Path) -> None:
    gate_summaries.write(tmp_path, summary())
    gate_summaries.write(tmp_path, summary(machine="new", until="2026-02-01T00:00:00Z"), machine="new")
    lost: list[Unread] = []
    told = gate.groups(tmp_path, lost)
    assert ([group["machine"] for group in told], lost) == (["new", "vm"], [])
    assert told[0]["rates"][0] == {"done": "nothing", "slower": None, "by": "false alarms", **rate(0, 20)}
    jsonschema.validate({"schema": 1, "groups": told}, SCHEMA)


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(summary())[:40],
        "no JSON",
        "[]",
        "null",
        '{"schema": 2}',
        summary(runs=-1),
        summary(cells="many"),
        summary(noise=None),
        json.dumps(summary()).replace("630.0", "Infinity"),
        summary(power=[{"slower": True}]),
        summary(power=[{"slower": None, "suspected": rate(1, 1), "believed": rate(1, 1)}]),
        summary(seconds={"median": True, "most": 10**400}),
    ],
)
def test_a_line_that_is_none_is_named_and_the_others_are_read(tmp_path: Path, line: Any) -> None:
    gate_summaries.write(tmp_path, line, summary())
    lost: list[Unread] = []
    assert len(gate.groups(tmp_path, lost)) == 1
    (problem,) = lost
    assert (problem.file, problem.reason.partition(":")[0]) == (f"{tmp_path}/vm/gate.jsonl", "line 1")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    gate_summaries.write(tmp_path).write_bytes(b"\xff\xfe")
    lost: list[Unread] = []
    assert gate.groups(tmp_path, lost) == []
    assert len(lost) == 1
