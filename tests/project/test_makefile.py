"""The Makefile: what `make test-light` and `make help` list."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from runner import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
OF_BENCH = re.findall(
    r"^[a-z-]+: \.venv/bench\.done.*\n(?:\t.*\n)*?\t\$\(BIN\)/python -m ([\w.]+)", MAKEFILE, flags=re.MULTILINE
)
LATER = [
    "numpy",
    "scipy",
    "numba",
    "jax",
    "tensorflow",
    "torch",
    "triton",
    "pytest",
]  # that .venv/bench.done does not install


def test_the_directories_that_make_test_light_runs_are_there() -> None:
    (listed,) = re.findall(r"^LIGHT = (.*)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert [name for name in listed.split() if not list((ROOT / "tests" / name).glob("test_*.py"))] == []


def test_the_files_that_make_test_light_leaves_out_are_there() -> None:
    (listed,) = re.findall(r"^HEAVY = ((?:.*\\\n)*.*)", MAKEFILE, flags=re.MULTILINE)
    names = listed.replace("\\\n", " ").split()
    assert [name for name in names if not list((ROOT / "tests").glob(f"{name}*.py"))] == [], "take these out of HEAVY"


def test_make_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)", text, flags=re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # of `make test`
    answer = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, env=environment)
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in answer.stdout.splitlines()}
    assert set(listed) == set(phony.replace("\\\n", " ").split()), "write `target:  ## what it does` in the Makefile"


def test_a_preview_without_a_site_says_what_makes_one(tmp_path: Path) -> None:
    command = ["make", "--file", str(ROOT / "Makefile"), "preview"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 2 and "there is no site yet: make site first" in answer.stdout


@pytest.mark.parametrize("module", sorted({name for name in OF_BENCH if name != "build"}))
def test_what_asv_s_environment_runs_needs_no_numpy_and_no_framework(module: str) -> None:
    """`make bench` on a machine with Python alone: the compilers come into the environment that asv makes."""
    code = f"import sys; sys.modules.update(dict.fromkeys({LATER})); import {module}"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


def test_the_commands_of_asv_s_environment_are_known() -> None:
    assert {"history.bench", "website.site", "history.releases.command", "history.keep"} <= set(OF_BENCH)
