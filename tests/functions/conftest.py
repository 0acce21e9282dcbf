"""A process for each life, where its counts alone matter."""

import pytest


@pytest.fixture
def _lives_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process for each life: counts are the same in all."""
    monkeypatch.setattr("jitkernels.measure.lives.PROCESSES", 1)
