"""The conditions of a run of the ladder: enough disk, a package index, and no other run in this checkout."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from history.releases import index
from history.releases.table import Compiler, Release

LOCK = Path(".asv/releases.lock")


class StopError(Exception):
    """The ladder cannot go on. The message is one line; ``status`` is the exit status."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


def require_index(release: Release, python: str) -> None:
    """Raise StopError if the package index cannot be reached: without it, a failure says nothing of the release."""
    try:
        index.resolve([f"{release.package}=={release.version}"], python, "--no-deps")
    except OSError as error:
        raise StopError(f"{release} could not be installed, and {error}", 3) from error


def needed_bytes(compilers: list[Compiler], keep: bool) -> int:
    """Return the most bytes that the run needs on disk at a time.

    That is two environments, the reference's and another one, and the files that pip downloads and keeps for both. keep:
    all environments.
    """
    if keep:
        return sum(compiler.space(release) for compiler in compilers for release in compiler.releases)
    return max(
        compiler.bytes + compiler.downloads + max(map(compiler.space, compiler.releases), default=0)
        for compiler in compilers
    )


def require_disk(compilers: list[Compiler], keep: bool) -> None:
    needed = needed_bytes(compilers, keep)
    print(f"disk: {needed / 1e9:.1f} GB needed, {shutil.disk_usage('.').free / 1e9:.1f} GB free", flush=True)
    require_free(needed, "the ladder")


def require_free(needed: int, what: str) -> None:
    """Raise StopError if less is free: a full disk looks like a release that cannot be installed."""
    free = shutil.disk_usage(".").free
    if free < needed:
        raise StopError(f"{what} needs {needed / 1e9:.1f} GB of disk, and {free / 1e9:.1f} GB are free", 4)


@contextmanager
def alone() -> Iterator[int]:
    """Hold the lock and yield its file descriptor. asv inherits it, so that the rest of a killed ladder is noticed."""
    LOCK.parent.mkdir(exist_ok=True)
    descriptor = os.open(LOCK, os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    except BlockingIOError as error:
        raise StopError(f"another measurement, or what it started, is still running here: it holds {LOCK}", 2) from error
    finally:
        os.close(descriptor)
