"""A copy of stored results that asv can publish, whatever lies among the originals, which are never changed.

``asv publish`` skips a truncated file by itself; it stops with a traceback at JSON that is no result, and one infinite value
makes its step detection allocate without end. So it is given links to the files that can be read, rewritten ones where
values had to be taken out, and a list of what was left out.
"""

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from history.store import records
from history.store import results as stored
from history.store.results import Unread, UnreadableError
from website.releases.outcomes import DRIFT

LEFT_OUT = "left-out.jsonl"  # in the copy: one line a file; asv heeds what ends in .json alone
BENCHMARKS = "benchmarks.json"
MACHINE = "machine.json"
MACHINE_FORMAT, LIST_FORMAT = 1, 2  # asv's


def copy(sources: Iterable[tuple[str, Path]], target: Path, progress: Callable[[], None] = lambda: None) -> list[Unread]:
    """Fill the empty directory ``target`` with what can be published of each source, below the source's name; returns
    what was left out. Later sources' lists of benchmarks go over earlier ones'."""
    left_out: list[Unread] = []
    listed: dict[str, Any] = {}
    for name, source in sources:
        listed.update(_benchmarks(source, name, left_out))
        for directory in sorted(path for path in source.rglob("*") if path.is_dir()):
            _copy_machine(directory, source, target / name, name, left_out, progress)
    if listed:
        (target / BENCHMARKS).write_text(json.dumps({**listed, "version": LIST_FORMAT}), encoding="utf-8")
    lines = [json.dumps({"file": problem.file, "reason": problem.reason}) for problem in left_out]
    (target / LEFT_OUT).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return left_out


def left_out(results: Path) -> list[Unread]:
    """What ``copy`` left out of this directory; nothing where it is no such copy."""
    path = results / LEFT_OUT
    if not path.exists():
        return []
    return [Unread(**json.loads(line)) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _copy_machine(
    directory: Path, source: Path, target: Path, name: str, left_out: list[Unread], progress: Callable[[], None]
) -> None:
    """One machine's directory: its description, its results, their records."""
    files = [path for path in sorted(directory.glob("*.json")) if path.name not in stored.KEPT]
    machine, reason = _machine(directory / MACHINE)
    if machine is None:
        if files or (directory / MACHINE).exists():
            left_out.append(Unread(_called(directory / MACHINE, source, name), reason))
        left_out.extend(Unread(_called(path, source, name), "asv's machine.json beside it is missing") for path in files)
        return
    into = target / directory.relative_to(source)
    into.mkdir(parents=True, exist_ok=True)
    _link(directory / MACHINE, into / MACHINE)
    for path in files:
        progress()
        try:
            result, problems = stored.load(path, source)
            if result.params["machine"] != machine:
                raise UnreadableError(f"it is of the machine {result.params['machine']!r}, and lies with {machine!r}")
        except UnreadableError as problem:
            left_out.append(Unread(_called(path, source, name), str(problem)))
            continue
        left_out.extend(Unread(f"{name}/{problem.file}", problem.reason) for problem in problems)
        if problems:
            (into / path.name).write_text(
                json.dumps(_mended(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8"
            )
        else:
            _link(path, into / path.name)
        if records.beside(path).exists():
            lost: list[Unread] = []
            records.read(source, path.relative_to(source).as_posix(), lost)
            left_out.extend(Unread(f"{name}/{problem.file}", problem.reason) for problem in lost)
            _link(records.beside(path), records.beside(into / path.name))
    for path in directory.glob("*.jsonl"):  # of releases that left no result, and of the machine's drift
        if path.name == DRIFT or not path.with_name(path.name.removesuffix(records.SUFFIX) + ".json").exists():
            _link(path, into / path.name)


def _machine(path: Path) -> tuple[str | None, str]:
    """The machine's name, or why asv would not take the file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, "there is none"
    except (OSError, ValueError, RecursionError) as error:
        return None, f"no JSON: {error}"
    if not isinstance(data, dict) or data.get("version") != MACHINE_FORMAT or not isinstance(data.get("machine"), str):
        return None, f"no description of a machine of asv's format {MACHINE_FORMAT}"
    return data["machine"], ""


def _benchmarks(source: Path, name: str, left_out: list[Unread]) -> dict[str, Any]:
    """asv's list of benchmarks there; its entries that asv's publisher could not use are left out."""
    path = source / BENCHMARKS
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        left_out.append(Unread(f"{name}/{BENCHMARKS}", f"no JSON: {error}"))
        return {}
    if not isinstance(data, dict) or data.get("version") != LIST_FORMAT:
        left_out.append(Unread(f"{name}/{BENCHMARKS}", f"no list of benchmarks of asv's format {LIST_FORMAT}"))
        return {}
    entries = {key: entry for key, entry in data.items() if key != "version"}
    wrong = [key for key, entry in entries.items() if not _is_benchmark(key, entry)]
    left_out.extend(Unread(f"{name}/{BENCHMARKS}", f"its entry {key!r:.80} is no benchmark's") for key in wrong)
    return {key: entry for key, entry in entries.items() if key not in wrong}


def _is_benchmark(key: str, entry: Any) -> bool:
    if not isinstance(entry, dict) or entry.get("name") != key or "version" not in entry:
        return False
    names, lists = entry.get("param_names"), entry.get("params")
    fits = isinstance(names, list) and isinstance(lists, list) and len(names) == len(lists)
    return fits and all(isinstance(values, list) and all(isinstance(value, str) for value in values) for values in lists)


def _mended(data: dict[str, Any]) -> dict[str, Any]:
    """A result without what was not taken of it: infinite values, and benchmarks whose values are not one a cell."""
    names = data["result_columns"]
    where, params = names.index("result"), names.index("params")
    rows = {}
    for name, row in data["results"].items():
        values = row[where] if len(row) > where else None
        cells = math.prod(len(values) for values in row[params]) if len(row) > params else 0
        if values is None or (isinstance(values, list) and len(values) == cells):
            taken = None if values is None else stored.possible(name, values)[0]
            rows[name] = [taken if place == where else column for place, column in enumerate(row)]
    return {**data, "results": rows}


def _link(path: Path, target: Path) -> None:
    target.symlink_to(path.resolve())


def _called(path: Path, source: Path, name: str) -> str:
    return f"{name}/{path.relative_to(source).as_posix()}"
