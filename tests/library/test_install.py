"""The wheel, as a stranger installs it: one compiler's extra gives its rows, and every other row an honest reason."""

import json
import os
import subprocess
import zipfile
from pathlib import Path

from jitkernels import kernels, source
from jitkernels.backends.table import BACKENDS

ROOT = Path(__file__).parents[2]


def run(installed: Path, *arguments: str) -> list[dict[str, object]]:
    environment = {key: value for key, value in os.environ.items() if key not in ("JITKERNELS_REQUIRE", "PYTHONPATH")}
    answer = subprocess.run(
        [installed / "jitkernels", *arguments, "--json"], capture_output=True, text=True, cwd=installed, env=environment
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_the_wheel_holds_every_cell_and_its_types_and_its_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "jitkernels/py.typed" in names
    assert {name.partition("/")[0] for name in names if "dist-info" not in name} == {"jitkernels"}, "plugins have their own"
    assert any(name.endswith("licenses/LICENSE") for name in names)
    for kernel in kernels.names():
        for backend in BACKENDS.values():
            path = source.path(kernel, backend.dialect)
            assert not path.exists() or path.relative_to(ROOT).as_posix() in names


def test_one_extra_gives_its_rows_and_the_others_a_reason(installed: Path) -> None:
    reasons = {row["backend"]: row["reason"] for row in run(installed, "list") if row["kernel"] == "philox_pi"}
    here = ("python", "numpy", "c", "numba", "numba_parallel")
    assert {backend: reasons[backend] for backend in here} == dict.fromkeys(here)
    for backend in set(reasons) - set(here):
        package = BACKENDS[backend].framework.packages[0]
        assert reasons[backend] == f"{package} is not installed: pip install 'jitkernels[{BACKENDS[backend].dialect}]'"


def test_its_rows_work(installed: Path) -> None:
    rows = run(installed, "check", "monte_carlo_pi")
    assert [row["status"] for row in rows] == ["ok"] * 5 + ["unavailable"] * 11
    assert rows[3]["version"].startswith("numba ")
