"""Write and read files that other processes read and write too, so that a killed process does no damage."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


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


def lines(path: Path) -> Iterator[Any]:
    """Yield a file's JSON lines; none if it is missing. Skip a line that is cut, by a kill or a full disk, and print it."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], 1):
        try:
            value = json.loads(line)
        except ValueError:
            print(f"{path}: line {number} is cut, so it is left out", file=sys.stderr)
        else:
            yield value
