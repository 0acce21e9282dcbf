"""The repository: its commits, and their files."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from gate.errors import UsageError


@dataclass(frozen=True)
class Commit:
    """``name``: as it was typed. ``hash``: 40 hexadecimal digits. ``subject``: the first line of its message."""

    name: str
    hash: str
    subject: str

    @property
    def short(self) -> str:
        return self.hash[:8]


def commit(repository: Path, name: str) -> Commit:
    """Return the commit of that name. UsageError: there is none; the message has a likely cause."""
    answer = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if answer.returncode:
        raise UsageError(f"no commit {name!r} here{_hint(repository)}")
    digits = answer.stdout.strip()
    return Commit(name, digits, _git(repository, "log", "-1", "--format=%s", digits).stdout.strip())


def pair(repository: Path, base: str, head: str) -> tuple[Commit, Commit]:
    """Return BASE and HEAD. UsageError: they are the same commit."""
    both = commit(repository, base), commit(repository, head)
    if both[0].hash == both[1].hash:
        raise UsageError(f"{base!r} and {head!r} are the same commit, {both[0].short}: there is nothing to compare")
    return both


def repository(directory: Path) -> Path:
    """Return the top of the working tree. UsageError: ``directory`` lies in none, or the repository does not use asv."""
    answer = _git(directory, "rev-parse", "--show-toplevel")
    if answer.returncode:
        raise UsageError(f"{directory} lies in no git repository")
    top = Path(answer.stdout.rstrip("\n"))
    if not (top / "asv.conf.json").is_file():
        raise UsageError(f"{top} has no asv.conf.json: there is no suite to measure with")
    return top


def has_uncommitted_changes(repository: Path, commit: Commit) -> bool:
    """True if the working tree is that commit's, with changes that the commit does not have."""
    if _git(repository, "rev-parse", "HEAD").stdout.strip() != commit.hash:
        return False
    return bool(_git(repository, "status", "--porcelain", "--untracked-files=no").stdout)


def changed_files(repository: Path, base: Commit, head: Commit) -> tuple[str, ...]:
    """Return the files that differ; of a renamed one both names."""
    return tuple(
        filter(None, _git(repository, "diff", "--name-only", "--no-renames", "-z", base.hash, head.hash).stdout.split("\0"))
    )


def _hint(repository: Path) -> str:
    if _git(repository, "rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        return ": this clone is shallow (git fetch --unshallow brings the rest)"
    branches = _git(repository, "branch", "--format=%(refname:short)").stdout.split()
    return f"; branches: {', '.join(branches) or 'none'}"


def _git(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, errors="replace")
