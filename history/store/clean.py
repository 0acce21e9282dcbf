"""A copy of stored results that asv can publish. The originals are never changed.

``asv publish`` skips a truncated file, but stops with a traceback at JSON that is not a result. One infinite value makes its
step detection allocate without end. asv also separates graphs by every field of a result: a machine described in two ways is
two curves, and if some results lack a requirement, its pages ask for graphs that do not exist.

So the copy holds every readable file, and files left out are reported. ``COMMITS`` has the results of commits, which asv
reads; ``RELEASES`` those of the ladder's releases, which have other requirements; ``LINES`` the gate's rates, duets and
rankings.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from history.store import duets, rankings, records, release_lines
from history.store import results as stored
from history.store.results import BENCHMARKS, MACHINE, NO_RESULTS, Unread, UnreadableError

COMMITS, RELEASES, LINES = "commits", "releases", "lines"
MACHINE_FORMAT, LIST_FORMAT = 1, 2  # asv's
DESCRIPTION = ("arch", "cpu", "num_cpu", "os", "ram")  # fields of machine.json that asv repeats in every result
DUETS_AND_RANKINGS = (duets.FILE, release_lines.DUETS, release_lines.STEPS, rankings.FILE)
NAME_THEIR_MACHINE = (*DUETS_AND_RANKINGS, "gate.jsonl")  # in each line, so they need no results beside them


class ListedBenchmark(msgspec.Struct, frozen=True, rename={"names": "param_names", "parameters": "params"}):
    """A benchmark in asv's list. ``tolerance``: the fraction by which its counts differ between equal programs.

    ``names``: of its parameters. ``parameters``: the values of each.
    """

    name: str
    version: str | None
    names: tuple[str, ...]
    parameters: tuple[tuple[str, ...], ...]
    unit: str = ""
    type: str = ""
    direction: str | None = None
    exact: bool = False
    tolerance: float | None = None


def copy(sources: Iterable[tuple[str, Path]], target: Path) -> list[Unread]:
    """Copy each source into the empty directory ``target`` and return what was left out.

    The list of benchmarks of a later source replaces entries of an earlier one.
    """
    problems: list[Unread] = []
    listed: dict[str, Any] = {}
    for name, root in sources:
        source = _Source(name, root, target, problems)
        listed.update(source.benchmarks())
        for directory in sorted(path for path in root.rglob("*") if path.is_dir()):
            source.copy_machine(directory)
    (target / COMMITS).mkdir(exist_ok=True)
    if listed:
        (target / COMMITS / BENCHMARKS).write_text(json.dumps({**listed, "version": LIST_FORMAT}), encoding="utf-8")
    return problems


def parts(results: Path) -> list[Path]:
    """Return the existing parts of a copy; the directory itself if it is not a copy."""
    return [results / part for part in (COMMITS, RELEASES) if (results / part).is_dir()] or [results]


@dataclass
class _Source:
    """A directory of results with its name, and the target of the copy. ``problems``: what is left out."""

    name: str
    root: Path
    target: Path
    problems: list[Unread]

    def leave_out(self, path: Path | str, reason: str) -> None:
        file = path.relative_to(self.root).as_posix() if isinstance(path, Path) else path
        self.problems.append(Unread(f"{self.name}/{file}", reason))

    def copy_machine(self, directory: Path) -> None:
        """Copy a machine's directory: its description, its results and their records."""
        for path in (directory / name for name in NAME_THEIR_MACHINE):
            if path.exists():
                into = self.target / LINES / self.name / directory.relative_to(self.root)
                into.mkdir(parents=True, exist_ok=True)
                _link(path, into)
        files = [path for path in sorted(directory.glob("*.json")) if path.name not in NO_RESULTS]
        description = directory / MACHINE
        if not files and not description.exists():
            return
        try:
            described = machine(description)
        except UnreadableError as error:
            self.leave_out(description, str(error))
            for path in files:
                self.leave_out(path, "asv's machine.json beside it cannot be used")
            return
        for path in files:
            try:
                self.copy_result(path, described)
            except UnreadableError as error:
                self.leave_out(path, str(error))
        for path in directory.glob("*.jsonl"):  # records without a result, drift, and files that no page reads
            result = path.with_name(path.name.removesuffix(records.SUFFIX) + ".json")
            if result.exists() or path.name in NAME_THEIR_MACHINE:
                continue
            try:
                _link(path, self.directory(RELEASES, described))
            except UnreadableError as error:
                self.leave_out(path, str(error))

    def copy_result(self, path: Path, described: Mapping[str, str]) -> None:
        """Copy a file of results with its records. described: the machine.json beside it.

        Raises UnreadableError for a file that is not a result of one machine.
        """
        result, problems = stored.load(path, self.root)
        recorded = records.read(self.root, result.file, [])  # who reads the copy names the lines that are no records
        names = {result.machine, *(str(line["machine"]) for line in recorded.backends.values() if "machine" in line)}
        if others := sorted(names - {described["machine"]}):
            raise UnreadableError(f"it or its records name {', '.join(others)}, and it lies with {described['machine']}")
        into = self.directory(RELEASES if recorded.outcome else COMMITS, described)
        _require_free(into / path.name)
        data = json.loads(path.read_text(encoding="utf-8"))
        params = {key: value for key, value in data["params"].items() if key not in DESCRIPTION}
        if problems:  # asv gets only the values that the reader accepted
            where = data["result_columns"].index("result")
            for name, measured in result.benchmarks.items():
                data["results"][name][where] = list(measured.values)
            data["results"] = {name: row for name, row in data["results"].items() if name in result.benchmarks}
        if problems or params != data["params"]:
            (into / path.name).write_text(json.dumps({**data, "params": params}), encoding="utf-8")
        else:
            _link(path, into)
        if records.beside(path).exists():
            _link(records.beside(path), into)
        for problem in problems:
            self.leave_out(problem.file, problem.reason)

    def directory(self, part: str, described: Mapping[str, str]) -> Path:
        """Return the directory of a machine in one part of the copy, with a description for asv."""
        into = self.target / part / self.name / described["machine"]
        if not into.exists():
            into.mkdir(parents=True)
            (into / MACHINE).write_text(json.dumps({**described, "version": MACHINE_FORMAT}))
        return into

    def benchmarks(self) -> dict[str, Any]:
        """Return asv's list of benchmarks, without entries that asv's publisher cannot use."""
        path = self.root / BENCHMARKS
        if not path.exists():
            return {}
        try:
            data = _json(path, LIST_FORMAT, "list of benchmarks")
        except UnreadableError as error:
            self.leave_out(path, str(error))
            return {}
        entries = {key: entry for key, entry in data.items() if key != "version"}
        for key, fault in [(key, fault) for key, entry in entries.items() if (fault := _fault(key, entry))]:
            self.leave_out(path, f"its entry {key!r:.80} is no benchmark's: {fault}")
            del entries[key]
        return entries


