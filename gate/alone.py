"""One verdict at a time in a repository: two would measure each other, and write over what the other has measured."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from gate.errors import UsageError


@contextlib.contextmanager
def alone(repository: Path) -> Iterator[None]:
    """UsageError where another process is in here. However that one ends, it is no longer."""
    lock = repository / ".asv" / "gate" / "lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError("another gate is measuring in this repository; two at once would measure each other") from error
        yield
