"""Call a function of a backend in a new Python process, where the framework has not been used yet.

``python -m jitkernels.backends.apart MODULE:FUNCTION`` reads the arguments from standard input and writes the result to
standard output, both pickled. What frameworks print goes to standard error.
"""

import contextlib
import os
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Any


def call(function: str, *arguments: Any, environment: Mapping[str, str]) -> Any:
    """Return the result of "module:function". RuntimeError, with the last line of its errors, if it fails."""
    command, variables = [sys.executable, "-m", __name__, function], {**search_path(), **environment}
    answer = subprocess.run(command, input=pickle.dumps(arguments), capture_output=True, env=variables)
    if answer.returncode:
        raise RuntimeError((answer.stderr.decode().strip() or f"exit status {answer.returncode}").splitlines()[-1])
    return pickle.loads(answer.stdout)


def search_path() -> dict[str, str]:
    """Return the variable that keeps the working directory out of ``sys.path`` of a child started by ``python -m``; nothing
    if this process searches there. The console script does not, because a user's ``numpy.py`` may be there."""
    with contextlib.suppress(FileNotFoundError):  # the directory was deleted: nothing is found there
        if {"", os.getcwd()} & set(sys.path):
            return {}
    return {"PYTHONSAFEPATH": "1"}


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "wb") as results:
        os.dup2(2, 1)
        pickle.dump(pkgutil.resolve_name(sys.argv[1])(*pickle.load(sys.stdin.buffer)), results)
