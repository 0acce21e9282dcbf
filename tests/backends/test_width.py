"""XLA in TensorFlow prefers the processor's widest vectors, and a user's own flag comes first."""

import json
import os
import subprocess
import sys

from jitkernels import machine, prepare

# XLA compiles for the artifacts in each fork, because nothing has made it read its flags before.
PROGRAM = """
import json, os, sys
import jitkernels.backends.tensorflow.compiler
from jitkernels import prepare
from jitkernels.measure.process import fork

def report():
    case = prepare("mandelbrot", "tensorflow_xla", 64)
    bits = case.artifacts().counts.get("widest_vector_bits")
    version = case.compiler.versions().get("xla_cpu_prefer_vector_width")
    print(json.dumps([bits, version, os.environ.get("XLA_FLAGS")]), flush=True)
    case.check()

for own in (None, sys.argv[1]):
    os.environ.update({"XLA_FLAGS": own} if own else {})
    if os.waitpid(fork(report), 0)[1]:
        sys.exit(f"the fork with {own} failed")
"""
OWN = "--xla_cpu_prefer_vector_width=256"
IS_WIDE = "AVX-512" in machine.processor()


def test_xla_is_told_to_prefer_wide_vectors_unless_the_user_has_a_flag() -> None:
    prepare("mandelbrot", "tensorflow_xla", 64)  # or skip
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    answer = subprocess.run([sys.executable, "-c", PROGRAM, OWN], env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    reports = [json.loads(line) for line in answer.stdout.splitlines() if line.startswith("[")]
    for own, (bits, version, flags) in zip((None, OWN), reports, strict=True):
        assert flags == own, "the environment is the user's"
        assert version == (own.partition("=")[2] if own else "512" if IS_WIDE else None)
        if IS_WIDE and bits is not None:  # None where there is no objdump
            assert bits == (256 if own else 512)
