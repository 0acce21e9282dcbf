"""The drift of a machine: from the turns of a reference release."""

from typing import Any

from website.releases import drift


def line(day: int, values: dict[str, float], release: str = "0.68.1") -> Any:
    at = f"2026-11-0{day}T00:00:00Z"
    cells = {case: {"value": value} for case, value in values.items()}
    return {"compiler": "numba", "release": release, "began": at, "at": at, "cells": cells}


def test_a_turn_of_another_reference_release_is_another_yardstick() -> None:
    lines = [
        line(day, {"a.Warm.time_call('numba', 1)": value}, release)
        for day, release, value in ((1, "0.67.0", 5.0), (2, "0.68.1", 1.0), (3, "0.68.1", 1.0))
    ]
    found = drift.drift(lines, "numba")
    assert (found.reference, len(found.turns), found.largest("warm")) == ("0.68.1", 2, 0.0)
    assert drift.drift(lines, "jax").turns == []


def test_what_moves_one_cell_of_a_turn_alone_is_not_the_machine() -> None:
    def turn(day: int, *values: float) -> Any:
        return line(day, {f"a.Warm.time_call('numba', {size})": value for size, value in enumerate(values)})

    turns = drift.drift([turn(1, 1.0, 2.0, 3.0), turn(2, 1.0, 5.0, 3.0), turn(3, 1.1, 2.2, 3.3)], "numba").turns
    assert [round(one.ratios["warm"], 3) for one in turns[:2]] == [1.0, 1.0]
    assert round(turns[2].ratios["warm"], 3) == 1.1
