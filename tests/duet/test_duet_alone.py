"""One side alone, in real processes of a suite whose benchmarks say what they meet."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from duet import BenchmarkCase, Launch, Side
from duet.alone import alone
from duet.samples import Measurement

SUITE = """
import os


def track_importer():
    return os.getppid()


def track_process():
    return os.getpid()


def track_cores():
    return len(os.sched_getaffinity(0))


def track_variable():
    return int(os.environ["LIMIT"])


def track_allocator():
    return float("LD_PRELOAD" in os.environ or "MALLOC_CONF" in os.environ)


class Timed:
    number, warmup_time = 1, 0

    def time_call(self):
        pass
"""


@pytest.fixture
def side(tmp_path: Path) -> Side:
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "__init__.py").touch()
    (suite / "alone_suite.py").write_text(SUITE)
    return Side("head", sys.executable, None, suite)


def case(name: str) -> BenchmarkCase:
    return BenchmarkCase(name, f"alone_suite.{name}", {})


def measured(side: Side, directory: Path, names: list[str], variables: Mapping[str, str]) -> list[Measurement]:
    """One process of each case, in groups by the names' first letters."""
    launch = Launch(group=lambda case: case[6])
    with alone(side, map(case, names), directory, launch, 3) as measure:
        return [measure(case(name), variables) for name in names]


def test_each_case_has_a_fork_of_its_group_s_process(side: Side, tmp_path: Path) -> None:
    names = ["track_importer", "track_process", "track_importer", "track_process"]
    importer, process, again, another = (each.values[0] for each in measured(side, tmp_path, names, {}))
    assert importer == again
    assert len({importer, process, another}) == 3
    (later,) = (each.values[0] for each in measured(side, tmp_path, ["track_importer"], {}))
    assert later != importer, "a further process begins anew"


def test_it_has_the_user_s_cores_and_memory_and_the_variables_of_its_own(
    side: Side, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    names = ["track_cores", "track_variable", "track_allocator"]
    cores, limit, allocator = (each.values[0] for each in measured(side, tmp_path, names, {"LIMIT": "7"}))
    assert (cores, limit, allocator) == (len(os.sched_getaffinity(0)), 7, 0)
    (failed,) = measured(side, tmp_path, ["track_variable"], {})
    assert (failed.outcome, failed.reason) == ("failed", "KeyError: 'LIMIT'")


def test_a_process_takes_as_many_samples_as_it_is_told(side: Side, tmp_path: Path) -> None:
    (timed,) = measured(side, tmp_path, ["Timed.time_call"], {})
    assert (timed.outcome, len(timed.values)) == ("ok", 3)
