"""The suite as asv discovers it, once for all tests."""

from pathlib import Path
from typing import Any

import pytest
from discovery import discover
from laboratory import Laboratory, Template

from duet.cases import cases_of

ROOT = Path(__file__).parents[2]
MEASURED = (
    r"^philox_pi\.(Warm|Interpreted)\.time_call\('(python|numpy|c|numba|triton)', 1000\)"
    r"|^philox_pi\.Accuracy\.track_hits\('(python|numba)', 1000\)"
)
TOO_MANY = r"|^philox_pi\.Warm\.time_call\('python', 10000000\)"
BROKEN = """
import time

from ._suite.exact import _Accuracy, _Exact
from ._suite.warm import _Warm


class _Parameters:
    kernel = "philox_pi"
    params = [["python"], [1_000]]


class Bad(_Parameters, _Exact):
    def figures(self, backend, size):
        return {}

    def track_raises(self, backend, points):
        raise RuntimeError("on purpose")

    def track_infinity(self, backend, points):
        return float("inf")

    def track_nan(self, backend, points):
        return float("nan")

    def track_negative(self, backend, points):
        return -1.0

    def track_fine(self, backend, points):
        return 1.0


class BadToo(_Parameters, _Exact):
    timeout = 1

    def figures(self, backend, size):
        return {}

    def track_hangs(self, backend, points):
        time.sleep(1_000)


class Late(_Parameters, _Warm):
    def time_call(self, backend, size):
        super().time_call(backend, size)
        self.answer += 1


class Broken(_Parameters, _Warm):
    def setup(self, backend, size):
        super().setup(backend, size)
        raise ValueError("first line\\nthe last line")
"""


@pytest.fixture(scope="session")
def discovered() -> dict[str, Any]:
    return discover(ROOT / "benchmarks")


@pytest.fixture(scope="session")
def cases(discovered: dict[str, Any]) -> list[str]:
    """Every benchmark case of the suite, by asv's own spelling."""
    params = {each["name"]: [list(map(repr, values)) for values in each["params"]] for each in discovered["benchmarks"]}
    return list(cases_of({name: {"params": values} for name, values in params.items()}))


@pytest.fixture(scope="session", params=["spawn", "forkserver"])
def badly_measured_template(
    measured_laboratory: Template, shared_directory: Path, request: pytest.FixtureRequest
) -> Template:
    """A laboratory whose last but one commit has good and bad benchmarks, measured with each launch method of asv. Several
    rounds are measured with the fork server alone, which starts a process in a fraction of the time."""

    def build(path: Path) -> None:
        laboratory = measured_laboratory.copy(path)
        broken = laboratory.path / "benchmarks" / "broken.py"
        broken.write_text(BROKEN)
        laboratory.change_library()
        bench = MEASURED + TOO_MANY + "|^broken"
        rounds = ("--attribute", "rounds=1") if request.param == "spawn" else ()
        answer = laboratory.asv("run", "HEAD^!", "--bench", bench, "--launch-method", request.param, *rounds)
        broken.unlink()
        laboratory.commit("Take the broken benchmarks out")
        assert answer.returncode == 2, answer.stdout + answer.stderr

    return Template(shared_directory / f"badly-measured-{request.param}", build)


@pytest.fixture(scope="module")
def badly_measured(badly_measured_template: Template, tmp_path_factory: pytest.TempPathFactory) -> tuple[Laboratory, str]:
    """A copy for the tests of a file, and the commit with bad benchmarks. The tests read it, or publish it."""
    path = tmp_path_factory.mktemp("badly-measured") / "laboratory"
    laboratory = badly_measured_template.copy(path, shares_environment=True)
    return laboratory, laboratory.git("rev-parse", "HEAD^")
