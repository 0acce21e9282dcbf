"""The lines that measuring processes and ``make releases`` write beside asv's results, and their reader.

``benchmarks/_records.py`` writes lines while it measures, in a directory of their own. ``gather`` then adds them to the file
beside the result that they describe, so that a copy of the results includes them. docs/site-data.md and docs/releases.md
describe each kind of line.
"""

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

import msgspec

from history.store.merge import as_line, compact, time_of
from history.store.results import Parameters, Unread
from jitkernels import files
from jitkernels.machine import identity

SCHEMA = 1
WRITTEN = Path(".asv/records")  # where benchmarks/_records.py writes
SUFFIX = ".records.jsonl"  # asv reads only what ends in .json
DRIFT = "drift.jsonl"  # in a machine's directory: repeated measurements of the reference release
BEGUN, OK, FAILED = "begun", "ok", "failed"  # statuses of a release; BEGUN while it is measured, and after an interruption

Reason = tuple[Literal["empty", "failed"], str]  # ``said`` and ``reason`` of a line


class ReleaseLine(TypedDict):
    """``said``: environment. The outcome of a release. Times are ISO 8601 in UTC."""

    environment: str
    commit: str
    compiler: str
    package: str
    release: str
    requirements: dict[str, str]
    status: str
    began: NotRequired[str]
    at: NotRequired[str]
    published: NotRequired[str | None]
    reason: NotRequired[str]
    installed: NotRequired[dict[str, str]]
    cells: NotRequired[dict[str, int]]  # number of benchmark cases by outcome: measured, empty, failed
    afresh: NotRequired[list[str]]  # benchmark cases that were measured again without the compiler's cache


@dataclass
class Records:
    """The records of one commit in one environment.

    backends: each one's last line, with what its process has installed. reasons: (said, reason) by benchmark and parameters.
    settled: True if all series of a benchmark case had settled. lost: lines that are no records.
    """

    backends: dict[str, dict[str, Any]] = field(default_factory=dict)
    reasons: dict[tuple[str, Parameters], Reason] = field(default_factory=dict)
    settled: dict[tuple[str, Parameters], bool] = field(default_factory=dict)
    outcome: ReleaseLine | None = None  # the last line on the release as a whole
    lost: int = 0

    def installed(self) -> dict[str, dict[str, str]]:
        """Return versions by backend and package."""
        return {backend: dict(line["packages"]) for backend, line in self.backends.items()}

    def reason(self, benchmark: str, cell: Parameters) -> Reason | None:
        """Return why a benchmark case has no number: from the line of its method, or else of its class."""
        group = benchmark.rpartition(".")[0]
        return self.reasons.get((benchmark, cell)) or self.reasons.get((group, cell))

    def has_settled(self, benchmark: str, cell: Parameters) -> bool | None:
        """True if the calls of a benchmark case had settled; None if no process recorded it."""
        return self.settled.get((benchmark.rpartition(".")[0], cell))

    def add(self, line: Mapping[str, Any]) -> None:
        """Take a line. Raises KeyError, TypeError, AttributeError or ValueError for a line that is not a record."""
        kind = line["said"]
        if line["schema"] != SCHEMA:
            raise KeyError("schema")
        if kind == "backend":
            packages = {str(name): str(version) for name, version in line["packages"].items()}
            self.backends[str(line["backend"])] = {**line, "packages": packages}
        elif kind == "environment":
            outcome = msgspec.convert(line, ReleaseLine)
            if self.outcome is None or outcome["status"] != BEGUN:
                self.outcome = outcome
        else:
            key = str(line["benchmark"]), tuple(map(repr, line["cell"]))
            if kind in ("empty", "failed"):
                self.reasons[key] = kind, str(line["reason"])
            elif kind in ("settled", "unsettled"):
                self.settled[key] = self.settled.get(key, True) and kind == "settled"


def load(file: Path) -> Records:
    """Return the records in a file; none if it is missing. Later records replace earlier ones."""
    records = Records()
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    for line in filter(str.strip, text.split("\n")):
        try:
            records.add(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            records.lost += 1
    return records


def written(commit: str, environment: str) -> Path:
    """Return the path of the lines that measuring processes write (benchmarks/_records.py), below asv's directory."""
    return WRITTEN / commit / f"{environment}.jsonl"


def beside(result: Path) -> Path:
    """Return the path of the records beside a file of results."""
    return result.with_name(result.name.removesuffix(".json") + SUFFIX)


def read(result: Path, unread: list[Unread]) -> Records:
    """Return the records beside a file of results. ``unread`` gets what cannot be read."""
    path = beside(result)
    try:
        records = load(path)
        reason = f"lines that are no records: {records.lost}" if records.lost else ""
    except OSError as error:
        records, reason = Records(), f"cannot be read: {error}"
    if reason:
        unread.append(Unread(path.as_posix(), reason))
    return records


def append(file: Path, kind: str, line: Mapping[str, Any]) -> dict[str, Any]:
    """Add a line with its kind, and with the present time unless it has one. Return it."""
    whole = {"schema": SCHEMA, "said": kind, **line, "at": line.get("at", now())}
    files.append(file, as_line(whole) + "\n")
    return whole


def now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def gather(written: Path, results: Path) -> None:
    """Add lines that processes wrote below ``written`` (``<commit>/<environment>.jsonl``) to the files beside a machine's
    results, without those of another machine. Lines without a result stay where they are."""
    for file in sorted(written.glob("*/*.jsonl")):
        result = results / f"{file.parent.name[:8]}-{file.stem}.json"
        target = beside(result)
        if result.exists() and (text := joined(target, file, machine=results.name)) != joined(target):
            files.write(target, text.encode())


def gather_own(results: Path) -> None:
    """Gather the records of this machine, from the working directory; ``results`` is asv's directory of all machines."""
    gather(WRITTEN, results / identity())


def joined(*sources: Path, machine: str | None = None) -> str:
    """Return the lines of several files, each line once, by their time, and those of a second in the order of the files.
    Missing files are empty. machine: leave out lines that name another one."""
    texts = [path.read_text(encoding="utf-8") for path in sources if path.exists()]
    lines = filter(None, dict.fromkeys(map(compact, "\n".join(texts).split("\n"))))
    return "".join(f"{line}\n" for line in sorted(lines, key=time_of) if machine is None or _is_of(line, machine))


def _is_of(line: str, machine: str) -> bool:
    """True if a line names the machine, or none."""
    try:
        return bool(json.loads(line).get("machine", machine) == machine)
    except (ValueError, AttributeError, RecursionError):
        return True
