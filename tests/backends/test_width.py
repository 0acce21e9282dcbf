"""XLA in TensorFlow prefers the processor's widest vectors, and a user's own flag comes first."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jitkernels import machine, prepare

# XLA compiles for the artifacts in each fork, because nothing has made it read its flags before: it does at its first use.
PROGRAM = """
import functools, json, os, sys
import jitkernels.backends.tensorflow.compiler
from jitkernels import prepare
from jitkernels.measure.process import fork


def work(value):
    os.environ.update({"XLA_FLAGS": value} if value else {})
    case = prepare("mandelbrot", "tensorflow_xla", 64)
    bits = case.artifacts().counts.get("widest_vector_bits")
    version = case.compiler.versions().get("xla_cpu_prefer_vector_width")
    print(json.dumps([bits, version, os.environ.get("XLA_FLAGS")]), flush=True)
    case.check()


for value in json.loads(sys.argv[1]):
    assert os.waitpid(fork(functools.partial(work, value)), 0)[1] == 0
"""
WIDTH_256 = "--xla_cpu_prefer_vector_width=256"
IS_WIDE = "AVX-512" in machine.processor()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str | None, bool], tuple[str | None, list[Any]]]:
    """The value of XLA_FLAGS and what XLA made, by the user's flag and whether it stands in a file. TensorFlow is imported
    once, and forked for each."""
    prepare("mandelbrot", "tensorflow_xla", 64)  # or skip
    values: dict[tuple[str | None, bool], str | None] = {}
    for own in (None, WIDTH_256):
        file = tmp_path_factory.mktemp("flags") / "flags"
        file.write_text(f"{own or ''}\n")
        values |= {(own, False): own, (own, True): str(file)}
    environment = {name: each for name, each in os.environ.items() if name != "XLA_FLAGS"}
    command = [sys.executable, "-c", PROGRAM, json.dumps(list(values.values()))]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    lines = [line for line in answer.stdout.splitlines() if line.startswith("[")]
    return {key: (value, json.loads(line)) for (key, value), line in zip(values.items(), lines, strict=True)}


@pytest.mark.parametrize("in_file", [False, True])
@pytest.mark.parametrize("own", [None, WIDTH_256])
def test_xla_is_told_to_prefer_wide_vectors_unless_the_user_has_a_flag(
    own: str | None, in_file: bool, answers: dict[tuple[str | None, bool], tuple[str | None, list[Any]]]
) -> None:
    value, (bits, version, flags) = answers[own, in_file]
    assert flags == value, "the environment is the user's"
    assert version == (own.partition("=")[2] if own else "512" if IS_WIDE else None)
    if IS_WIDE and bits is not None:  # None where there is no objdump
        assert bits == (256 if own else 512)


@pytest.mark.parametrize("in_file", [False, True])
@pytest.mark.parametrize(("flags", "options"), [("", {"xla_cpu_prefer_vector_width": 512}), (WIDTH_256, {})])
def test_jax_is_told_so_by_some_kernels_unless_the_user_has_a_flag(
    flags: str, options: dict[str, int], in_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flags").write_text(flags)
    case = prepare("mandelbrot", "jax", 64)
    given: list[dict[str, int]] = []
    monkeypatch.setenv("XLA_FLAGS", str(tmp_path / "flags") if in_file else flags)
    monkeypatch.setattr("jitkernels.backends.jax.compiler.keywords_of", lambda options: given.append(options) or {})
    case.compiler.jitted(case.source)
    assert given == [options]
