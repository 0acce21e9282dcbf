"""The Makefile: what `make test-light` and `make help` list."""

import os
import re
import subprocess

from runner import ROOT


def test_the_directories_that_make_test_light_runs_are_there() -> None:
    (listed,) = re.findall(r"^LIGHT = (.*)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert [name for name in listed.split() if not list((ROOT / "tests" / name).glob("test_*.py"))] == []


def test_make_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)", text, flags=re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # of `make test`
    answer = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, env=environment)
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in answer.stdout.splitlines()}
    assert set(listed) == set(phony.replace("\\\n", " ").split()), "write `target:  ## what it does` in the Makefile"
