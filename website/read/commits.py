"""The commits that results are of: their order, subject and date, by two calls of git however many there are."""

import datetime
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Commit:
    """``date``: seconds since 1970, when it was written. ``place``: in history, as asv's pages order it."""

    hash: str
    subject: str | None
    date: float
    place: tuple[bool, int, float]

    def told(self) -> dict[str, Any]:
        """What pages show of it."""
        return {"commit": self.hash, "short": self.hash[:8], "subject": self.subject, "date": iso(self.date)}


class History:
    """Every commit of a repository. What it no longer has counts as older than all that it has.

    A commit of HEAD's own history comes after one of another branch, however young that is: what stands for "now" is what
    is checked out.
    """

    def __init__(self, lines: Iterable[str], head: Iterable[str]) -> None:
        """``lines``: "hash NUL seconds NUL subject", oldest first. ``head``: hashes of HEAD's history."""
        own = set(head)
        self._commits: dict[str, Commit] = {}
        self._places: dict[str, tuple[bool, int, float]] = {}
        for index, line in enumerate(lines):
            hash_, seconds, subject = line.split("\0", 2)
            place = self._places[hash_[:8]] = hash_ in own, index, 0.0
            self._commits[hash_] = Commit(hash_, subject, float(seconds), place)

    def commit(self, hash_: str, date: float) -> Commit:
        """The commit; where the repository has none of that name, what the result says: ``date``, in seconds."""
        return self._commits.get(hash_) or Commit(hash_, None, date, (False, -1, date))

    def about(self, short: str) -> tuple[bool, int, float]:
        """Where a commit comes whose hash begins with these eight letters; one of several that do."""
        return self._places.get(short, (False, -1, 0.0))

    def subject(self, hash_: str) -> str:
        """Its subject, "" where it is not known."""
        found = self._commits.get(hash_)
        return (found and found.subject) or ""


def read(repository: Path) -> History:
    """The repository's history; an empty one where git knows none there."""
    order = ["--all", "--date-order", "--reverse"]
    lines = _git(repository, "log", "HEAD", *order, "--format=%H%x00%at%x00%s")
    return History(lines, _git(repository, "rev-list", "HEAD"))


def _git(repository: Path, *arguments: str) -> list[str]:
    answer = subprocess.run(["git", *arguments], cwd=repository, capture_output=True)
    return [line for line in answer.stdout.decode("utf-8", "replace").split("\n") if line]


def iso(seconds: float) -> str:
    """UTC, to the second."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
