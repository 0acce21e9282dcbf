"""The ledger of ``jitkernels pi``: a line of JSON for each counted range of blocks.

The first line names the run: schema, points, seed and the library's version. Every other line is a range: first and last
(blocks; the last is excluded), seed, hits, step, parts (the hits of each ``step`` blocks), backend, seconds, host, machine,
version, versions (of the compiler). ``digest`` is the SHA-256 of a line's other fields.

A line counts only when it is on the disk. A half-written last line is cut off when the run continues.
"""

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

from jitkernels.measure.rows import Row
from jitkernels.version import __version__

SCHEMA = 1
HEAD = {"schema": int, "points": int, "seed": int, "version": str, "digest": str}
NAMES = {"backend": str, "seconds": float, "host": str, "machine": str, "version": str, "versions": dict, "digest": str}
RANGE = {**dict.fromkeys(("schema", "first", "last", "seed", "hits", "step"), int), "parts": list, **NAMES}


class CountError(Exception):
    """A count failed, or a ledger contradicts itself or another count. The message is the first fault, in one line."""


class Ledger:
    """head: the first line. ranges: the other lines, in order. descriptor: of the file, if it is open for writing."""

    def __init__(self, head: Row, ranges: list[Row], descriptor: int = -1) -> None:
        self.head, self.ranges, self._descriptor = head, ranges, descriptor

    @property
    def blocks(self) -> int:
        """The whole blocks of the run."""
        return int(self.head["points"]) // 4

    def gaps(self) -> list[tuple[int, int]]:
        """Return the ranges of blocks that are not counted yet, in order. CountError if two lines count the same block."""
        lines = sorted(zip(self.ranges, itertools.count(2), strict=False), key=lambda line: line[0]["first"])
        gaps, end, before = [], 0, 1
        for row, number in lines:
            if row["first"] < end:
                overlap = f"blocks {row['first']} to {min(end, row['last']) - 1}"
                raise CountError(f"lines {min(before, number)} and {max(before, number)} both count {overlap}")
            gaps += [(end, row["first"])] if end < row["first"] else []
            end, before = row["last"], number
        return gaps + ([(end, self.blocks)] if end < self.blocks else [])

    def add(self, row: Row) -> None:
        """Write a range, and wait for the disk. CountError if the range does not belong to this run."""
        line = with_digest({"schema": SCHEMA, **row})
        if fault := _fault(line, self.head):
            raise CountError(f"the new range {fault}")
        _write(self._descriptor, line)
        self.ranges.append(line)


def with_digest(fields: Row) -> Row:
    """Return the fields of a line with their digest."""
    text = json.dumps({key: fields[key] for key in fields if key != "digest"}, sort_keys=True)
    return {**fields, "digest": hashlib.sha256(text.encode()).hexdigest()}


def read(path: Path) -> Ledger:
    """Read and check a ledger. ValueError if it is missing, CountError with its first fault."""
    try:
        return _parse(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error


@contextlib.contextmanager
def begin_or_continue(path: Path, points: int, seed: int) -> Iterator[Ledger]:
    """Begin or continue a run's ledger, and hold its lock.

    ValueError if the file cannot be written, another process holds it, or it belongs to another run; CountError.
    """
    head = with_digest({"schema": SCHEMA, "points": points, "seed": seed, "version": __version__})
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ValueError(f"{path} is in use by another run") from error
        yield _continue(path, descriptor, head)
    finally:
        os.close(descriptor)


def _continue(path: Path, descriptor: int, head: Row) -> Ledger:
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if not whole and not _line(head).startswith(content):
        raise ValueError(f"{path} is no ledger")
    if not whole:
        os.ftruncate(descriptor, 0)
        _write(descriptor, head)
        return Ledger(head, [], descriptor)
    ledger = _parse(whole)
    if others := {key: value for key, value in ledger.head.items() if value != head[key] and key != "digest"}:
        text = ", ".join(f"{key} {value}, not {head[key]}" for key, value in others.items())
        raise ValueError(f"{path} is the ledger of another run: {text}")
    os.ftruncate(descriptor, len(whole))
    return Ledger(ledger.head, ledger.ranges, descriptor)


def _line(row: Row) -> bytes:
    return f"{json.dumps(row, allow_nan=False)}\n".encode()


def _write(descriptor: int, row: Row) -> None:
    line = _line(row)
    try:
        while line:  # on a full disk a write is partial, and the next one fails
            line = line[os.write(descriptor, line) :]
        os.fsync(descriptor)
    except OSError as error:
        raise CountError(f"the ledger cannot be written: {error.strerror}") from error


def _parse(content: bytes) -> Ledger:
    *lines, rest = content.split(b"\n")
    if rest:
        raise CountError(f"line {len(lines) + 1} is half-written")
    rows = [_row(line, number) for number, line in enumerate(lines, 1)]
    if not rows:
        raise CountError("the ledger is empty")
    head, *ranges = rows
    for number, row in enumerate(rows, 1):
        if fault := _fault(row, head) if number > 1 else _form_fault(row, HEAD):
            raise CountError(f"line {number} {fault}")
    return Ledger(head, ranges)


def _row(line: bytes, number: int) -> Row:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError):
        raise CountError(f"line {number} is no JSON object") from None


def _form_fault(row: Row, form: dict[str, type]) -> str:
    """Return what is wrong with a line by itself, or ""."""
    if row.get("schema") != SCHEMA or {key: type(value) for key, value in row.items()} != form:
        return f"does not have the fields of schema {SCHEMA}"
    return "" if with_digest(row) == row else "was edited: its digest is that of other contents"


def _fault(row: Row, head: Row) -> str:
    """Return what is wrong with a range, or ""."""
    if fault := _form_fault(row, RANGE):
        return fault
    first, last, step, parts = (row[key] for key in ("first", "last", "step", "parts"))
    if row["seed"] != head["seed"]:
        return f"has seed {row['seed']}, not {head['seed']}"
    if row["version"] != head["version"]:
        return (
            f"was counted by jitkernels {row['version']} on {row['host']}, not {head['version']}: install that version there"
        )
    if not 0 <= first < last <= head["points"] // 4:
        return f"counts blocks {first} to {last - 1}, which are outside of the run"
    if step < 1 or len(parts) != -(-(last - first) // step):
        return "has another number of parts than its range"
    if sum(parts) != row["hits"] or not all(type(hits) is int and 0 <= hits <= 4 * step for hits in parts):
        return "has other hits than its parts"
    return ""
