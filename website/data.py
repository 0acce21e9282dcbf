"""``site/data``: stored results as the files that pages read. docs/site-data.md describes them.

The files are strict JSON in UTF-8. Text from results and commits is not escaped for HTML, because pages show it as text.
"""

import datetime
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from heapq import merge
from pathlib import Path
from typing import Any, TypeVar, cast

from history.store import duets, release_lines
from history.store import results as stored
from history.store.release_lines import ArtifactsLine, PartLine, ReleaseDuetLine
from history.store.results import Unread
from jitkernels import charts
from jitkernels.backends.table import BACKENDS
from jitkernels.charts import tradeoff
from website.across.rivals import rivals
from website.commits import files as commit_files
from website.commits.files import MachineCommits
from website.read import catalogue, changes, gate, machines, matrix, names, points, ranking, rows, runs
from website.read.benchmarks import Find
from website.read.changes import MOST
from website.read.commits import History, iso
from website.read.machines import Environments, MachineResults
from website.read.names import Machine
from website.read.points import Point
from website.read.runs import Runs
from website.releases import drift, outcomes
from website.releases import files as release_files
from website.releases.files import CompilerReleases
from website.schema import index as schema
from website.schema import json_schema
from website.schema.kernels import Environments as EnvironmentsFile
from website.schema.kernels import KernelFile
from website.schema.releases import Change, Changes

SCHEMA = 1
Line = TypeVar("Line", ReleaseDuetLine, PartLine | ArtifactsLine)


def write(site: Path, results: Path, history: History, find: Find, unread: Iterable[Unread] = ()) -> list[Unread]:
    """Write ``site/data`` and ``site/schema`` anew, and return what could not be read.

    results: a copy of all stored results. unread: what could not be copied; it is returned too.
    """
    lost, environments, ladder, curves = list(unread), Environments(), outcomes.Ladder(history), changes.Curves()
    newest: dict[Machine, points.Points] = {}
    for origin in points.read(results, history, lost):
        has_newer_file = environments.add(origin)
        ladder.add(origin)
        curves.add(origin, find)
        points.add_newest(newest.setdefault(origin.result.machine, {}), origin, find, has_newer_file)
    ladder.add_failures(results, lost)
    lines, pairs = duets.lines(results, lost), release_lines.duets(results, lost)
    ladder.add_duets(pairs)
    ranked = runs.read(results, history, lost)
    ids = machines.directories([*environments.machines(), *ranked, *(line["machine"] for line in (*lines, *pairs))])
    described = stored.machine_files(results)
    compilers = _compilers(ladder, ids, results, pairs, history, lost)
    shutil.rmtree(site / "data", ignore_errors=True)
    json_schema.write(site / "schema")
    measured = {machine: list(cases.values()) for machine, cases in newest.items() if cases}
    index = [
        _machine(
            site, MachineResults(ids[each], each, measured.get(each, []), described.get(each, {}), ranked.get(each, {}))
        )
        for each in dict.fromkeys([*measured, *ranked])
    ]
    entries, steps = _releases(site, compilers, curves, find)
    commits, confirmed = _commits(site, commit_files.machines(lines, ids, history, find, lost), entries, steps)
    _write(site / "data" / "changes.json", _changes(confirmed, steps))
    _write(site / "data" / "gate.json", schema.Gate(groups=gate.groups(results, lost)))
    _write(site / "data" / "rivals.json", rivals(ranked, ids))
    _write(site / "data" / "environments.json", EnvironmentsFile(machines=environments.rows(ids)))
    lost = list(dict.fromkeys(lost))  # the copying of results may have named some of these
    everything = (point for own in measured.values() for point in own)
    backends = _backends(everything, (kernels for own in ranked.values() for kernels in own.values()))
    written = (site / names.HISTORY).is_dir()
    _write(site / "data" / "index.json", _index(index, entries, commits, backends, lost, written, history.diffs))
    return lost


def kernel_file(machine: str, kernel: str, points: Sequence[Point], ranked: Runs) -> KernelFile:
    """Return the content of a kernel's file on one machine. ranked: the runs that rank its backends, by size."""
    sources = rows.Sources()
    table = rows.rows(kernel, points, sources)
    cases = ((backend, size) for size, run in ranked.items() for backend in run.line["cells"] | run.line["empty"])
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


