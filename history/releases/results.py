"""The stored results and records of releases: those of one commit of this library on one machine."""

import math
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from history.store import records
from history.store import results as stored
from history.store.records import ReleaseLine


@dataclass(frozen=True)
class ReleaseResults:
    """Reads and writes results and records by environment. directory: asv's ``results_dir``."""

    directory: Path
    machine: str
    commit: str

    def values(self, environment: str, cases: Iterable[str]) -> dict[str, float | None]:
        """Return the value of each benchmark case: a number, NaN if it was skipped or has not run, None if it failed."""
        results = stored.of_commit(self.directory, self.machine, self.commit, environment)
        values = {name: measured.values[place] for name, measured, place in results}
        return {case: values.get(case, math.nan) for case in cases}

    def figures(self, environment: str, cases: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return a value, the quartiles of its samples and their number, of the benchmark cases that have a number."""
        figures = {}
        for name, measured, place in stored.of_commit(self.directory, self.machine, self.commit, environment):
            value = measured.values[place]
            if name in cases and stored.is_number(value):
                low, high, samples = (measured.column(f"stats_{column}", place) for column in ("q_25", "q_75", "repeat"))
                figures[name] = {"value": value, "low": low, "high": high, "samples": samples}
        return figures

    def outcome(self, environment: str) -> ReleaseLine | None:
        """Return the outcome of the environment's last complete measurement."""
        outcome = records.load(records.beside(self.result_file(environment))).outcome
        return outcome if outcome and outcome["status"] != records.BEGUN else None

    def add_outcome(self, line: ReleaseLine) -> None:
        """Add an outcome beside the results of its environment, which need not exist."""
        records.append(records.beside(self.result_file(line["environment"])), "environment", {**line, "commit": self.commit})

    def add_drift(self, line: dict[str, Any]) -> None:
        """Add the line with figures of the reference release to the machine's own history."""
        file = self.directory / self.machine / records.DRIFT
        records.append(file, "reference", {**line, "commit": self.commit})

    def packages(self, environment: str) -> dict[str, dict[str, str]]:
        """Return versions by backend and package, as the measuring processes recorded them."""
        return records.load(records.written(self.commit, environment)).installed()

    def forget(self, environment: str) -> None:
        """Remove the results of an environment that had wrong packages."""
        self.result_file(environment).unlink(missing_ok=True)
        records.written(self.commit, environment).unlink(missing_ok=True)

    @contextmanager
    def preserved(self, environment: str) -> Iterator[None]:
        """Restore the environment's present results when the block ends."""
        file = self.result_file(environment)
        before = file.read_bytes() if file.exists() else None
        try:
            yield
        finally:
            if before is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(before)

    def result_file(self, environment: str) -> Path:
        """Return the path of asv's file of results."""
        return self.directory / self.machine / f"{self.commit[:8]}-{environment}.json"
