"""``site/data``: stored results as the files that pages read. docs/site-data.md describes them.

The files are strict JSON in UTF-8. Text from results and commits is not escaped for HTML, because pages show it as text.
"""

import itertools
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from history.store import duets, records, release_lines
from history.store import results as stored
from history.store.results import Unread
from jitkernels import charts
from jitkernels.backends.table import BACKENDS
from jitkernels.charts import tradeoff
from website.across.rivals import rivals
from website.commits import files as commit_files
from website.read import catalogue, changes, gate, machines, matrix, names, points, ranking, rows, runs
from website.read.benchmarks import Find
from website.read.commits import History
from website.read.figures import Sources
from website.read.machines import Environments, MachineResults
from website.read.points import Point
from website.releases import files as release_files
from website.releases import outcomes
from website.releases.commit_curves import CommitCurves
from website.schema import index as schema
from website.schema import json_schema
from website.schema.kernels import Environments as EnvironmentsFile
from website.schema.kernels import KernelFile
from website.schema.releases import Change, Changes

SCHEMA = 1
Entry = TypeVar("Entry")


def write(site: Path, results: Path, history: History, find: Find, unread: Iterable[Unread] = ()) -> list[Unread]:
    """Write ``site/data`` and ``site/schema`` anew, and return what could not be read.

    results: a copy of all stored results. unread: what could not be copied; it is returned too.
    """
    lost, environments, ladder, curves = list(unread), Environments(), outcomes.Ladder(history), CommitCurves()
    newest: dict[names.Machine, points.Points] = {}
    for origin in points.read(results, history, lost):
        has_newer_file = environments.add(origin)
        ladder.add(origin)
        curves.add(origin, find)
        points.add_newest(newest.setdefault(origin.result.machine, {}), origin, find, has_newer_file)
    ladder.add_failures(results, lost)
    lines, pairs = duets.lines(results, lost), release_lines.duets(results, lost)
    ladder.add_duets(pairs)
    ranked = runs.read(results, history, lost)
    described = stored.machine_files(results)
    compilers = release_files.compiler_releases(ladder, results, history, lost)
    shutil.rmtree(site / "data", ignore_errors=True)
    json_schema.write(site / "schema")
    measured = {machine: list(cases.values()) for machine, cases in newest.items() if cases}
    everyone = [
        MachineResults(each, measured.get(each, []), described.get(each, {}), ranked.get(each, {}))
        for each in dict.fromkeys([*measured, *ranked])
    ]
    index = [_machine(site, machine) for machine in everyone]
    entries, steps = _written(site, (compiler.files(curves, find) for compiler in compilers))
    releases = sorted(itertools.chain(*steps), key=changes.date, reverse=True)
    dueled = commit_files.machine_commits(lines, history, find, lost)
    commits, steps = _written(site, (machine.files(releases, entries) for machine in dueled))
    shown, left_out = changes.newest(*steps, releases)
    _write(site / "data" / "changes.json", Changes(changes=shown, left_out=left_out))
    _write(site / "data" / "gate.json", schema.Gate(groups=gate.groups(results, lost)))
    _write(site / "data" / "rivals.json", rivals(ranked))
    _write(site / "data" / "environments.json", EnvironmentsFile(machines=environments.rows()))
    lost = list(dict.fromkeys(lost))  # the copying of results may have named some of these
    backends = _backends(name for machine in everyone for name in machine.backends())
    written = (site / names.HISTORY).is_dir()
    _write(site / "data" / "index.json", _index(index, entries, commits, backends, lost, written, history.diffs))
    return lost


def kernel_file(machine: str, kernel: str, points: Sequence[Point], ranked: runs.Runs) -> KernelFile:
    """Return the content of a kernel's file on one machine. ranked: the runs that rank its backends, by size."""
    sources = Sources()
    table = rows.rows(kernel, points, sources)
    cases = ((backend, size) for size, run in ranked.items() for backend in run.backends())
    sized = rows.completed((row for row in table if row["size"]), cases)
    content: KernelFile = {
        "machine": machine,
        "kernel": kernel,
        "size": catalogue.kernel(kernel)["size"],
        "sources": sources.rows,
        "rows": sized,
        "observations": [row for row in table if not row["size"]],
        "rankings": ranking.rankings(kernel, sized, ranked, sources.rows),
        "benchmarks": rows.benchmarks(points),
        "claim": None,
        "charts": {},
    }
    drawn = {name: build(content) for name, build in charts.ROWS.items()}
    return {**content, "claim": tradeoff.claim(drawn["tradeoff"]) if drawn["tradeoff"] else None, "charts": drawn}


def _machine(site: Path, machine: MachineResults) -> schema.Machine:
    """Write one machine's files, and return its row of the index."""
    kernels = sorted({point.case.benchmark.kernel for point in machine.points} | machine.runs.keys())
    paths = {kernel: f"data/{machine.id}/{names.slug(kernel, ['matrix'])}.json" for kernel in kernels}
    contents: dict[str, KernelFile] = {}
    for kernel in kernels:
        own = [point for point in machine.points if point.case.benchmark.kernel == kernel]
        contents[kernel] = kernel_file(machine.id, kernel, own, machine.runs.get(kernel, {}))
        _write(site / paths[kernel], contents[kernel])
    columns = _backends(machine.backends())
    _write(site / "data" / machine.id / "matrix.json", matrix.matrix(machine.id, contents, columns))
    return machines.row(machine, paths, contents)


def _written(
    site: Path, parts: Iterable[tuple[Entry, list[Change], Mapping[str, Any]]]
) -> tuple[list[Entry], list[list[Change]]]:
    """Write the files of each part; return each part's row of the index, and its steps."""
    entries, steps = [], []
    for entry, own, files in parts:
        for path, content in files.items():
            _write(site / path, content)
        entries.append(entry)
        steps.append(own)
    return entries, steps


def _backends(known: Iterable[str]) -> list[str]:
    """Return every backend of the library, then the backends that occur only in results."""
    return [*BACKENDS, *sorted(set(known) - BACKENDS.keys() - {""})]


def _index(
    machines: list[schema.Machine],
    releases: list[schema.Compiler],
    commits: list[schema.CommitMachine],
    backends: list[str],
    lost: list[Unread],
    history: bool,
    diffs: str | None,
) -> schema.Index:
    kernels = {kernel for machine in (*machines, *commits) for kernel in machine["kernels"]}
    return {
        "generated": records.now(),
        "kernels": [catalogue.kernel(name) for name in sorted(kernels)],
        "backends": [catalogue.backend(name) for name in backends],
        "machines": sorted(machines, key=lambda machine: machine["newest"], reverse=True),
        "changes": "data/changes.json",
        "environments": "data/environments.json",
        "gate": "data/gate.json",
        "rivals": "data/rivals.json",
        "unread": [{"file": problem.file, "reason": problem.reason} for problem in lost],
        "history": names.HISTORY if history else None,
        "releases": releases,
        "commits": sorted(commits, key=lambda machine: machine["newest"], reverse=True),
        "diffs": diffs,
    }


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"schema": SCHEMA, **content}, allow_nan=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")