def _compilers(
    ladder: outcomes.Ladder,
    ids: Mapping[Machine, str],
    results: Path,
    pairs: Sequence[ReleaseDuetLine],
    history: History,
    lost: list[Unread],
) -> list[CompilerReleases]:
    turns, explanations = drift.read(results, lost), release_lines.steps(results, lost)
    everywhere = {name: release_files.machines(pairs, name, ids) for _, name, _ in ladder.compilers()}
    return [
        CompilerReleases(
            ids[machine],
            machine,
            compiler,
            releases,
            turns.get(machine, []),
            _of(pairs, machine, compiler),
            _of(explanations, machine, compiler),
            history,
            everywhere[compiler],
        )
        for machine, compiler, releases in ladder.compilers()
    ]


def _of(lines: Sequence[Line], machine: Machine, compiler: str) -> list[Line]:
    return [line for line in lines if (line["machine"], line["compiler"]) == (machine, compiler)]


def _machine(site: Path, machine: MachineResults) -> schema.Machine:
    """Write one machine's files, and return its row of the index."""
    kernels = sorted({point.benchmark.kernel for point in machine.points} | machine.runs.keys())
    slugs = names.slugs(kernels, reserved=("matrix",))
    paths = {kernel: f"data/{machine.id}/{slugs[kernel]}.json" for kernel in kernels}
    contents: dict[str, KernelFile] = {}
    for kernel in kernels:
        own = [point for point in machine.points if point.benchmark.kernel == kernel]
        contents[kernel] = kernel_file(machine.id, kernel, own, machine.runs.get(kernel, {}))
        _write(site / paths[kernel], contents[kernel])
    columns = _backends(machine.points, machine.runs.values())
    _write(site / "data" / machine.id / "matrix.json", matrix.matrix(machine.id, contents, columns))
    return machines.row(machine, paths, contents)


def _releases(
    site: Path, compilers: Iterable[CompilerReleases], curves: changes.Curves, find: Find
) -> tuple[list[schema.Compiler], list[Change]]:
    """Write the files of all ladders; return the index's rows, and all steps, newest release first."""
    entries, steps = [], list[Change]()
    for compiler in compilers:
        entry, content, files = compiler.files(curves, find)
        for path, file in files.items():
            _write(site / path, file)
        entries.append(entry)
        steps += map(compiler.change, content["steps"])
    return entries, sorted(steps, key=lambda change: change["to"]["date"] or "", reverse=True)


def _commits(
    site: Path, machines: Iterable[MachineCommits], compilers: Iterable[schema.Compiler], releases: Sequence[Change]
) -> tuple[list[schema.CommitMachine], list[Change]]:
    """Write the files of all machines' commits; return the index's rows, and all steps, newest commit first."""
    entries, steps = [], list[list[Change]]()
    packages = {(compiler["machine"], compiler["compiler"]): compiler["package"] for compiler in compilers}
    for machine in machines:
        pins = machine.lines[-1]["requirements"]
        own = [step for step in releases if step["machine"] == machine.id]
        row, content, files = machine.files([step for step in own if packages[machine.id, step["to"]["compiler"]] in pins])
        for path, file in files.items():
            _write(site / path, file)
        entries.append(row)
        steps.append([cast(Change, {key: step[key] for key in Change.__annotations__}) for step in content])  # type: ignore[literal-required]
    return entries, list(merge(*steps, key=lambda step: step["to"]["date"], reverse=True))


def _changes(commits: list[Change], releases: list[Change]) -> Changes:
    """Return the newest MOST steps between commits and between releases, newest first, and how many are left out."""
    steps = list(merge(commits, releases, key=lambda step: step["to"]["date"] or "", reverse=True))
    return {"changes": steps[:MOST], "left_out": len(steps[MOST:])}


def _backends(points: Iterable[Point], ranked: Iterable[Runs]) -> list[str]:
    """Return every backend of the library, then the backends that occur only in results."""
    known = {point.name.backend for point in points}
    known |= {name for runs in ranked for run in runs.values() for name in run.line["cells"] | run.line["empty"]}
    return [*BACKENDS, *sorted(known - set(BACKENDS) - {""})]


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
        "generated": iso(datetime.datetime.now(datetime.UTC).timestamp()),
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
