"""What git knows of a repository."""

import subprocess
from pathlib import Path


def git(repository: Path, *arguments: str) -> str:
    """Return what git prints. Raises ValueError with git's first line and the likely cause."""
    answer = subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, errors="replace")
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"])[0]
        raise ValueError(f"git {arguments[0]} {arguments[-1]}: {reason}{hint(repository)}")
    return answer.stdout.strip()


def commit(repository: Path, name: str = "HEAD") -> str:
    """Return the hash of the commit of that name. Raises ValueError if there is none."""
    try:
        return git(repository, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    except ValueError as error:
        raise ValueError(f"no commit {name!r} here{hint(repository)}") from error


def hint(repository: Path) -> str:
    """Return a hint for messages about missing commits; empty unless the clone is shallow."""
    command = ["git", "rev-parse", "--is-shallow-repository"]
    is_shallow = subprocess.run(command, cwd=repository, capture_output=True, text=True).stdout.strip() == "true"
    return "; this clone is shallow, and `git fetch --unshallow` brings the rest" if is_shallow else ""
