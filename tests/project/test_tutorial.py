"""docs/tutorial.md does what it says, and so does each file in examples/."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shell import package

import jitkernels

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)
(COMMAND,) = re.findall(r"^    jitkernels (compare .*)$", TUTORIAL, re.MULTILINE)
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path.name not in COMMAND)
ONE_FIRST_CALL = """
    import sys

    if "distance.py" in sys.orig_argv:  # not a process that measures
        import jitkernels.measure.lives

        jitkernels.measure.lives.PROCESSES = 1
"""


def require_compilers() -> None:
    """Raise Unavailable where JAX or Numba is missing: the test is skipped with the reason."""
    for backend in ("jax", "numba"):
        jitkernels.prepare("softmax", backend, 1)


def run(command: list[str], directory: Path, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, env=environment)


def test_every_block_of_the_tutorial_runs(tmp_path: Path) -> None:
    require_compilers()
    first, second = BLOCKS
    quick = first.replace("sizes=[10, 300]", "sizes=[300], processes=1")  # as it stands it takes a minute and a half
    assert quick != first
    file = tmp_path / "distance.py"
    file.write_text(quick + second)
    answer = run([sys.executable, file.name], tmp_path, package(tmp_path, "sitecustomize", ONE_FIRST_CALL))
    assert answer.returncode == 0, answer.stderr
    assert "has the shortest time" in answer.stdout.splitlines()[0]
    titles = re.findall(r"^\|([a-z][a-z ,0-9%-]*)\|", TUTORIAL, re.MULTILINE)[1:]
    assert titles, "the tutorial explains no column"
    for title in (name for column in titles for name in column.split(", ")):
        assert title in answer.stdout, f"the table has no column {title}"
    assert {path.name for path in tmp_path.iterdir()} >= {"distance.html", "distance.svg", "distance.json"}
    assert {row["status"] for row in json.loads((tmp_path / "distance.json").read_text())["rows"]} == {"ok"}


def test_the_tutorial_s_command_runs(tmp_path: Path) -> None:
    require_compilers()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    answer = run([sys.executable, "-m", "jitkernels", *COMMAND.split()], tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert {line.split()[-1] for line in answer.stderr.splitlines()} == {"ok"}, answer.stderr
    assert (tmp_path / "collatz.html").exists()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_give_right_answers(example: Path) -> None:
    require_compilers()
    command = ["compare", str(example), "-n", "64", "--no-cold", "--processes", "1", "--json"]
    answer = run([sys.executable, "-m", "jitkernels", *command], ROOT)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert {row["status"] for row in json.loads(answer.stdout)["rows"]} == {"ok"}
