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
from history.store.clean import ResultFile
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
from website.read.machines import MachineResults
from website.read.points import Point
from website.releases import files as release_files
from website.releases import outcomes
from website.releases.commit_curves import CommitCurves
from website.schema import index as schema
from website.schema import json_schema
from website.schema.kernels import Environments, KernelFile
from website.schema.releases import Change, Changes

IndexRow = TypeVar("IndexRow")


def write(
    site: Path, places: Sequence[Path], files: Sequence[ResultFile], history: History, find: Find, unread: list[Unread]
) -> None:
    """Write ``site/data`` and ``site/schema`` anew.

    places: directories with lines. files: asv's results in them that can be read. unread: what is left out of these; gets
    the lines that cannot be read.
    """
    origins = points.origins(files, history)
    ladder, curves = outcomes.Ladder(origins, history), CommitCurves(origins, find)
    ladder.add_failures(places, unread)
    lines_of_commits, duets_of_releases = duets.lines(places, unread), release_lines.duets(places, unread)
    ladder.add_duets(duets_of_releases)
    rankings = runs.read(places, history, unread)
    descriptions = {each.result.machine: each.description for each in files}
    machine_results = machines.results(points.newest(origins, find), rankings, descriptions)
    compilers = release_files.compiler_releases(ladder, places, history, unread)
    shutil.rmtree(site / "data", ignore_errors=True)
    json_schema.write(site / "schema")
    machine_rows = [_write_machine(site, machine) for machine in machine_results]
    compiler_rows, steps = _write_parts(site, (compiler.files(curves, find) for compiler in compilers))
    releases = sorted(itertools.chain(*steps), key=changes.date, reverse=True)
    machine_commits = commit_files.machine_commits(lines_of_commits, history, find, unread)
    commit_rows, steps = _write_parts(site, (machine.files(releases, compiler_rows) for machine in machine_commits))
    shown, left_out = changes.newest(*steps, releases)
    _write(site / "data" / "changes.json", Changes(changes=shown, left_out=left_out))
    _write(site / "data" / "gate.json", schema.Gate(groups=gate.groups(places, unread)))
    _write(site / "data" / "rivals.json", rivals(rankings))
    _write(site / "data" / "environments.json", Environments(machines=machines.environments(origins)))
    backends = _backends(name for machine in machine_results for name in machine.backends())
    has_history = (site / names.HISTORY).is_dir()
    index = _index(machine_rows, compiler_rows, commit_rows, backends, unread, has_history, history.diffs)
    _write(site / "data" / "index.json", index)


def kernel_file(machine: str, kernel: str, points: Sequence[Point], ranking_runs: runs.Runs) -> KernelFile:
    """Return the content of a kernel's file on one machine. ranking_runs: those that rank its backends, by size."""
    sources = Sources()
    table = rows.rows(points, sources)
    cases = ((backend, size) for size, run in ranking_runs.items() for backend in run.backends())
    sized = rows.with_empty_rows((row for row in table if row["size"]), cases)
    content: KernelFile = {
        "machine": machine,
        "kernel": kernel,
        "size": catalogue.kernel(kernel)["size"],
        "sources": sources.rows,
        "rows": sized,
        "observations": [row for row in table if not row["size"]],
        "rankings": ranking.rankings(kernel, sized, ranking_runs, sources.rows),
        "benchmarks": rows.benchmarks(points),
        "claim": None,
        "charts": {},
    }
    drawn = {name: build(content) for name, build in charts.ROWS.items()}
    return {**content, "claim": tradeoff.claim(drawn["tradeoff"]) if drawn["tradeoff"] else None, "charts": drawn}


def _write_machine(site: Path, machine: MachineResults) -> schema.Machine:
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


def _write_parts(
    site: Path, parts: Iterable[tuple[IndexRow, list[Change], Mapping[str, Any]]]
) -> tuple[list[IndexRow], list[list[Change]]]:
    """Write the files of each part; return each part's row of the index, and its steps."""
    rows, steps = [], []
    for row, own, files in parts:
        for path, content in files.items():
            _write(site / path, content)
        rows.append(row)
        steps.append(own)
    return rows, steps


def _backends(measured: Iterable[str]) -> list[str]:
    """Return every backend of the library, then the backends that occur only in results."""
    return [*BACKENDS, *sorted(set(measured) - BACKENDS.keys() - {""})]


def _index(
    machines: list[schema.Machine],
    releases: list[schema.Compiler],
    commits: list[schema.CommitMachine],
    backends: list[str],
    unread: list[Unread],
    has_history: bool,
    diffs: str | None,
) -> schema.Index:
    kernels = {kernel for machine in (*machines, *commits) for kernel in machine["kernels"]}
    kernels |= {kernel for compiler in releases for own in compiler["charts"].values() for kernel in own}
    return {
        "generated": records.now(),
        "kernels": [catalogue.kernel(name) for name in sorted(kernels)],
        "backends": [catalogue.backend(name) for name in backends],
        "machines": sorted(machines, key=lambda machine: machine["newest"], reverse=True),
        "changes": "data/changes.json",
        "environments": "data/environments.json",
        "gate": "data/gate.json",
        "rivals": "data/rivals.json",
        "unread": [{"file": problem.file, "reason": problem.reason} for problem in unread],
        "history": names.HISTORY if has_history else None,
        "releases": releases,
        "commits": sorted(commits, key=lambda machine: machine["newest"], reverse=True),
        "diffs": diffs,
    }


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"schema": json_schema.VERSION, **content}, allow_nan=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")
