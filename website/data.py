"""``site/data``: what was measured, joined into the files that pages read. docs/site-data.md describes them.

Strict JSON in UTF-8; whatever text results or commits hold is kept as it is, and is text.
"""

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge
from pathlib import Path
from typing import Any

from history.store import results as stored
from history.store.results import Unread
from jitkernels import charts
from jitkernels.charts import tradeoff
from website.read import alarms, catalogue, matrix, names, ranking, reading, rows
from website.read.catalogue import Benchmark
from website.read.changes import MOST
from website.read.commits import History, iso
from website.read.environments import Environments
from website.read.points import Newest, Point, newest
from website.releases import files as ladder_files
from website.releases import outcomes
from website.releases.beside import Curves

SCHEMA = 1
Row = dict[str, Any]


def write(
    site: Path, results: Path, history: History, find: Callable[[str], Benchmark], changes: Mapping[str, Any],
    unread: Iterable[Unread] = (), wanted: reading.Needed | None = None, progress: Callable[[], None] = lambda: None,
    curves: Callable[[outcomes.Environments], Curves] = lambda ladder: {},
) -> list[Unread]:  # fmt: skip
    """Write ``site/data`` anew; returns what could not be read, in the order of its finding.

    results: asv's directory. changes: as ``changes.changes`` gives them. unread: what was left out before. wanted: as
    ``reading.origins`` has it. progress: called now and then. curves: by commit, in environments other than the ladder's.
    """
    lost = list(unread)
    environments = Environments()
    ladder = outcomes.Ladder(history)
    origins = reading.origins(results, history, environments, lost, find, wanted, progress)
    machines = newest(outcomes.watched(origins, ladder.add), find)
    ladder.add_failures(results, lost)
    calibrated = alarms.told(results, lost)
    lost = list(dict.fromkeys(lost))  # a copy's list names what is met again here
    told = stored.machine_files(results)
    ids = _ids(environments.machines())
    data = site / "data"
    _clear(data)
    index = [_machine(data, ids[machine], machine, found, told, progress) for machine, found in machines.items()]
    turns, beside = outcomes.turns(results), curves(ladder.environments())
    releases, steps = ladder_files.write(data, ids, ladder, turns, beside, find, _write)
    _write(data / "changes.json", told_changes(changes, steps, ids))
    _write(data / "gate.json", {"groups": calibrated})
    _write(data / "environments.json", {"machines": environments.told(ids)})
    _write(data / "index.json", {**_index(index, machines, lost, (site / names.HISTORY).is_dir()), "releases": releases})
    return lost


def told_changes(changes: Mapping[str, Any], steps: Iterable[Row], ids: Mapping[tuple[str, ...], str]) -> Row:
    """Steps by commit and by release, newest first."""
    both = merge(changes["changes"], steps, key=lambda step: step["to"]["date"] or "", reverse=True)
    found = [_with_id(change, ids) for change in both]
    return {"changes": found[:MOST], "left_out": changes["left_out"] + len(found[MOST:])}


def _ids(machines: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """A directory name for each machine: of its name alone, where no other has the same."""
    machines = list(machines)
    shared = [machine[0] for machine in machines]
    called = {
        machine: machine[0] if shared.count(machine[0]) == 1 else " ".join(filter(None, machine)) for machine in machines
    }
    slugs = names.slugs(called.values(), reserved=RESERVED)
    return {machine: slugs[name] for machine, name in called.items()}


RESERVED = ("index.json", "changes.json", "environments.json", "gate.json")


def _machine(
    data: Path, id_: str, machine: tuple[str, ...], found: Newest, told: Mapping[str, Row], progress: Callable[[], None]
) -> Row:
    """Write one machine's files; its entry of the index."""
    files, tables = {}, {}
    slugs = names.slugs((point.benchmark.kernel for point in found.points.values()), reserved=("matrix",))
    for kernel, points in rows.by_kernel(found.points.values()):
        progress()
        content = kernel_file(id_, kernel, points)
        files[kernel] = f"data/{id_}/{slugs[kernel]}.json"
        tables[kernel] = content["rows"]
        _write(data / id_ / f"{slugs[kernel]}.json", content)
    backends = _backends(found.points.values())
    _write(data / id_ / "matrix.json", matrix.matrix(id_, tables, backends))
    result = max((point.origin for point in found.points.values()), key=lambda origin: origin.commit.place)
    own = told.get(machine[0], {})
    params = {**own, **result.result.params}
    return {
        "id": id_,
        "name": machine[0],
        "processor": next((source for source in _processors(found)), None) or params.get("cpu") or None,
        "cores": params.get("num_cpu") or None,
        "ram": params.get("ram") or None,
        "os": params.get("os") or None,
        "kernels": files,
        "matrix": f"data/{id_}/matrix.json",
        "newest": iso(result.commit.date),
    }


def _processors(found: Newest) -> Iterator[str]:
    """What processes said of the machine's processor, which asv knows by its model's name alone."""
    for point in found.points.values():
        for line in point.origin.records.backends.values():
            if line.get("processor"):
                yield str(line["processor"])


def kernel_file(machine: str, kernel: str, points: list[Point]) -> Row:
    """Everything that is known of one kernel on one machine."""
    sources = rows.Sources()
    table, taken = rows.rows(kernel, points, sources)
    sized = [row for row in table if row["size"]]
    content = {
        "machine": machine,
        "kernel": kernel,
        "size": catalogue.kernel(kernel)["size"],
        "sources": sources.told,
        "rows": sized,
        "observations": [row for row in table if not row["size"]],
        "rankings": ranking.rankings(kernel, sized, lambda backend, size: taken.get((backend, size, rows.WARM))),
        "benchmarks": rows.benchmarks(points),
    }
    drawn = {name: make(content) for name, make in charts.ROWS.items()}
    return {**content, "claim": tradeoff.claim(drawn["tradeoff"]) if drawn["tradeoff"] else None, "charts": drawn}


def _backends(points: Iterable[Point]) -> list[str]:
    """Every backend of the library, and those that results name beyond it."""
    known = list(catalogue.BACKENDS)
    seen = {str(point.benchmark.named(point.cell).get("backend", "")) for point in points}
    return known + sorted(seen - set(known) - {""})


def _index(index: list[Row], machines: Mapping[Any, Newest], lost: list[Unread], has_history: bool) -> Row:
    points = [point for found in machines.values() for point in found.points.values()]
    kernels = sorted({point.benchmark.kernel for point in points})
    now = datetime.datetime.now(datetime.UTC).timestamp()
    return {
        "generated": iso(now),
        "kernels": [catalogue.kernel(name) for name in kernels],
        "backends": [catalogue.backend(name) for name in _backends(points)],
        "machines": sorted(index, key=lambda machine: machine["newest"], reverse=True),
        "changes": "data/changes.json",
        "environments": "data/environments.json",
        "gate": "data/gate.json",
        "unread": [{"file": problem.file, "reason": problem.reason} for problem in lost],
        "history": names.HISTORY if has_history else None,
    }


def _with_id(change: Row, ids: Mapping[tuple[str, ...], str]) -> Row:
    """The change with its machine's directory instead of what tells machines apart."""
    return {**change, "machine": ids.get(tuple(change["machine"]), str(change["machine"][0]))}


def _clear(directory: Path) -> None:
    """Remove what an earlier run wrote there, and nothing else."""
    for file in directory.glob("**/*.json"):
        file.unlink()


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"schema": SCHEMA, **content}, allow_nan=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")
