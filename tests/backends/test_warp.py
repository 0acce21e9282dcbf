"""NVIDIA Warp by its plugin, where that is installed: in an environment of its own, as ``make test`` installs no plugin."""

from pathlib import Path

import pytest

from jitkernels import prepare, settings
from jitkernels.backends import caches
from jitkernels.backends.table import catalogue
from jitkernels.case import Case
from jitkernels.kernels.philox_pi import KNOWN_HITS

KERNELS = ["black_scholes", "heat_2d", "monte_carlo_pi", "philox_pi"]
MOST = 1_000_000


@pytest.fixture(autouse=True)
def _warp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip without the plugin, or fail where JITKERNELS_REQUIRE lists it; otherwise begin with an empty cache."""
    if "warp" not in catalogue():
        reason = "jitkernels-warp is not installed: pip install plugins/jitkernels-warp"
        (pytest.fail if settings.is_required("warp") else pytest.skip)(reason)
    for name, value in caches.variables(tmp_path).items():
        monkeypatch.setenv(name, value)


def case(kernel: str, size: int) -> Case:
    return prepare(kernel, "warp", size)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("size", [2, 3, 101])
def test_the_answers_are_right(kernel: str, size: int) -> None:
    case(kernel, size).check()


@pytest.mark.parametrize(("points", "seed"), [known for known in KNOWN_HITS if known[0] <= MOST])
def test_the_known_hits_are_counted(points: int, seed: int) -> None:
    assert prepare("philox_pi", "warp", points, seed).value() == KNOWN_HITS[points, seed]


def test_several_launches_count_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for kernel, limit in (("philox_pi", "BLOCKS"), ("monte_carlo_pi", "POINTS")):
        own = case(kernel, 10_001)
        expected = own.value()
        monkeypatch.setitem(own.source.run.__globals__, limit, 512)
        assert own.value() == expected


def test_every_part_of_the_seed_counts() -> None:
    assert len({prepare("monte_carlo_pi", "warp", 30_011, seed).value() for seed in (1, 1 + 2**32, 1 + 2**63)}) == 3


def test_a_program_is_compiled_once_and_again_when_it_is_forgotten() -> None:
    own = case("philox_pi", 1000)
    own.forget()
    own.check()
    compiled = own.compiled()
    own.call()
    assert own.compiled() == compiled
    own.forget()
    own.check()
    assert own.compiled() == compiled + 1


def test_the_cache_gives_a_program_back() -> None:
    own = case("black_scholes", 10)
    own.forget()
    own.call()
    before = own.compiler.from_disk()
    import warp

    warp.get_module(own.source.run.__module__).unload()
    own.call()
    assert own.compiler.from_disk() == before + 1


def test_stages_and_artifacts_are_of_the_program() -> None:
    own = case("monte_carlo_pi", 1000)
    stages, artifacts = own.stages(), own.artifacts()
    assert list(stages.seconds) == ["build"]
    assert next(iter(artifacts.texts)) == "cpp"
    assert "count_hits" in artifacts.texts["cpp"]


def test_the_cpu_has_one_thread() -> None:
    assert case("heat_2d", 10).compiler.threads() == 1
