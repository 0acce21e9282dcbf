"""What the ladder leaves beside asv's results: what came of each environment, and the reference release over time."""

import datetime
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from asv.results import Results, iter_results_for_machine_and_hash

from benchmarks._selection import case_names

SCHEMA = 1
DRIFT = "drift.jsonl"
BEGUN = "begun"  # the status of a release while it is measured, and after that was broken off


class Stored:
    """Results and records of one commit on one machine. directory: asv's ``results_dir``."""

    def __init__(self, directory: Path, machine: str, commit: str) -> None:
        self.directory, self.machine, self.commit = directory, machine, commit

    def values(self, environment: str) -> dict[str, float | None]:
        """By cell: a number, NaN for one that was skipped or not yet run, None for one that failed."""
        values: dict[str, float | None] = {}
        for result, name, params in self._benchmarks(environment):
            values.update(zip(case_names(name, params), result.get_result_value(name, params), strict=True))
        return values

    def figures(self, environment: str, cells: list[str]) -> dict[str, Any]:
        """Of those of the cells that have a number: value, quartiles of the samples and how many; null without any."""
        found: dict[str, Any] = {}
        for result, name, params in self._benchmarks(environment):
            values, statistics = result.get_result_value(name, params), result.get_result_stats(name, params) or []
            for cell, value, known in zip(case_names(name, params), values, statistics, strict=False):
                if cell in cells and value is not None and value == value:
                    known = known or {}
                    found[cell] = {"value": value, "low": known.get("q_25"), "high": known.get("q_75"),
                                   "samples": known.get("repeat")}  # fmt: skip
        return found

    def forget(self, environment: str) -> None:
        """Drop what was measured in an environment that was not what it was said to be."""
        self._result(environment).unlink(missing_ok=True)
        self.said(environment).unlink(missing_ok=True)

    @contextmanager
    def aside(self, environment: str) -> Iterator[None]:
        """What asv measures meanwhile leaves no trace in the environment's own results."""
        file = self._result(environment)
        before = file.read_bytes() if file.exists() else None
        try:
            yield
        finally:
            if before is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(before)

    def said(self, environment: str) -> Path:
        """What measuring processes wrote of themselves (benchmarks/_records.py)."""
        return Path(".asv", "records", self.commit, f"{environment}.jsonl")

    def packages(self, environment: str) -> dict[str, dict[str, str]]:
        """Versions by package, by backend, from inside the processes that measured."""
        file = self.said(environment)
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return {line["backend"]: line["packages"] for line in lines if line["said"] == "backend"}

    def outcome(self, environment: str) -> dict[str, Any] | None:
        """What came of an environment the last time that it was measured to its end."""
        file = self._records(environment)
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        ended = (line for line in reversed(lines) if line["said"] == "environment" and line["status"] != BEGUN)
        return next(ended, None)

    def say_environment(self, environment: str, **what: Any) -> None:
        """Add what came of an environment beside its results, which need not be there."""
        _append(self._records(environment), said="environment", environment=environment, commit=self.commit, **what)

    def say_reference(self, **what: Any) -> None:
        """Add figures of the reference release to the machine's history of itself."""
        _append(self.directory / self.machine / DRIFT, said="reference", commit=self.commit, **what)

    def _benchmarks(self, environment: str) -> Iterator[tuple[Results, str, list[list[str]]]]:
        file = self.directory / "benchmarks.json"
        benchmarks = json.loads(file.read_text()) if file.exists() else {}
        for result in iter_results_for_machine_and_hash(str(self.directory), self.machine, self.commit):
            for name in result.get_all_result_keys() if result.env_name == environment else ():
                params = benchmarks.get(name, {}).get("params")
                if params is not None and result.benchmark_version.get(name) == benchmarks[name]["version"]:
                    yield result, name, params

    def _result(self, environment: str) -> Path:
        return self.directory / self.machine / f"{self.commit[:8]}-{environment}.json"

    def _records(self, environment: str) -> Path:
        return self.directory / self.machine / f"{self.commit[:8]}-{environment}.records.jsonl"


def mismatch(asked: Mapping[str, str], found: Mapping[str, str | None]) -> str | None:
    """What is not what was asked for, in words; None where all is. A local version (2.13.0+cpu) is the same release."""
    wrong = [
        f"{name} {version} was asked for, and {found.get(name) or 'none'} is there"
        for name, version in asked.items()
        if (found.get(name) or "").partition("+")[0] != version
    ]
    return "; ".join(wrong) or None


def now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _append(file: Path, **line: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab", buffering=0) as lines:  # one write, so that processes do not mix their lines
        lines.write((json.dumps({"schema": SCHEMA, **line, "at": now()}) + "\n").encode())
