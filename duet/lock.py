"""The lock of a repository: two measurements at once would disturb each other."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

LOCK = Path(".asv/measuring.lock")


class BusyError(Exception):
    """Another measurement is running in the repository."""


@contextlib.contextmanager
def only_measurement(repository: Path = Path()) -> Iterator[int]:
    """Hold the lock and yield its file descriptor. A process that inherits it holds the lock too. Raises BusyError.

    The lock is released when these processes end, however they end.
    """
    path = repository / LOCK
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError(f"another measurement, or a process of one, is still running here: it holds {LOCK}") from error
        yield descriptor
    finally:
        os.close(descriptor)
