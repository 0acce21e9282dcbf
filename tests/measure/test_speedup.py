"""Speed-ups over eager mode and over C: which rows are compared, and their mean."""

import math
from typing import Any

import pytest

from jitkernels.backends.table import BACKENDS
from jitkernels.measure import comparisons


def row(backend: str, seconds: float | None, kernel: str = "relu", size: int = 1) -> dict[str, Any]:
    quartiles = None if seconds is None else [seconds * 0.9, seconds * 1.1]
    case = {"kernel": kernel, "size": size, "backend": backend, "cold_seconds": None}
    return {**case, "warm_seconds": seconds, "warm_quartiles": quartiles}


@pytest.mark.parametrize(
    ("backend", "eager"),
    [
        ("jax", "jax_eager"),
        ("tensorflow_graph", "tensorflow_eager"),
        ("torch_inductor", "torch_eager"),
        ("torch_eager", None),
        ("numpy", None),
        ("numba", None),
        ("c", None),
        ("triton", None),
    ],
)
def test_a_compiler_is_compared_with_its_own_eager_mode(backend: str, eager: str | None) -> None:
    assert BACKENDS[backend].eager == eager


def test_compilers_have_an_eager_mode() -> None:
    assert {name for name in BACKENDS if BACKENDS[name].eager} == {
        "jax",
        "tensorflow_graph",
        "tensorflow_xla",
        "torch_script",
        "torch_dynamo",
        "torch_aot",
        "torch_inductor",
    }


def test_a_row_is_divided_by_the_same_case_in_eager_mode() -> None:
    rows = [row("jax", 1.0), row("jax_eager", 3.0), row("jax", 1.0, size=2), row("numba", 1.0)]
    comparisons.add_all(rows)
    assert [measured["speedup"] for measured in rows] == [3.0, None, None, None]
    assert rows[0]["speedup_range"] == pytest.approx([2.7 / 1.1, 3.3 / 0.9])


def test_what_was_not_measured_has_no_speedup() -> None:
    rows = [row("jax", None), row("jax_eager", 3.0), row("torch_inductor", 1.0), row("torch_eager", None)]
    comparisons.add_all(rows)
    assert [measured["speedup"] for measured in rows] == [None] * 4
    assert comparisons.mean_speedups(rows) == []


def test_c_is_the_mark_of_the_same_case() -> None:
    rows = [row("c", 1.0), row("jax", 2.0), row("numba", 0.5), row("jax", 2.0, size=2), row("torch_eager", None)]
    comparisons.add_all(rows)
    assert [measured["fraction_of_c"] for measured in rows] == [1.0, 0.5, 2.0, None, None]
    assert rows[1]["fraction_of_c_range"] == pytest.approx([0.9 / 2.2, 1.1 / 1.8])


def test_the_mean_of_twice_and_half_is_one() -> None:
    rows = [row("jax_eager", 2.0), row("jax", 1.0), row("jax_eager", 1.0, "dense"), row("jax", 2.0, "dense")]
    comparisons.add_all(rows)
    (mean,) = comparisons.mean_speedups(rows)
    assert mean["geomean"] == pytest.approx(1.0)
    assert mean["geometric_deviation"] == pytest.approx(math.exp(math.log(2) * math.sqrt(2)))
    assert (mean["least"], mean["most"], mean["cases"], mean["over"]) == (0.5, 2.0, 2, "jax_eager")
