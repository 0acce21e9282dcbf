"""Points are streamed: memory does not follow their number."""

import functools

import pytest

from jitkernels import Unavailable, prepare
from jitkernels.backends.table import BACKENDS as TABLE
from jitkernels.measure import process, tasks
from jitkernels.measure.rows import Row

MOST_BYTES = 200_000_000  # above the framework's import and start; compilers take most of it
POINTS = 60_000_000  # arrays of them would take 240 MB and more
BACKENDS = ["c", "numba", "numba_parallel", "jax", "tensorflow_graph", "tensorflow_xla"]
BACKENDS += ["torch_script", "torch_dynamo", "torch_aot", "torch_inductor"]


@functools.cache
def answers(dialect: str) -> dict[str, Row]:
    """The answers of one process for all backends of a framework. What an earlier one freed hides no array of this length,
    because the allocator returns such to the system."""
    names = [name for name in BACKENDS if TABLE[name].dialect == dialect]
    cases = [{"kernel": "monte_carlo_pi", "backend": name, "size": POINTS, "seed": 42} for name in names]
    return dict(zip(names, process.ask("tasks.memory", cases), strict=True))


@pytest.mark.parametrize("backend", BACKENDS)
def test_millions_of_points_need_no_arrays(backend: str) -> None:
    answer = answers(TABLE[backend].dialect)[backend]
    if answer["status"] == "unavailable":
        raise Unavailable(answer["reason"])
    assert answer["status"] == "ok", answer["reason"]
    assert answer["figures"]["peak_bytes"] < MOST_BYTES


def test_the_peak_of_a_kernel_that_keeps_its_points_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("monte_carlo_pi", "python", 10)
    monkeypatch.setattr("jitkernels.case._program", lambda *cell: lambda points, seed: 2.8 if b"1" * 300_000_000 else 0.0)
    assert tasks.memory(case.kernel.name, "python", 10, 42)["peak_bytes"] > MOST_BYTES
