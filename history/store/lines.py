"""What is stored as lines of JSON, below each machine: ``duets.jsonl``, ``rankings.jsonl`` and ``gate.jsonl``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from history.store.results import Unread

Parsed = TypeVar("Parsed")


class Conditions(TypedDict):
    """A machine (``machine``: its identity), and the versions of Python and of what asv.conf.json requires."""

    machine: str
    processor: str
    cores: int
    python: str
    requirements: dict[str, str]


def read(
    results: Path, name: str, writer: str, parse: Callable[[dict[str, Any]], Parsed], unread: list[Unread]
) -> list[Parsed]:
    """Return what the lines of all files of that name below a directory hold, each line once.

    parse: raises an error for a line that is none. ``unread`` gets each of those, such as the last one of an interrupted
    run, with the command (``writer``) that should have written it.
    """
    known: dict[str, Parsed] = {}
    for path in sorted(results.rglob(name)):
        file = path.relative_to(results).as_posix()
        try:
            texts = path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError as error:
            unread.append(Unread(file, f"cannot be read: {error.strerror}"))
            continue
        for number, text in enumerate(texts, 1):
            try:
                if text.strip() and text not in known:
                    known[text] = parse(json.loads(text))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                unread.append(Unread(file, f"line {number}: not as {writer} writes it: {error}"))
    return list(known.values())
