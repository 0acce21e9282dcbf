"""The laboratory's first commit, which is BASE."""

import pytest
from laboratory import Laboratory


@pytest.fixture
def base(laboratory: Laboratory) -> str:
    return laboratory.git("rev-list", "--max-parents=0", "HEAD")
