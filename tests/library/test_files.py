"""Files that several processes write."""

import resource
from pathlib import Path

import pytest

from jitkernels import files


def test_lines_that_a_full_disk_cuts_are_an_error_and_the_next_line_is_whole(tmp_path: Path) -> None:
    """A limit of a file's size acts as a full disk: the first write is cut, the next one fails."""
    file, (soft, hard) = tmp_path / "lines", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            files.append(file, "a line of more than ten bytes\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    files.append(file, "whole\n")
    assert file.read_text() == "a line of \nwhole\n"
