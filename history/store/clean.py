"""The stored results that can be read, and a copy of them that asv can publish. The originals are never changed.

``asv publish`` skips a truncated file, but stops with a traceback at JSON that is not a result. One infinite value makes its
step detection allocate without end. asv also separates graphs by every field of a result: a machine described in two ways is
two curves, and if some results lack a requirement, its pages ask for graphs that do not exist.

So the copy has the readable results of commits, without those of the ladder's releases, which have other requirements.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from history.store import records
from history.store import results as stored
from history.store.records import Records
from history.store.results import BENCHMARKS, MACHINE, Result, Unread, UnreadableError

MACHINE_FORMAT, LIST_FORMAT = 1, 2  # asv's
DESCRIPTION = ("arch", "cpu", "num_cpu", "os", "ram")  # fields of machine.json that asv repeats in every result

Sources = Iterable[tuple[str, Path]]  # directories of results, each with its name


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


@dataclass(frozen=True)
class ResultFile:
    """A file of results with its records.

    ``result``: without the fields of DESCRIPTION and impossible values; its ``file`` begins with the source's name.
    ``description``: the machine.json beside the file. ``is_whole``: True if ``result`` has all of the file.
    """

    path: Path
    result: Result
    records: Records
    description: Mapping[str, str]
    is_whole: bool


def read(sources: Sources, unread: list[Unread]) -> list[ResultFile]:
    """Return all files of results that can be read. ``unread`` gets what is left out."""
    files = []
    for name, root in sources:
        for path in stored.files(root):
            try:
                files.append(_read(path, f"{name}/{path.relative_to(root).as_posix()}", unread))
            except UnreadableError as error:
                unread.append(Unread(path.as_posix(), str(error)))
    return files


def _read(path: Path, name: str, unread: list[Unread]) -> ResultFile:
    """Read a file. Raises UnreadableError if it is not a result of the machine that machine.json beside it describes."""
    try:
        description = machine(path.with_name(MACHINE))
    except UnreadableError as error:
        raise UnreadableError(f"asv's machine.json beside it cannot be used: {error}") from error
    result, problems = stored.load(path, name)
    recorded = records.read(path, unread)
    names = {result.machine, *(str(line["machine"]) for line in recorded.backends.values() if "machine" in line)}
    if others := sorted(names - {description["machine"]}):
        raise UnreadableError(f"it or its records name {', '.join(others)}, and it lies with {description['machine']}")
    unread += [Unread(path.as_posix(), problem) for problem in problems]
    params = {key: value for key, value in result.params.items() if key not in DESCRIPTION}
    is_whole = not problems and params == result.params
    return ResultFile(path, replace(result, params=params), recorded, description, is_whole)


def benchmarks(sources: Sources, unread: list[Unread]) -> dict[str, Any]:
    """Return asv's lists of benchmarks as one, without entries that asv's publisher cannot use; ``unread`` gets these.

    If several lists have an entry, the first one counts.
    """
    entries: dict[str, Any] = {}
    for path in (root / BENCHMARKS for _, root in sources):
        try:
            listed = _json(path, LIST_FORMAT, "list of benchmarks") if path.exists() else {}
        except UnreadableError as error:
            unread.append(Unread(path.as_posix(), str(error)))
            continue
        for key, entry in listed.items():
            if key == "version":
                continue
            if fault := _fault(key, entry):
                unread.append(Unread(path.as_posix(), f"its entry {key!r:.80} is no benchmark's: {fault}"))
            else:
                entries.setdefault(key, entry)
    return entries


def copy(files: Iterable[ResultFile], listed: Mapping[str, Any], target: Path) -> None:
    """Fill a directory with the results of commits and asv's list of benchmarks, so that asv can publish it."""
    (target / BENCHMARKS).write_text(json.dumps({**listed, "version": LIST_FORMAT}), encoding="utf-8")
    for each in files:
        if each.records.outcome:  # of a release
            continue
        path = target / each.result.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(MACHINE).write_text(json.dumps({**each.description, "version": MACHINE_FORMAT}), encoding="utf-8")
        if each.is_whole:
            path.symlink_to(each.path.resolve())
        else:
            path.write_text(json.dumps(_content(each)), encoding="utf-8")


def _content(file: ResultFile) -> dict[str, Any]:
    """Return a file's content without what ``result`` lacks."""
    data = json.loads(file.path.read_text(encoding="utf-8"))
    place = data["result_columns"].index("result")
    rows = {name: data["results"][name] for name in file.result.benchmarks}
    for name, measured in file.result.benchmarks.items():
        rows[name][place] = list(measured.values)
    params = {key: data["params"][key] for key in file.result.params}
    return {**data, "params": params, "results": rows}


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
