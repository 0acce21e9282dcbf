"""What BASE and HEAD are, and their files."""

import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from gate.errors import UsageError


@dataclass(frozen=True)
class Commit:
    """``asked``: as it was typed. ``hash``: 40 hexadecimal digits. ``subject``: the first line of its message."""

    asked: str
    hash: str
    subject: str

    @property
    def short(self) -> str:
        return self.hash[:8]


def commit(repository: Path, asked: str) -> Commit:
    """The commit of that name; UsageError where there is none, with what is known of the cause."""
    answer = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{asked}^{{commit}}")
    if answer.returncode:
        raise UsageError(f"no commit {asked!r} here{_hint(repository)}")
    found = answer.stdout.strip()
    return Commit(asked, found, _git(repository, "log", "-1", "--format=%s", found).stdout.strip())


def pair(repository: Path, base: str, head: str) -> tuple[Commit, Commit]:
    """BASE and HEAD; UsageError where they are the same, because nothing can be worse than itself."""
    found = commit(repository, base), commit(repository, head)
    if found[0].hash == found[1].hash:
        raise UsageError(f"{base!r} and {head!r} are the same commit, {found[0].short}: there is nothing to compare")
    return found


def repository(directory: Path) -> Path:
    """The top of the working tree that ``directory`` lies in; UsageError where there is none, or asv has no part in it."""
    answer = _git(directory, "rev-parse", "--show-toplevel")
    if answer.returncode:
        raise UsageError(f"{directory} lies in no git repository")
    top = Path(answer.stdout.rstrip("\n"))
    if not (top / "asv.conf.json").is_file():
        raise UsageError(f"{top} has no asv.conf.json: there is no suite to measure with")
    return top


def is_left_out(repository: Path, commit: Commit) -> bool:
    """Whether the working tree is that commit's, and holds changes that the commit does not."""
    if _git(repository, "rev-parse", "HEAD").stdout.strip() != commit.hash:
        return False
    return bool(_git(repository, "status", "--porcelain", "--untracked-files=no").stdout)


def unpack(repository: Path, commit: Commit, directory: Path) -> None:
    """The commit's files, without a checkout."""
    archive = subprocess.run(["git", "archive", commit.hash], cwd=repository, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(directory, filter="data")


def _hint(repository: Path) -> str:
    if _git(repository, "rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        return ": this clone is shallow (git fetch --unshallow brings the rest)"
    branches = _git(repository, "branch", "--format=%(refname:short)").stdout.split()
    return f"; branches: {', '.join(branches) or 'none'}"


def _git(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, errors="replace")
