"""The lock of a repository: one measurement at a time, and what a measurement started counts too."""

import errno
import subprocess
from pathlib import Path

import pytest

from duet.lock import BusyError, only_measurement


def test_one_measurement_at_a_time(tmp_path: Path) -> None:
    with only_measurement(tmp_path), pytest.raises(BusyError, match="another measurement"), only_measurement(tmp_path):
        pass
    with only_measurement(tmp_path), only_measurement(tmp_path / "another repository"):
        pass


def test_a_process_that_cannot_be_started_is_no_other_measurement(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="unavailable") as raised, only_measurement(tmp_path):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")  # as os.fork at a limit of processes
    assert not isinstance(raised.value, BusyError)


def test_what_a_measurement_started_holds_the_lock_until_it_ends(tmp_path: Path) -> None:
    with only_measurement(tmp_path) as lock:
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[lock])
    with pytest.raises(BusyError), only_measurement(tmp_path):
        pass
    child.communicate()
    with only_measurement(tmp_path):
        pass
