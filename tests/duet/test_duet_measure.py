"""A duet of two libraries over one Python, and of one library over two Pythons, in real processes.

The suite's clock is one that only its own calls advance, so the ratios are exact on any machine.
"""

import json
import subprocess
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path

import pytest

from duet import Duet, Side, SideError, discover, measure, sides
from duet.turns import StopRule

PATIENT = StopRule(6, 0.01, seconds=1e9)
SUITE = """
class Warm:
    params = ["plain", "skipping"]
    number, warmup_time, ticks = 1, 0, 0.0

    @staticmethod
    def timer():
        return Warm.ticks

    def setup(self, name):
        if name == "skipping":
            raise NotImplementedError("gone fishing")

    def time_call(self, name):
        import measured

        Warm.ticks += measured.SECONDS


def track_count():
    import measured

    return measured.COUNT


track_count.exact = True
"""
WARM, SKIPPING, COUNT = "calls.Warm.time_call('plain')", "calls.Warm.time_call('skipping')", "calls.track_count"


def write_library(directory: Path, text: str) -> Path:
    (directory / "measured").mkdir(parents=True)
    (directory / "measured" / "__init__.py").write_text(text)
    return directory


@pytest.fixture(scope="session")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("calls") / "benchmarks"
    root.mkdir()
    (root / "__init__.py").touch()
    (root / "calls.py").write_text(SUITE)
    return root


