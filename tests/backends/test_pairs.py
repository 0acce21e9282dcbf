"""One process may use several backends, in any order: none ends it."""

import json
import subprocess
import sys

import pytest

from jitkernels import Unavailable, prepare
from jitkernels.backends.table import BACKENDS

CALL = """
import json, sys
from jitkernels import Unavailable, prepare

for backend in sys.argv[1:]:
    try:
        prepare("square_or_cube", backend, 10).check()
        print(json.dumps([backend, None]))
    except Unavailable as reason:
        print(json.dumps([backend, str(reason)]))
"""
CLASHING = [name for name, row in BACKENDS.items() if row.clash]


def reasons(*backends: str) -> dict[str, str | None]:
    """Call the backends in turn in one process. Return why one was refused; None where its answer was right."""
    done = subprocess.run([sys.executable, "-c", CALL, *backends], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2_000:]
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("["))


@pytest.fixture(scope="module")
def refused() -> dict[str, str]:
    """Return the backends that this machine refuses, each in this process, where Triton is imported first."""
    lacking = {}
    for backend in ("triton", *BACKENDS):
        try:
            prepare("square_or_cube", backend, 10)
        except Unavailable as reason:
            lacking[backend] = str(reason)
    return lacking


def test_after_tensorflow_what_would_abort_is_refused_and_the_rest_is_right(refused: dict[str, str]) -> None:
    if "tensorflow_xla" in refused:
        raise Unavailable(refused["tensorflow_xla"])
    answers = reasons("tensorflow_xla", *BACKENDS)
    assert set(answers) == set(BACKENDS)
    lacking = {name: reason for name, reason in answers.items() if reason and name not in refused}
    expected = {
        name: "it imports triton, which aborts a process that imported tensorflow before: "
        f"import triton first, or give {name} a process of its own"
        for name in CLASHING
        if name not in refused
    }
    assert lacking == expected


def test_the_order_that_the_reason_names_works(refused: dict[str, str]) -> None:
    """This process has it, because conftest.py prepares Triton's backend first. An abort would end all tests."""
    if "tensorflow_xla" in refused or "triton" in refused:
        raise Unavailable(refused.get("tensorflow_xla") or refused["triton"])
    imported = list(sys.modules)
    assert imported.index("triton") < imported.index("tensorflow")
    for backend in ("tensorflow_xla", "torch_inductor", "torch_dynamo", "torch_aot"):
        prepare("square_or_cube", backend, 10).check()
