"""The system's C and C++ compilers."""

import os
import shutil
import subprocess


def c_compiler() -> str | None:
    """Path of the C compiler: what CC names, or ``cc``; None where there is none."""
    return shutil.which(os.environ.get("CC") or "cc")


def missing(language: str) -> str | None:
    """Why there is no compiler for "c" or "c++"; None where there is one, and for ""."""
    if language == "c" and not c_compiler():
        return "there is no C compiler: install gcc or clang, or name one in CC"
    if language == "c++" and not shutil.which(os.environ.get("CXX") or "g++"):  # as Inductor looks for it
        return "there is no C++ compiler: install g++, or name one in CXX"
    return None


def c_compiler_version(compiler: str) -> str:
    """The first line of ``compiler --version``."""
    answer = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()[0]


def broken(language: str) -> str | None:
    """Why the compiler that was found for "c" or "c++" does not run; None where it runs or is missing, and for ""."""
    compilers = {"c": ("CC", c_compiler()), "c++": ("CXX", shutil.which(os.environ.get("CXX") or "g++"))}
    variable, compiler = compilers.get(language, ("", None))
    status = subprocess.run([compiler, "--version"], capture_output=True).returncode if compiler else 0
    return (
        f"{compiler} --version fails with exit status {status}: name a compiler that works in {variable}" if status else None
    )
