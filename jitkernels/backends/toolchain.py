"""The system's C and C++ compilers."""

import functools
import os
import shutil
import subprocess

VARIABLES = {"c": ("CC", "cc", "C compiler", "gcc or clang"), "c++": ("CXX", "g++", "C++ compiler", "g++")}
"""By language: the variable that names the compiler, the default (for C++ Inductor's), and words for messages."""


def missing(language: str) -> str | None:
    """Return why there is no working compiler for "c" or "c++"; None if there is one, and for ""."""
    if not language:
        return None
    variable, _, what, advice = VARIABLES[language]
    file = path(language)
    if not file and (named := os.environ.get(variable)):
        hint = " (it takes no arguments)" if " " in named else ""
        return f"{variable} names {named!r}, which is no program{hint}: install {advice}, or name one in {variable}"
    if not file:
        return f"there is no {what}: install {advice}, or name one in {variable}"
    if not version(file):
        return f"the {what} {file} does not work (it cannot tell its version): install {advice}, or name one in {variable}"
    return None


def path(language: str) -> str | None:
    """Return the path of the compiler for "c" or "c++": what CC or CXX names, or the default; None if it is missing."""
    variable, default, *_ = VARIABLES[language]
    return shutil.which(os.environ.get(variable) or default)


@functools.cache  # ``jitkernels list`` asks for every kernel
def version(path: str) -> str:
    """Return the first line of ``path --version``; "" if the compiler does not work."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True)
    except OSError:  # not a program, although it is executable
        return ""
    return answer.stdout.partition("\n")[0] if answer.returncode == 0 else ""
