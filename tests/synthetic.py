"""A synthetic history: a git repository and results in asv's format, as many as a test needs. Nothing is measured."""

import datetime
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from shell import strict_json

from history.store import clean
from history.store import results as stored
from jitkernels import kernels
from website import data
from website.read import commits
from website.read.benchmarks import finder

ROOT = Path(__file__).parents[1]
ASV = str(Path(sys.executable).with_name("asv"))
COLUMNS = [
    "result",
    "params",
    "version",
    "started_at",
    "duration",
    "stats_ci_99_a",
    "stats_ci_99_b",
    "stats_q_25",
    "stats_q_75",
    "stats_number",
    "stats_repeat",
    "samples",
    "profile",
]
BEGIN = 1_700_000_000  # the first commit, in seconds since 1970
MACHINE = {
    "machine": "vm",
    "arch": "x86_64",
    "cpu": "A processor",
    "num_cpu": "2",
    "os": "Linux 6",
    "ram": "8000000000",
}
PINS = {
    "numpy": "2.4.6",
    "numba": "0.68.1",
    "jax": "0.10.2",
    "torch": "2.13.0",
    "tensorflow-cpu": "2.21.0",
    "triton": "3.9.0",
}


class History:
    """A repository at ``path`` in which asv and the site can publish. Results go to ``.asv/results``."""

    def __init__(self, path: Path, subjects: Iterable[str] = ("Begin",)) -> None:
        self.path, self.results = path, path / ".asv" / "results"
        path.mkdir(parents=True, exist_ok=True)
        self._git("init", "--quiet", "--initial-branch", "main")
        stream = "".join(self._commit(place, subject) for place, subject in enumerate(subjects))
        subprocess.run(["git", "fast-import", "--quiet"], cwd=path, input=stream.encode(), check=True)
        self.commits = self._git("rev-list", "--reverse", "main").split()
        (path / "asv.conf.json").write_text((ROOT / "asv.conf.json").read_text())
        (path / "website").symlink_to(ROOT / "website")
        (path / "history").symlink_to(ROOT / "history")
        (path / "benchmarks").symlink_to(ROOT / "benchmarks")

    @staticmethod
    def _commit(place: int, subject: str) -> str:
        size = len(subject.encode())
        return (
            f"commit refs/heads/main\nauthor A <a@example.org> {BEGIN + 3600 * place} +0000\n"
            f"committer A <a@example.org> {BEGIN + 3600 * place} +0000\ndata {size}\n{subject}\n"
        )

    def _git(self, *arguments: str) -> str:
        answer = subprocess.run(["git", *arguments], cwd=self.path, capture_output=True, text=True, check=True)
        return answer.stdout

    def describe(self, *listed: dict[str, Any]) -> None:
        """Write asv's list of benchmarks."""
        self.write("benchmarks.json", {**{entry["name"]: entry for entry in listed}, "version": 2})

    def add(
        self,
        place: int,
        rows: dict[str, list[Any]],
        machine: dict[str, str] | None = None,
        environment: str = "env",
        requirements: dict[str, str] | None = None,
        commit: str | None = None,
    ) -> Path:
        """Write a file of results of the commit at ``place``, and return its path."""
        machine, pins = machine or MACHINE, PINS if requirements is None else requirements
        commit = commit or self.commits[place]
        self.write(f"{machine['machine']}/machine.json", {**machine, "version": 1})
        return self.write(
            f"{machine['machine']}/{commit[:8]}-{environment}.json",
            {
                "commit_hash": commit,
                "env_name": environment,
                "date": (BEGIN + 3600 * place) * 1000,
                "version": 2,
                "params": {**machine, "python": "3.11", **pins},
                "python": "3.11",
                "requirements": pins,
                "env_vars": {},
                "result_columns": COLUMNS,
                "durations": {},
                "results": rows,
            },
        )

    def write(self, name: str, content: Any) -> Path:
        """Write JSON as asv does, with NaN."""
        path = self.results / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def say(self, result: Path, *lines: dict[str, Any]) -> None:
        """Write records beside a file of results."""
        text = "".join(json.dumps({"schema": 1, **line}) + "\n" for line in lines)
        result.with_name(result.name.removesuffix(".json") + ".records.jsonl").write_text(text)

    def release(self, place: int, version: str, rows: dict[str, list[Any]] | None, hour: int = 0, **line: Any) -> None:
        """Write what the ladder stores of a release of Numba at that hour: results, if there are any, and the record of its
        environment. line: other fields of this record."""
        pins = {"numpy": "2.4.6", "numba": version}
        environment = f"virtualenv-py3.11-numba{version}-numpy2.4.6"
        commit = self.commits[place]
        file = self.results / "vm" / f"{commit[:8]}-{environment}.json"
        at = f"2026-11-01T{hour:02}:00:00Z"
        if rows is not None:
            started = datetime.datetime.fromisoformat(at).timestamp() * 1000
            timed = {name: [*told[:3], started, *told[4:]] for name, told in rows.items()}
            self.add(place, timed, environment=environment, requirements=pins)
        said = {
            "said": "environment",
            "environment": environment,
            "commit": commit,
            "compiler": "numba",
            "package": "numba",
            "release": version,
            "published": "2025-01-01",
            "requirements": pins,
            "status": "ok" if rows is not None else "failed",
            "began": at,
            "at": at,
            **line,
        }
        self.say(file, said)

    def turn(self, hour: int, **seconds: float) -> None:
        """Write the reference release's figures of Warm and Cold at that hour."""
        names = {"warm": "philox_pi.Warm.time_call('numba', 1000)", "cold": "philox_pi.Cold.time_first_call('numba', 1000)"}
        cells = {names[life]: {"value": value, "low": None, "high": None, "samples": 10} for life, value in seconds.items()}
        at = f"2026-11-01T{hour:02}:00:00Z"
        line = {"schema": 1, "said": "reference", "compiler": "numba", "release": "0.68.1", "began": at, "at": at}
        with (self.results / "vm" / "drift.jsonl").open("a") as lines:
            lines.write(json.dumps({**line, "commit": self.commits[0], "environment": "env", "cells": cells}) + "\n")

    def read(self) -> list[stored.Unread]:
        """Write the site's data without asv; return what could not be read, with paths below the results."""
        sources, unread = [("own", self.results)], list[stored.Unread]()
        files, find = clean.read(sources, unread), finder(clean.benchmarks(sources, unread))
        data.write(self.path / "site", [self.results], files, commits.read(self.path), find, unread)
        return [replace(each, file=each.file.removeprefix(f"{self.results}/")) for each in unread]

    def take_charts(self, drawn: Path) -> None:
        """Give the site the files that draw its charts, so that it need not build them."""
        (self.path / "site").mkdir()
        (self.path / "site" / "charts").symlink_to(drawn)

    def publish(self) -> subprocess.CompletedProcess[str]:
        return self._run([ASV, "publish"])

    def site(self) -> subprocess.CompletedProcess[str]:
        return self._run([sys.executable, "-m", "website.site"])

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=600)

    def data(self, name: str = "index.json") -> Any:
        """Return a file of the site's data."""
        return strict_json((self.path / "site" / "data" / name).read_text())


