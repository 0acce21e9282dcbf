"""Write files that other processes read and write too, so that a killed process does no damage."""

import os
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def append(path: Path, lines: str) -> None:
    """Write lines to the end of the file. Raises OSError, also for a disk that has room for a part of them only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as target:  # one write, so that processes do not mix their lines
        if target.tell() and os.pread(target.fileno(), 1, target.tell() - 1) != b"\n":
            lines = f"\n{lines}"  # ends the partial line of a killed process
        rest = lines.encode()
        while rest:  # a full disk takes a part, and fails with the rest
            rest = rest[target.write(rest) :]
