"""The files that a worker sends back: they are merged with those here, unless they cannot be results of its machine."""

import contextlib
import fcntl
import json
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from history.fleet.units import Unit
from history.fleet.worker import Answer, digest
from history.results_branch import SUFFIXES
from history.store import records
from history.store.merge import merged
from history.store.results import NO_RESULTS, RESULTS, UnreadableError, parse
from jitkernels.files import append, write

LOG = Path(".asv/fleet.jsonl")  # the origin of every file
LARGEST = 50_000_000  # characters of a file of results


def take(unit: Unit, answer: Answer) -> list[str]:
    """Merge a worker's files with those here. Return a line for each one left out. The log names their origin."""
    left_out = []
    for path, text in answer["files"].items():
        if fault := _fault(path, text, answer["machine"]):
            left_out.append(f"{path} of {answer['host']} is left out: {fault}")
        else:
            _unite(RESULTS / path, text)
    origin = {key: answer[key] for key in ("host", "machine", "status", "seconds")}
    digests = {path: digest(text) for path, text in answer["files"].items()}
    records.append(LOG, "unit", {"unit": unit.name, **origin, "files": digests, "left_out": left_out})
    return left_out


def _unite(path: Path, text: str) -> None:
    """Merge a text with the file. Lines are only added, because a fleet's files grow to many megabytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        if path.suffix == ".jsonl":
            known = set(before.split("\n"))
            if missing := _whole(line for line in text.split("\n")[:-1] if line not in known):
                append(path, "".join(f"{line}\n" for line in missing))
        else:
            write(path, (merged(path.name, before, text) if before else text).encode())


def _whole(lines: Iterable[str]) -> dict[str, Any]:
    """Return the values of the lines that are JSON, by line. A killed process or a full disk leaves a line that is cut."""
    values = {}
    for line in lines:
        with contextlib.suppress(ValueError):
            values[line] = json.loads(line)
    return values


def _fault(path: str, text: str, machine: str) -> str:
    """Return why a file cannot be one of this machine's results, or ""."""
    place = PurePosixPath(path)
    if len(place.parts) != 2 or place.parts[0] != machine or place.suffix not in SUFFIXES or place.name.startswith("."):
        return "no place of its machine's results"
    if len(text) > LARGEST:
        return "too large"
    try:
        if place.suffix == ".jsonl":
            named = [line.get("machine", machine) for line in _whole(text.split("\n")[:-1]).values()]
        else:
            named = [json.loads(text)["machine"] if place.name in NO_RESULTS else parse(text, path)[0].machine]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, UnreadableError) as error:
        return f"not as results are written: {error}"
    return "" if set(named) <= {machine} else "it names another machine"
