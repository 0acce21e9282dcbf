"""The commits that results belong to: their order, subject and date, from three calls of git."""

import datetime
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from website.schema.values import Commit as CommitRow

DIFFS = {"github.com": "commit", "gitlab.com": "-/commit"}  # by host, below a repository's page
REMOTE = re.compile(  # by https or ssh; a user and a password are left out
    rf"(?:(?:https|ssh)://(?:[^/@]+@)?|[^/@]+@)(?P<host>{'|'.join(map(re.escape, DIFFS))})(?::\d+(?=/))?[:/]"
    r"(?P<repository>[\w.-]+(?:/[\w.-]+)+)"
)
Place = tuple[bool, int, float]  # in HEAD's history, place among all commits, seconds since 1970


@dataclass(frozen=True)
class Commit:
    """A commit. ``date``: seconds since 1970. ``place`` sorts commits as asv's pages do, oldest first."""

    hash: str
    subject: str | None
    date: float
    place: Place

    @property
    def is_in_repository(self) -> bool:
        return self.subject is not None

    @property
    def is_in_head(self) -> bool:
        """True if it is in HEAD's history."""
        return self.place[0]

    @property
    def for_make(self) -> str:
        """``COMMIT=`` for make; "" if the repository does not have the commit, so that HEAD is measured."""
        return f" COMMIT={self.hash[:8]}" if self.is_in_repository else ""

    @property
    def checkout(self) -> str:
        """The command that checks the commit out before another command; "" if the repository does not have it."""
        return f"git checkout {self.hash} && " if self.is_in_repository else ""

    def row(self) -> CommitRow:
        """Return what pages show of the commit."""
        return {"commit": self.hash, "short": self.hash[:8], "subject": self.subject, "date": as_iso(self.date)}


class History:
    """Every commit of a repository.

    A commit in HEAD's history comes after every commit of other branches. A commit that the repository does not have comes
    first.
    """

    def __init__(self, lines: Iterable[str], head: Iterable[str], diffs: str | None = None) -> None:
        """``lines``: "hash NUL seconds NUL subject", oldest first. ``head``: hashes of HEAD's history.

        diffs: the address of a commit's diff without its hash.
        """
        self.diffs = diffs
        in_head = set(head)
        self._commits: dict[str, Commit] = {}  # by whole hash, and by its first eight letters
        for index, line in enumerate(lines):
            hash_, seconds, subject = line.split("\0", 2)
            commit = Commit(hash_, subject, float(seconds), (hash_ in in_head, index, 0.0))
            self._commits[hash_] = self._commits[hash_[:8]] = commit

    def commit(self, hash_: str, date: float = 0.0) -> Commit:
        """Return the commit. date: in seconds since 1970, used if the repository does not have the commit."""
        return self._commits.get(hash_) or Commit(hash_, None, date, (False, -1, date))


def as_seconds(iso: str) -> float | None:
    """Return an ISO 8601 time as seconds since 1970; None for any other text."""
    try:
        return datetime.datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return None


def as_iso(seconds: float) -> str:
    """Return seconds since 1970 as an ISO 8601 time in UTC, to the second."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(repository: Path) -> History:
    """Read a repository's history; it is empty if git finds no repository."""
    lines = _git(repository, "log", "HEAD", "--all", "--date-order", "--reverse", "--format=%H%x00%at%x00%s")
    remote = _git(repository, "remote", "get-url", "origin")
    return History(lines, _git(repository, "rev-list", "HEAD"), diffs(*remote[:1]))


def diffs(remote: str = "") -> str | None:
    """Return the address of a commit's diff without the hash. remote: the repository's address; None for an unknown host."""
    known = REMOTE.fullmatch(remote.removesuffix("/").removesuffix(".git"))
    return f"https://{known['host']}/{known['repository']}/{DIFFS[known['host']]}/" if known else None


def _git(repository: Path, *arguments: str) -> list[str]:
    answer = subprocess.run(["git", *arguments], cwd=repository, capture_output=True)
    return [line for line in answer.stdout.decode("utf-8", "replace").split("\n") if line]
