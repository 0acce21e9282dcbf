"""A laboratory for each test, and its first commit, which is BASE."""

from pathlib import Path

import pytest
from laboratory import Laboratory, Template


@pytest.fixture
def laboratory(measured_laboratory: Template, tmp_path: Path) -> Laboratory:
    """The test's own copy of the measured laboratory. The gate installs nothing into asv's environment: tests share it."""
    return measured_laboratory.copy(tmp_path / "laboratory", shares_environment=True)


@pytest.fixture
def base(laboratory: Laboratory) -> str:
    return laboratory.git("rev-list", "--max-parents=0", "HEAD")
