"""Every cell agrees with its reference; philox_pi to the last hit."""

import json
from pathlib import Path

import pytest
from conftest import CHECKED_IN, default_cells
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jitkernels import kernels, prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.kernels.philox_pi import KNOWN_HITS
from jitkernels.kernels.philox_pi.python import philox

ANSWERS = json.loads((Path(__file__).parents[1] / "known_answers.json").read_text())
MOST = {  # points that a backend counts in a few seconds; the slow ones get the smaller answers
    **dict.fromkeys(BACKENDS, 4_000_000),
    **dict.fromkeys(("python", "triton", "jax_eager"), 100_001),
    **dict.fromkeys(("torch_eager", "torch_script", "torch_dynamo", "torch_aot"), 1_000_000),
    **dict.fromkeys(("c", "numba_parallel", "jax", "tensorflow_xla"), 2**40),
    "numba": 400_000_000,  # its file is numba_parallel's, which gives the last answer in half the time
    "torch_inductor": 400_000_000,  # takes 40 s for the last answer; torch's loop past block 2^32 has a test of its own
}
KNOWN = [
    (backend, answer["points"], answer["seed"], answer["hits"])
    for backend in BACKENDS
    for answer in ANSWERS["hits"]  # the last is past block 2^32, where the counter's second word begins to count
    if answer["points"] <= MOST[backend]
]

SETTINGS = settings(deadline=None, max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize(("kernel", "backend"), default_cells(__file__))
def test_the_answer_is_right_at_the_default_size(kernel: str, backend: str) -> None:
    prepare(kernel, backend, kernels.load(kernel).default_size).check()


@pytest.mark.parametrize("file", CHECKED_IN)
def test_the_other_cells_are_checked_where_the_table_says(file: str) -> None:
    test = "def test_the_answer_is_right_at_the_default_size"
    assert f'("kernel", "backend"), default_cells(__file__))\n{test}' in (Path(__file__).parents[1] / file).read_text()


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_seed_gives_the_same_plain_number_twice(backend: str) -> None:
    case = prepare("philox_pi", backend, 100_000)
    value = case.value()
    assert type(value) is int
    assert case.value() == value


@pytest.mark.parametrize(("backend", "points", "seed", "hits"), KNOWN)
def test_known_hits_are_counted(backend: str, points: int, seed: int, hits: int) -> None:
    assert prepare("philox_pi", backend, points, seed).value() == hits


@pytest.mark.parametrize("backend", BACKENDS)
@SETTINGS
@given(points=st.integers(1, 30_000), seed=st.integers(0, 2**64 - 1))
def test_any_points_and_seed_give_the_reference_s_hits(backend: str, points: int, seed: int) -> None:
    prepare("philox_pi", backend, points, seed).check()


@pytest.mark.parametrize("answer", ANSWERS["philox4x32_10"])
def test_the_definition_is_philox(answer: dict[str, list[int]]) -> None:
    assert philox(tuple(answer["counter"]), tuple(answer["key"])) == tuple(answer["words"])


@pytest.mark.parametrize(("points", "seed"), [cell for cell in KNOWN_HITS if cell[0] <= 10_000_000])
def test_the_hits_the_check_knows_are_the_reference_s(points: int, seed: int) -> None:
    assert prepare("philox_pi", "numpy", points, seed).value() == KNOWN_HITS[points, seed]