def listed(name: str, params: list[list[str]], names: list[str], **more: Any) -> dict[str, Any]:
    """Return a benchmark as asv lists it."""
    timed = ".time_" in name
    return {
        "name": name,
        "params": params,
        "param_names": names,
        "version": "1",
        "type": "time" if timed else "track",
        "unit": "seconds" if timed else "unit",
        "timeout": 180,
        "code": "",
        **more,
    }


def warm(kernel: str, backends: list[str], sizes: list[int]) -> dict[str, Any]:
    """Return a kernel's benchmark of warm calls."""
    params = [[repr(backend) for backend in backends], [str(size) for size in sizes]]
    return listed(
        f"{kernel}.Warm.time_call", params, ["backend", kernels.load(kernel).unit if kernel in kernels.names() else "size"]
    )


def row(entry: dict[str, Any], values: list[float | None], spread: float = 0.01, samples: int = 10) -> list[Any]:
    """Return a benchmark's row of results: samples around each value, with asv's statistics of them."""
    started = (BEGIN + 10**6) * 1000
    if entry["type"] != "time":
        return [values, entry["params"], entry["version"], started, 1.0]
    taken = [_samples(value, spread, samples) for value in values]
    around = [_around(values, factor * spread) for factor in (-1, 1, -0.25, 0.25)]
    counts = [series and samples for series in taken]
    return [values, entry["params"], entry["version"], started, 1.0, *around, counts, counts, taken]


def _samples(value: float | None, spread: float, count: int) -> list[float] | None:
    if value is None or value != value:
        return None
    return [value * (1 + spread * (place - count // 2) / count) for place in range(count)]


def _around(values: list[float | None], part: float) -> list[float | None]:
    return [None if value is None or value != value else value * (1 + part) for value in values]