def _json(path: Path, version: int, kind: str) -> dict[str, Any]:
    """Return one of asv's JSON files; UnreadableError for any other kind or version."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UnreadableError("there is none") from error
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableError(f"no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("version") != version:
        raise UnreadableError(f"no {kind} of asv's format {version}")
    return data


def machine(path: Path) -> dict[str, str]:
    """Return asv's description of the machine; UnreadableError for a file that asv would not take."""
    kind = "description of a machine"
    described = _json(path, MACHINE_FORMAT, kind)
    if not isinstance(described.get("machine"), str):
        raise UnreadableError(f"no {kind} of asv's format {MACHINE_FORMAT}")
    name = described["machine"]
    if name in ("", ".", "..") or "/" in name or "\0" in name:  # the copy has a directory of that name
        raise UnreadableError(f"its machine {name!r:.80} cannot be the name of a directory")
    return {key: str(value) for key, value in described.items() if key != "version"}


def _fault(key: str, entry: Any) -> str:
    """Return why an entry of asv's list is not a benchmark, or ""."""
    try:
        benchmark = msgspec.convert(entry, ListedBenchmark)
    except msgspec.ValidationError as error:
        return str(error)
    if benchmark.name != key:
        return "it has another name"
    return "" if len(benchmark.names) == len(benchmark.parameters) else "it has not one name per parameter"


def _link(path: Path, into: Path) -> None:
    """Raises UnreadableError if the directory has a file of that name."""
    _require_free(into / path.name)
    (into / path.name).symlink_to(path.resolve())


def _require_free(path: Path) -> None:
    """Raise UnreadableError if there is such a file: it is a link, and writing to it would change the original."""
    if path.exists():
        raise UnreadableError(f"another file of {path.parent.name} has the same name")
