"""The machines that results come from: the row of the index of each, and its environments."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from history.store.results import Result
from website.read.commits import Commit, iso
from website.read.names import Machine, directory
from website.read.points import Origin, Point
from website.read.runs import Runs
from website.schema import index, kernels


class MachineResults(NamedTuple):
    """A machine's points and its runs by kernel. ``described``: the content of its machine.json."""

    name: Machine
    points: Sequence[Point]
    described: Mapping[str, str]
    runs: Mapping[str, Runs]

    @property
    def id(self) -> str:
        return directory(self.name)

    def backends(self) -> set[str]:
        """Return the backends of its points and of its runs."""
        ranked = (name for own in self.runs.values() for run in own.values() for name in run.backends())
        return {point.case.backend for point in self.points}.union(ranked)


def drawn(contents: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return for each chart the kernels that have rows for it. contents: of the kernels' files."""
    charts: dict[str, list[str]] = {}
    for kernel, content in contents.items():
        for chart in filter(content["charts"].get, content["charts"]):
            charts.setdefault(chart, []).append(kernel)
    return charts


def row(machine: MachineResults, files: dict[str, str], contents: Mapping[str, kernels.KernelFile]) -> index.Machine:
    """Return a machine's row of the index. files: each kernel's path. contents: of these files."""
    origins = list({id(point.origin): point.origin for point in machine.points}.values())
    newest = max(origins, key=lambda origin: origin.commit.place, default=None)
    params = {**machine.described, **(newest.result.params if newest else {})}
    lines = [line for origin in origins for line in origin.records.backends.values()]
    processor = next((str(line["processor"]) for line in lines if line.get("processor")), None)  # asv stores only the model
    all_runs = (run for own in machine.runs.values() for run in own.values())
    runs = sorted(all_runs, key=lambda run: run.line["began"], reverse=True)
    commits = [each.commit for each in (newest, *runs) if each]
    own = next(({"cpu": run.line["processor"], "num_cpu": str(run.line["cores"])} for run in runs), {})
    return {
        "id": machine.id,
        "name": machine.name,
        "processor": processor or params.get("cpu") or own.get("cpu"),
        "cores": params.get("num_cpu") or own.get("num_cpu"),
        "ram": params.get("ram") or None,
        "os": params.get("os") or None,
        "kernels": files,
        "matrix": f"data/{machine.id}/matrix.json",
        "charts": drawn(contents),
        "newest": iso(commits[0].date),
    }


class Environments:
    """The environments of each machine: how many results each has, and its newest result."""

    def __init__(self) -> None:
        self._results: dict[Machine, dict[str, tuple[int, Result, Commit, dict[str, dict[str, str]]]]] = {}

    def add(self, origin: Origin) -> bool:
        """Count a result; the newest one describes the environment. Return True if the environment already had a result."""
        result, commit = origin.result, origin.commit
        here = self._results.setdefault(result.machine, {})
        count, newest, last, installed = here.get(result.environment, (0, result, commit, {}))
        if commit.place >= last.place:
            newest, last, installed = result, commit, {**installed, **origin.records.installed()}
        here[result.environment] = count + 1, newest, last, installed
        return count > 0

    def rows(self) -> list[kernels.MachineEnvironments]:
        """Return each machine's environments, newest first."""
        rows: list[kernels.MachineEnvironments] = []
        for machine, environments in self._results.items():
            ordered = sorted(environments.items(), key=lambda item: item[1][2].place, reverse=True)
            own = [_environment(name, *known) for name, known in ordered]
            rows.append({"machine": directory(machine), "environments": own})
        return rows


def _environment(
    name: str, count: int, newest: Result, commit: Commit, installed: dict[str, dict[str, str]]
) -> kernels.Environment:
    return {
        "name": name,
        "python": newest.python,
        "requirements": dict(newest.requirements),
        "installed": installed,
        "results": count,
        "newest": commit.row(),
    }
