"""A copy of stored results that asv can publish. The originals are never changed.

``asv publish`` skips a truncated file, but stops with a traceback at JSON that is no result, and one infinite value makes
its step detection allocate without end. So the copy has links to the files that can be read, new files where values had to
be left out, and a list of everything that is missing from it.
"""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from history.store import records
from history.store import results as stored
from history.store.results import BENCHMARKS, KEPT, MACHINE, Unread, UnreadableError

LEFT_OUT = "left-out.jsonl"  # in the copy, a line per file; asv reads only what ends in .json
MACHINE_FORMAT, LIST_FORMAT = 1, 2  # asv's


def copy(sources: Iterable[tuple[str, Path]], target: Path, progress: Callable[[], None] = lambda: None) -> list[Unread]:
    """Copy each source into the empty directory ``target``, below the source's name, and return what was left out.

    The list of benchmarks of a later source replaces entries of an earlier one. progress: called for each file.
    """
    problems: list[Unread] = []
    listed: dict[str, Any] = {}
    for name, root in sources:
        source = _Source(name, root, target / name, problems, progress)
        listed.update(source.benchmarks())
        for directory in sorted(path for path in root.rglob("*") if path.is_dir()):
            source.copy_machine(directory)
    if listed:
        (target / BENCHMARKS).write_text(json.dumps({**listed, "version": LIST_FORMAT}), encoding="utf-8")
    lines = [json.dumps({"file": problem.file, "reason": problem.reason}) for problem in problems]
    (target / LEFT_OUT).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return problems


def left_out(results: Path) -> list[Unread]:
    """Return what ``copy`` left out of this directory; an empty list for a directory that is no such copy."""
    return [Unread(**line) for line in records.lines(results / LEFT_OUT)]


@dataclass
class _Source:
    """A directory of results with its name and its target. ``problems`` collects what is left out."""

    name: str
    root: Path
    target: Path
    problems: list[Unread]
    progress: Callable[[], None]

    def leave_out(self, path: Path | str, reason: str) -> None:
        file = path.relative_to(self.root).as_posix() if isinstance(path, Path) else path
        self.problems.append(Unread(f"{self.name}/{file}", reason))

    def copy_machine(self, directory: Path) -> None:
        """Copy a machine's directory: its description, its results and their records."""
        files = [path for path in sorted(directory.glob("*.json")) if path.name not in KEPT]
        description = directory / MACHINE
        if not files and not description.exists():
            return
        try:
            machine = _machine(description)
        except UnreadableError as error:
            self.leave_out(description, str(error))
            for path in files:
                self.leave_out(path, "asv's machine.json beside it is missing")
            return
        into = self.target / directory.relative_to(self.root)
        into.mkdir(parents=True, exist_ok=True)
        _link(description, into)
        for path in files:
            self.progress()
            try:
                self.copy_result(path, into, machine)
            except UnreadableError as error:
                self.leave_out(path, str(error))
        for path in directory.glob("*.jsonl"):  # of releases that left no result, and of the machine's drift
            result = path.with_name(path.name.removesuffix(records.SUFFIX) + ".json")
            if path.name == records.DRIFT or not result.exists():
                _link(path, into)

    def copy_result(self, path: Path, into: Path, machine: str) -> None:
        """Copy a file of results and its records. Raises UnreadableError for a file that is no result of this machine."""
        result, problems = stored.load(path, self.root)
        if result.params["machine"] != machine:
            raise UnreadableError(f"it is of the machine {result.params['machine']!r}, and lies with {machine!r}")
        if problems:
            valid = _valid(json.loads(path.read_text(encoding="utf-8")))
            (into / path.name).write_text(json.dumps(valid), encoding="utf-8")
        else:
            _link(path, into)
        if records.beside(path).exists():
            records.read(self.root, result.file, problems)
            _link(records.beside(path), into)
        for problem in problems:
            self.leave_out(problem.file, problem.reason)

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
        for key in [key for key, entry in entries.items() if not _is_benchmark(key, entry)]:
            self.leave_out(path, f"its entry {key!r:.80} is no benchmark's")
            del entries[key]
        return entries


def _json(path: Path, version: int, kind: str) -> dict[str, Any]:
    """Return one of asv's JSON files; UnreadableError for anything else than that version of that kind."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UnreadableError("there is none") from error
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableError(f"no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("version") != version:
        raise UnreadableError(f"no {kind} of asv's format {version}")
    return data


def _machine(path: Path) -> str:
    """Return the machine's name; UnreadableError for a file that asv would not take."""
    kind = "description of a machine"
    name = _json(path, MACHINE_FORMAT, kind).get("machine")
    if not isinstance(name, str):
        raise UnreadableError(f"no {kind} of asv's format {MACHINE_FORMAT}")
    return name


def _is_benchmark(key: str, entry: Any) -> bool:
    if not isinstance(entry, dict) or entry.get("name") != key or "version" not in entry:
        return False
    names, lists = entry.get("param_names"), entry.get("params")
    fits = isinstance(names, list) and isinstance(lists, list) and len(names) == len(lists)
    return fits and all(isinstance(values, list) and all(isinstance(value, str) for value in values) for values in lists)


def _valid(data: dict[str, Any]) -> dict[str, Any]:
    """Return a result without impossible values, and without benchmarks whose values do not fit their parameters."""
    names = data["result_columns"]
    where, params = names.index("result"), names.index("params")
    rows = {}
    for name, row in data["results"].items():
        values = row[where] if len(row) > where else None
        cases = math.prod(len(values) for values in row[params]) if len(row) > params else 0
        if values is None or (isinstance(values, list) and len(values) == cases):
            valid = None if values is None else stored.possible(name, values)[0]
            rows[name] = [valid if place == where else column for place, column in enumerate(row)]
    return {**data, "results": rows}


def _link(path: Path, into: Path) -> None:
    (into / path.name).symlink_to(path.resolve())
