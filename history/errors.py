"""Errors that end a command of ``history``, with its exit status and its last line.

Exit status: 0 done; 1 a part could not be measured; 2 invalid arguments, or impossible here; 3 a file cannot be written, or
the package index cannot be reached; 4 not enough disk; 130 stopped.
"""

import shutil
import sys
from collections.abc import Callable

from duet import SideError
from duet.lock import BusyError

INTERRUPTED = 130
CONTINUES = "finished measurements are kept; the same command continues from here, but AGAIN=1 begins anew"


class StopError(Exception):
    """The command cannot go on. The message is one line; ``status`` is the exit status."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


def require_free(needed: int, what: str) -> None:
    """Raise StopError if fewer bytes are free: a full disk would look like a failed installation."""
    free = shutil.disk_usage(".").free
    if free < needed:
        raise StopError(f"{what} needs {needed / 1e9:.1f} GB of disk, but only {free / 1e9:.1f} GB are free", 4)


def exit_status(command: Callable[[], int]) -> int:
    """Run the command; return its exit status, or that of the exception that ended it, whose message is printed."""
    try:
        return command()
    except KeyboardInterrupt:
        print(f"\nstopped: {CONTINUES}")
        return INTERRUPTED
    except StopError as stop:
        print(stop, file=sys.stderr)
        return stop.status
    except (ValueError, SideError, BusyError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error}; {CONTINUES}", file=sys.stderr)
        return 3