@pytest.fixture(scope="session")
def pythons(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two environments with a compiler of another release each, which see asv_runner of this one."""
    executables = []
    for release, seconds in (("1.0", 0.001), ("2.0", 0.003)):
        directory = tmp_path_factory.mktemp("environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", directory], check=True)
        (packages,) = (directory / "lib").glob("python*/site-packages")
        (packages / "here.pth").write_text(sysconfig.get_path("purelib"))
        (packages / "fake_compiler.py").write_text(f"SECONDS = {seconds}\n")
        (packages / f"fake_compiler-{release}.dist-info").mkdir()
        metadata = f"Metadata-Version: 2.1\nName: fake-compiler\nVersion: {release}\n"
        (packages / f"fake_compiler-{release}.dist-info" / "METADATA").write_text(metadata)
        executables.append(str(directory / "bin" / "python"))
    return executables


def test_two_libraries_over_one_python_are_compared(tmp_path: Path, calls: Path) -> None:
    base, head = (
        Side(name, sys.executable, write_library(tmp_path / name, f"SECONDS = {seconds}\nCOUNT = {count}\n"), calls)
        for name, seconds, count in (("base", 0.001, 7), ("head", 0.002, 0))
    )
    cases = discover(head, tmp_path / "log.txt")
    pairs = measure((base, head), cases.values(), tmp_path, rounds=3, rule=PATIENT)
    assert pairs[WARM].ratios == pytest.approx([2.0] * 3)
    assert pairs[WARM].first == pytest.approx([0.001] * 3)
    comparison = pairs[WARM].comparison()
    assert comparison is not None
    assert (comparison.ratio, comparison.low, comparison.high) == pytest.approx((2.0, 2.0, 2.0))
    assert (pairs[COUNT].first, pairs[COUNT].second, pairs[COUNT].ratios) == ([7], [0], [0])
    assert pairs[COUNT].comparison() is None
    assert (pairs[SKIPPING].first, pairs[SKIPPING].reason) == ([], "gone fishing")
    lines = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    counts = {name: [line["cell"] for line in lines].count(name) for name in cases}
    assert counts == {WARM: 6, COUNT: 2, SKIPPING: 2}, "a figure is measured once a side, and a skip not again"
    turns = [len(line["values"]) for line in lines if line["cell"] == WARM]
    assert turns == [PATIENT.least] * 6, "the ratio is known after the fewest turns"
    order = [line["side"] for line in lines if line["cell"] == WARM]
    assert order[:2] == order[4:] == order[2:4][::-1], "sides change places each round"


def test_one_library_over_two_pythons_is_compared(tmp_path: Path, calls: Path, pythons: list[str]) -> None:
    library = write_library(tmp_path / "library", "import fake_compiler\n\nSECONDS, COUNT = fake_compiler.SECONDS, 1\n")
    sides = (Side("fake 1.0", pythons[0], library, calls), Side("fake 2.0", pythons[1], library, calls))
    assert [side.versions(["fake_compiler", "absent"])["fake-compiler"] for side in sides] == ["1.0", "2.0"]
    assert "absent" not in sides[0].versions(["absent"])
    warm = discover(sides[0], tmp_path / "log.txt")[WARM]
    assert measure(sides, [warm], tmp_path, rounds=3, rule=PATIENT)[WARM].ratios == pytest.approx([3.0] * 3)


def test_a_library_that_is_installed_in_its_python_needs_no_directory(
    tmp_path: Path, calls: Path, pythons: list[str]
) -> None:
    (packages,) = Path(pythons[0]).parents[1].glob("lib/python*/site-packages")
    write_library(packages, "SECONDS, COUNT = 0.001, 5\n")
    one, two = (Side(name, pythons[0], None, calls) for name in ("one", "two"))
    count = discover(one, tmp_path / "log.txt")[COUNT]
    assert measure((one, two), [count], tmp_path, rounds=1)[COUNT].second == [5]


def test_a_library_that_came_from_elsewhere_is_not_measured(tmp_path: Path, calls: Path) -> None:
    library = write_library(tmp_path / "library", "SECONDS, COUNT = 0.001, 1\n")
    elsewhere = write_library(tmp_path / "elsewhere", "SECONDS, COUNT = 0.001, 1\n")
    suite = tmp_path / "other" / "benchmarks"
    suite.mkdir(parents=True)
    (suite / "__init__.py").write_text(f"import sys\nsys.path.insert(0, {str(elsewhere)!r})\nimport measured\n")
    (suite / "calls.py").write_text(SUITE)
    base, head = (Side(name, sys.executable, library, suite) for name in ("base", "head"))
    case = discover(replace(base, suite=calls), tmp_path / "log.txt")[COUNT]
    pairs = measure((base, head), [case], tmp_path, rounds=1)
    assert (pairs[COUNT].first, pairs[COUNT].reason) == ([], "the process that should have measured it died")
    assert f"not from {library}" in (tmp_path / "log.txt").read_text()


def test_a_side_without_a_python_or_a_suite_is_named(tmp_path: Path, calls: Path) -> None:
    log = tmp_path / "log.txt"
    no_python = Side("base", str(tmp_path / "no-python"), None, calls)
    for ask in (lambda: no_python.versions([]), lambda: discover(no_python, log)):
        with pytest.raises(SideError, match="no-python does not start"):
            ask()
    with pytest.raises(SideError, match="the suite of base cannot be imported"):
        discover(Side("base", sys.executable, None, tmp_path / "no-suite"), log)
    with pytest.raises(ValueError, match="both sides are called 'base'"):
        Duet(tmp_path, (no_python, no_python))


def test_a_python_that_never_ends_is_named(tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text("import time\n\ntime.sleep(1000)\n")
    monkeypatch.setattr(sides, "LONGEST", 1.0)
    with pytest.raises(SideError, match=r"timed out after 1\.0 seconds"):
        Side("head", sys.executable, tmp_path, calls).installed()


def test_the_caller_s_python_path_and_optimisation_do_not_reach_a_side(calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PYTHONOPTIMIZE would switch off the asserts that check answers."""
    for variable in ("PYTHONPATH", "PYTHONOPTIMIZE", "OTHER"):
        monkeypatch.setenv(variable, "1")
    environment = Side("base", sys.executable, None, calls).environment({})
    assert (environment.get("PYTHONPATH"), environment.get("PYTHONOPTIMIZE"), environment["OTHER"]) == (None, None, "1")
