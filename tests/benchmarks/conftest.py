"""The suite as asv discovers it, once for all tests."""

from pathlib import Path
from typing import Any

import pytest
from discovery import discover

from benchmarks._selection import case_names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def discovered() -> dict[str, Any]:
    return discover(ROOT / "benchmarks")


@pytest.fixture(scope="session")
def cases(discovered: dict[str, Any]) -> list[str]:
    """Every benchmark case of the suite, by asv's own spelling."""
    params = {each["name"]: [list(map(repr, values)) for values in each["params"]] for each in discovered["benchmarks"]}
    return [case for name, values in params.items() for case in case_names(name, values)]
