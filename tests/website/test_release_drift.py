"""The drift of a machine: from the turns of a reference release."""

from typing import Any

from website.releases import drift


def test_a_turn_of_another_reference_release_is_another_yardstick() -> None:
    lines: list[dict[str, Any]] = [
        {"compiler": "numba", "release": release, "at": at, "cells": {"a.Warm.time_call('numba', 1)": {"value": value}}}
        for release, at, value in (
            ("0.67.0", "2026-11-01T00:00:00Z", 5.0),
            ("0.68.1", "2026-11-02T00:00:00Z", 1.0),
            ("0.68.1", "2026-11-03T00:00:00Z", 1.0),
        )
    ]
    found = drift.drift(lines, "numba")
    assert (found.reference, len(found.turns), found.largest("warm")) == ("0.68.1", 2, 0.0)
    assert drift.drift(lines, "jax").turns == []


def test_what_moves_one_cell_of_a_turn_alone_is_not_the_machine() -> None:
    def turn(day: int, *values: float) -> dict[str, Any]:
        cells = {f"a.Warm.time_call('numba', {size})": {"value": value} for size, value in enumerate(values)}
        return {"compiler": "numba", "release": "0.68.1", "at": f"2026-11-0{day}T00:00:00Z", "cells": cells}

    turns = drift.drift([turn(1, 1.0, 2.0, 3.0), turn(2, 1.0, 5.0, 3.0), turn(3, 1.1, 2.2, 3.3)], "numba").turns
    assert [round(one.ratios["warm"], 3) for one in turns[:2]] == [1.0, 1.0]
    assert round(turns[2].ratios["warm"], 3) == 1.1
