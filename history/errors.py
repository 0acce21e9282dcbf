"""What ends a command of this room, and the exit status and line that say so.

Exit status: 0 done; 1 a part could not be measured; 2 invalid arguments, or not possible here; 3 a file cannot be
written, or the package index cannot be reached; 4 not enough disk; 130 stopped.
"""

import shutil
import sys
from collections.abc import Callable

from duet import SideError
from duet.lock import BusyError

INTERRUPTED = 130
KEPT = "what is measured is kept, and the same command goes on from here"


class StopError(Exception):
    """The command cannot go on. The message is one line; ``status`` is the exit status."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


def require_free(needed: int, what: str) -> None:
    """Raise StopError if fewer bytes are free: a full disk looks like something that cannot be installed."""
    free = shutil.disk_usage(".").free
    if free < needed:
        raise StopError(f"{what} needs {needed / 1e9:.1f} GB of disk, and {free / 1e9:.1f} GB are free", 4)


def exit_status(command: Callable[[], int]) -> int:
    """Run the command; return its exit status, or that of the exception that ended it, which gets a line."""
    try:
        return command()
    except KeyboardInterrupt:
        print(f"\nstopped: {KEPT}")
        return INTERRUPTED
    except StopError as stop:
        print(stop, file=sys.stderr)
        return stop.status
    except (ValueError, SideError, BusyError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error}; {KEPT}", file=sys.stderr)
        return 3
