"""What can be asked on the command line, and what is said meanwhile."""

import argparse
import re
import sys
from pathlib import Path

from gate import judge
from gate.errors import UsageError


def expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from error
    return text


def minutes(text: str) -> float:
    number = float(text)
    if not 0 < number < 24 * 60:
        raise argparse.ArgumentTypeError("minutes, more than 0 and less than a day")
    return number


def enough(text: str) -> int:
    if int(text) < judge.LEAST:
        raise argparse.ArgumentTypeError(f"{judge.LEAST} at least: with fewer nothing can be told")
    return int(text)


def writable(file: Path) -> None:
    """Said now, not after ten minutes."""
    if not file.parent.is_dir():
        raise UsageError(f"there is no directory {file.parent}")


def progress(line: str) -> None:
    """On a terminal in place, elsewhere not at all."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def count(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError("one at least")
    return int(text)


def sizes(text: str) -> tuple[float, ...]:
    """Slowdowns as fractions, of per cent between commas."""
    numbers = tuple(float(part) / 100 for part in text.split(","))
    if not all(0 <= number <= 10 for number in numbers):
        raise argparse.ArgumentTypeError("per cent between 0 and 1000, with commas between them")
    return numbers
