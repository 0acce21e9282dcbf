"""The system's C compiler."""

import os
import shutil
import subprocess


def c_compiler() -> str | None:
    """Path of the C compiler: what CC names, or ``cc``; None where there is none."""
    return shutil.which(os.environ.get("CC") or "cc")


def c_compiler_version(compiler: str) -> str:
    """The first line of ``compiler --version``."""
    answer = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()[0]
