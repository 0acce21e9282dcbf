"""XLA in TensorFlow prefers the processor's widest vectors, and a user's own flag comes first."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitkernels import machine, prepare

# XLA compiles for the artifacts in this process, because nothing has made it read its flags before.
PROGRAM = """
import json, os
from jitkernels import prepare
case = prepare("mandelbrot", "tensorflow_xla", 64)
bits = case.artifacts().counts.get("widest_vector_bits")
print(json.dumps([bits, case.compiler.versions().get("xla_cpu_prefer_vector_width"), os.environ.get("XLA_FLAGS")]))
case.check()
"""
WIDTH_256 = "--xla_cpu_prefer_vector_width=256"
IS_WIDE = "AVX-512" in machine.processor()


@pytest.mark.parametrize("in_file", [False, True])
@pytest.mark.parametrize("own", [None, WIDTH_256])
def test_xla_is_told_to_prefer_wide_vectors_unless_the_user_has_a_flag(
    own: str | None, in_file: bool, tmp_path: Path
) -> None:
    prepare("mandelbrot", "tensorflow_xla", 64)  # or skip
    file = tmp_path / "flags"
    file.write_text(f"{own or ''}\n")
    value = str(file) if in_file else own
    environment = {name: each for name, each in os.environ.items() if name != "XLA_FLAGS"}
    environment |= {"XLA_FLAGS": value} if value else {}
    answer = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    bits, version, flags = json.loads(answer.stdout.splitlines()[-1])
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
