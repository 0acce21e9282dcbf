"""Each command that the Makefile runs prints its help, refuses words that it does not know, and does nothing else then."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from synthetic import ROOT

MODULES = sorted(set(re.findall(r"python -m ((?:gate|history|jitkernels|website)[\w.]*)", (ROOT / "Makefile").read_text())))
VERBS = [["history.releases.command", verb] for verb in ("write", "run", "duets", "parts", "new")]

each_command = pytest.mark.parametrize("command", [*([module] for module in MODULES), *VERBS], ids=" ".join)


def run(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command where it could do no work."""
    return subprocess.run([sys.executable, "-m", *words], cwd=directory, capture_output=True, text=True)


def test_the_commands_are_found() -> None:
    assert {"gate", "history.bench", "history.nightly", "history.picture", "website.site"} <= set(MODULES)


@each_command
def test_help_is_printed_and_nothing_begins(command: list[str], tmp_path: Path) -> None:
    answer = run(tmp_path, *command, "--help")
    assert (answer.returncode, answer.stderr, list(tmp_path.iterdir())) == (0, "", [])
    assert answer.stdout.startswith("usage: ")
    assert "{'option_strings'" not in answer.stdout, "a % that is not doubled"


@each_command
def test_unknown_words_are_refused(command: list[str], tmp_path: Path) -> None:
    answer = run(tmp_path, *command, "--no-such-option")
    assert (answer.returncode, answer.stdout, list(tmp_path.iterdir())) == (2, "", [])
