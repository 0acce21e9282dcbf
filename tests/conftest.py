"""One of the three places where Unavailable means something: here it skips, or fails where the run requires the row."""

import contextlib
from collections.abc import Generator
from typing import Any

import pytest
from laboratory import SMALL, Laboratory

from jitkernels import Unavailable, kernels, prepare, settings
from jitkernels.backends.table import BACKENDS

CELLS = [(kernel, backend) for kernel in kernels.names() for backend in BACKENDS]
WRITTEN = [cell for cell in CELLS if BACKENDS[cell[1]].dialect not in kernels.load(cell[0]).absent]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    try:
        return (yield)
    except Unavailable as error:
        backend = getattr(item, "callspec", None) and item.callspec.params.get("backend")
        if backend is None:
            raise
        if not error.by_design and settings.is_required(backend, BACKENDS[backend].dialect):
            pytest.fail(f"{backend} is required here, but: {error.reason}")
        pytest.skip(error.reason)


@pytest.fixture(autouse=True, scope="session")
def _interpreter_first() -> None:
    """Load Triton's interpreter before Inductor loads Triton as a compiler: in one process only this order works."""
    with contextlib.suppress(Unavailable):  # the tests of its row say so
        prepare("philox_pi", "triton", 1)


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A copy of this repository with a small asv environment and a first commit that is measured and published."""
    made = Laboratory(tmp_path_factory.mktemp("laboratory"))
    assert made.asv("run", "HEAD^!", "--bench", SMALL).returncode == 0
    assert made.asv("publish").returncode == 0
    return made
