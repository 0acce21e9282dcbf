"""The environment of a release: what asv installs is compared with what the table requires."""

import importlib.metadata
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import small_table
from laboratory import Laboratory

from benchmarks import _selection as selection
from history.releases import command
from history.releases.environments import CannotMeasureError, ReleaseEnvironment, mismatch
from history.releases.run import LadderRun
from history.releases.table import CONFIGURATION, TABLE, configuration, read


class PartlyInstalled(ReleaseEnvironment):
    """An environment with the packages in ``packages``, until asv creates it anew."""

    packages: dict[str, str]

    def installed(self) -> dict[str, str]:
        return self.packages

    def run(self, *arguments: str, variables: Mapping[str, str] | None = None) -> int:
        if not self.path.exists():
            self.path.mkdir()
            self.packages = dict(self.release.requirements)
        return 0


def partly_installed(path: Path) -> PartlyInstalled:
    environment = PartlyInstalled(read(small_table.TEXT).compilers["thing"].releases[0], "3.11", "0" * 40, lock=0)
    environment.__dict__["path"] = path
    environment.packages = {}
    return environment


@pytest.mark.parametrize("missing", ["jitkernels-part", "jitkernels-thing"])
def test_a_half_installed_environment_is_created_anew(
    missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = partly_installed(tmp_path / "environment")
    environment.path.mkdir()
    environment.packages = {name: each for name, each in environment.release.requirements.items() if name != missing}
    assert environment.create() == environment.release.requirements
    assert f"half installed: {missing} 1.0 was asked for, and none is there" in capsys.readouterr().out
    environment.packages = {**environment.packages, missing: "1.0+local"}
    environment.create()
    assert "half installed" not in capsys.readouterr().out


def test_an_environment_that_asv_creates_with_other_packages_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = partly_installed(tmp_path)
    removed: list[str] = []
    monkeypatch.setattr(PartlyInstalled, "remove", lambda self: removed.append(""))  # asv creates the same thing again
    with pytest.raises(CannotMeasureError, match=r"not what was asked for: jitkernels-part 1\.0 was asked for, and none is"):
        environment.create()
    assert len(removed) == 2, "before it was created anew, and because that was in vain"


def test_a_mismatch_is_a_sentence() -> None:
    assert mismatch({"torch": "2.13.0"}, {"torch": "2.13.0+cpu", "numpy": "2"}) is None
    assert mismatch({"jax": "0.5.0", "numpy": "2.0"}, {"jax": "0.5.1"}) == (
        "jax 0.5.0 was asked for, and 0.5.1 is there; numpy 2.0 was asked for, and none is there"
    )


@pytest.fixture(scope="module")
def numpy_ladder(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A laboratory with a ladder of one release: NumPy, at the version that is installed here."""
    laboratory = Laboratory.create(tmp_path_factory.mktemp("ladder"))
    thing, _ = small_table.TEXT.split("[compilers.still]")
    line = f'    {{ version = "{importlib.metadata.version("numpy")}", published = 2024-01-01, needs = {{}} }},\n'
    table = thing.replace(small_table.LINE.replace("VERSION", "1.0"), line).replace("[compilers.thing]", "[compilers.numpy]")
    table = table.replace('"jitkernels-thing"', '"numpy"').replace('["jitkernels-part"]', "[]")
    (laboratory.path / TABLE).write_text(table.replace("bytes = 1_000", "bytes = 100_000_000"))
    (laboratory.path / CONFIGURATION).write_text(configuration(read(table), laboratory.path / "asv.conf.json"))
    laboratory.commit("Shrink the ladder")
    return laboratory


def test_a_real_release_is_measured(numpy_ladder: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(numpy_ladder.path)
    monkeypatch.setattr(LadderRun, "measure_reference", lambda *_: None)  # the reference is the release itself
    case = "philox_pi.Warm.time_call('numpy', 1000)"
    monkeypatch.setattr(selection, "of_release", lambda cases, _: [each for each in cases if each == case])
    assert command.main(["run", "-c", "numpy"]) == 0
    (file,) = (numpy_ladder.path / ".asv" / "results").glob("*/*numpy*.records.jsonl")
    outcome = [json.loads(line) for line in file.read_text().splitlines()][-1]
    assert (outcome["status"], outcome["cells"]) == ("ok", {"measured": 1})
    assert outcome["installed"]["numpy"] == importlib.metadata.version("numpy")
    assert list((numpy_ladder.path / ".asv" / "releases").iterdir()) == [], "without KEEP nothing stays"
    (release,) = read(TABLE.read_text()).compilers["numpy"].releases
    environment = ReleaseEnvironment(release, "3.11", outcome["commit"], lock=0)
    figure = environment.figures([case])[case]
    low, high, samples = figure["low"], figure["high"], figure["samples"]
    assert low and high and 0 < low <= figure["value"] <= high
    assert samples and samples >= 8
    assert environment.packages()["numpy"]["numpy"] == importlib.metadata.version("numpy")
