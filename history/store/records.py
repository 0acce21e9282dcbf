"""What measuring processes said of themselves: gathered beside asv's results, and read.

``benchmarks/_records.py`` writes lines while it measures, in a directory of their own. Before anything is published they are
added beside the result that they are of, so that results take their records along wherever they go.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from history.store.results import Unread

SCHEMA = 1
BEGUN = "begun"  # a release's status while it is measured, and after that was broken off
SUFFIX = ".records.jsonl"  # asv heeds what ends in .json alone


@dataclass
class Records:
    """Of one commit in one environment. ``reasons``: (said, reason) by benchmark and cell, where cells are parameters as
    Python writes them; ``settled``: whether all series of a cell had."""

    backends: dict[str, dict[str, Any]] = field(default_factory=dict)
    reasons: dict[tuple[str, tuple[str, ...]], tuple[str, str]] = field(default_factory=dict)
    settled: dict[tuple[str, tuple[str, ...]], bool] = field(default_factory=dict)
    outcome: dict[str, Any] | None = None  # of a release as a whole: the last word of history/releases/results.py

    def installed(self) -> dict[str, dict[str, str]]:
        """Versions by package, by backend."""
        return {backend: dict(line["packages"]) for backend, line in self.backends.items()}

    def reason(self, benchmark: str, cell: tuple[str, ...]) -> tuple[str, str] | None:
        """Why a cell has no number; what was said of the method, or of its class."""
        group = benchmark.rpartition(".")[0]
        return self.reasons.get((benchmark, cell)) or self.reasons.get((group, cell))

    def has_settled(self, benchmark: str, cell: tuple[str, ...]) -> bool | None:
        """Whether a cell's calls had; None where nothing was said."""
        return self.settled.get((benchmark.rpartition(".")[0], cell))

    def add(self, line: Mapping[str, Any]) -> None:
        """Heed a line; KeyError or TypeError for one that is not as it should be."""
        said = line["said"]
        if line["schema"] != SCHEMA:
            raise KeyError("schema")
        if said == "backend":
            packages = {str(name): str(version) for name, version in line["packages"].items()}
            self.backends[str(line["backend"])] = {**line, "packages": packages}
            return
        if said == "environment":
            if self.outcome is None or line["status"] != BEGUN:
                self.outcome = dict(line)
            return
        key = str(line["benchmark"]), tuple(map(repr, line["cell"]))
        if said in ("empty", "failed"):
            self.reasons[key] = said, str(line["reason"])
        elif said in ("settled", "unsettled"):
            self.settled[key] = self.settled.get(key, True) and said == "settled"


def parse(text: str) -> tuple[Records, int]:
    """A file's lines, later ones over earlier ones, and how many of them could not be heeded."""
    records, lost = Records(), 0
    for line in text.split("\n"):
        if line.strip():
            try:
                records.add(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                lost += 1
    return records, lost


def beside(result: Path) -> Path:
    """Where the records of a file of results are."""
    return result.with_name(result.name.removesuffix(".json") + SUFFIX)


def read(directory: Path, file: str, unread: list[Unread]) -> Records:
    """The records of a result's file, none where there are none; lines that are none are counted in ``unread``."""
    path = beside(directory / file)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Records()
    except (OSError, UnicodeDecodeError) as error:
        unread.append(Unread(path.relative_to(directory).as_posix(), f"cannot be read: {error}"))
        return Records()
    records, lost = parse(text)
    if lost:
        unread.append(Unread(path.relative_to(directory).as_posix(), f"{lost} lines are no records"))
    return records


def gather(written: Path, results: Path) -> int:
    """Add what processes wrote below ``written`` (``<commit>/<environment>.jsonl``) to what is beside the results of this
    machine's directory ``results``; returns to how many files something was added. What has no result yet stays."""
    changed = 0
    for file in sorted(written.glob("*/*.jsonl")):
        result = results / f"{file.parent.name[:8]}-{file.stem}.json"
        if result.exists():
            changed += _merge(file, beside(result))
    return changed


def _merge(source: Path, target: Path) -> bool:
    """Add the lines of the one that the other has not, in their order; whether there were any."""
    known = target.read_text(encoding="utf-8") if target.exists() else ""
    lines = known.splitlines(keepends=False)
    new = _missing(source.read_text(encoding="utf-8").splitlines(), set(lines))
    if new:
        written = target.with_name(f"{target.name}.part")
        written.write_text("\n".join([*lines, *new]) + "\n", encoding="utf-8")
        written.replace(target)
    return bool(new)


def _missing(lines: Iterable[str], known: set[str]) -> list[str]:
    return [line for line in dict.fromkeys(lines) if line not in known]
