"""The repository: its commits, and their files."""

from dataclasses import dataclass
from pathlib import Path

from duet.git import commit as hash_of
from duet.git import git
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
    """Return the commit of that name. UsageError: git knows none; the message names a likely cause."""
    try:
        digits = hash_of(repository, name)
    except ValueError as error:
        branches = git(repository, "branch", "--format=%(refname:short)").split()
        raise UsageError(f"{error}; branches: {', '.join(branches) or 'none'}") from error
    return Commit(name, digits, git(repository, "log", "-1", "--format=%s", digits))


def pair(repository: Path, base: str, head: str) -> tuple[Commit, Commit]:
    """Return BASE and HEAD. UsageError: they are the same commit."""
    both = commit(repository, base), commit(repository, head)
    if both[0].hash == both[1].hash:
        raise UsageError(f"{base!r} and {head!r} are the same commit, {both[0].short}: there is nothing to compare")
    return both


def repository(directory: Path) -> Path:
    """Return the top of the working tree. UsageError: ``directory`` lies in none, or the repository does not use asv."""
    try:
        top = Path(git(directory, "rev-parse", "--show-toplevel"))
    except ValueError as error:
        raise UsageError(f"{directory} lies in no git repository") from error
    if not (top / "asv.conf.json").is_file():
        raise UsageError(f"{top} has no asv.conf.json: there is no suite to measure with")
    return top


def has_uncommitted_changes(repository: Path, commit: Commit) -> bool:
    """True if the working tree is that commit's, with changes that the commit does not have."""
    is_head = hash_of(repository) == commit.hash
    return is_head and bool(git(repository, "status", "--porcelain", "--untracked-files=no"))


def changed_files(repository: Path, base: Commit, head: Commit) -> tuple[str, ...]:
    """Return the files that differ; for a renamed file, both names."""
    names = git(repository, "diff", "--name-only", "--no-renames", "-z", base.hash, head.hash)
    return tuple(filter(None, names.split("\0")))
