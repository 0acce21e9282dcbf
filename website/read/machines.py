"""The machines that results come from: the row of the index of each, and its environments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from history.store.results import Result
from website.read.commits import Commit
from website.read.names import Machine, directory
from website.read.points import Origin, Point, Points
from website.read.runs import Runs
from website.read.times import as_iso
from website.schema import index, kernels


class MachineResults(NamedTuple):
    """A machine's points and its runs by kernel. ``description``: the content of its machine.json."""

    name: Machine
    points: Sequence[Point]
    description: Mapping[str, str]
    runs: Mapping[str, Runs]

    @property
    def id(self) -> str:
        return directory(self.name)

    def backends(self) -> set[str]:
        """Return the backends of its points and of its runs."""
        ranked = (name for own in self.runs.values() for run in own.values() for name in run.backends())
        return {point.case.backend for point in self.points}.union(ranked)


def results(
    newest: Mapping[Machine, Points],
    rankings: Mapping[Machine, Mapping[str, Runs]],
    descriptions: Mapping[Machine, Mapping[str, str]],
) -> list[MachineResults]:
    """Return each machine that has points, or runs of kernels in ``rankings``. descriptions: of machine.json files."""
    points = {machine: list(cases.values()) for machine, cases in newest.items() if cases}
    return [
        MachineResults(name, points.get(name, []), descriptions.get(name, {}), rankings.get(name, {}))
        for name in dict.fromkeys([*points, *rankings])
    ]


def kernels_of_charts(contents: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
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
    params = {**machine.description, **(newest.result.params if newest else {})}
    lines = [line for origin in origins for line in origin.records.backends.values()]
    processor = next((str(line["processor"]) for line in lines if line.get("processor")), None)  # asv stores only the model
    all_runs = (run for own in machine.runs.values() for run in own.values())
    runs = sorted(all_runs, key=lambda run: run.line["began"], reverse=True)
    commits = [each.commit for each in (newest, *runs) if each]
    of_run = next(({"cpu": run.line["processor"], "num_cpu": str(run.line["cores"])} for run in runs), {})
    return {
        "id": machine.id,
        "name": machine.name,
        "processor": processor or params.get("cpu") or of_run.get("cpu"),
        "cores": params.get("num_cpu") or of_run.get("num_cpu"),
        "ram": params.get("ram") or None,
        "os": params.get("os") or None,
        "kernels": files,
        "matrix": f"data/{machine.id}/matrix.json",
        "charts": kernels_of_charts(contents),
        "newest": as_iso(commits[0].date),
    }


@dataclass
class Environment:
    """An environment on a machine: its newest result describes it. ``installed``: versions by backend and package.
    ``results``: how many it has."""

    newest: Result
    commit: Commit
    installed: dict[str, dict[str, str]] = field(default_factory=dict)
    results: int = 0

    def add(self, origin: Origin) -> None:
        """Count a result."""
        self.results += 1
        if origin.commit.place >= self.commit.place:
            self.newest, self.commit = origin.result, origin.commit
            self.installed |= origin.records.installed()

    def row(self) -> kernels.Environment:
        """Return what pages show of it."""
        return {
            "name": self.newest.environment,
            "python": self.newest.python,
            "requirements": dict(self.newest.requirements),
            "installed": self.installed,
            "results": self.results,
            "newest": self.commit.row(),
        }


class Environments:
    """The environments of each machine."""

    def __init__(self) -> None:
        self._by_machine: dict[Machine, dict[str, Environment]] = {}

    def add(self, origin: Origin) -> bool:
        """Count a result. Return True if its environment already had one."""
        result = origin.result
        environments = self._by_machine.setdefault(result.machine, {})
        is_known = result.environment in environments
        environments.setdefault(result.environment, Environment(result, origin.commit)).add(origin)
        return is_known

    def rows(self) -> list[kernels.MachineEnvironments]:
        """Return each machine's environments, newest first."""
        rows: list[kernels.MachineEnvironments] = []
        for machine, environments in self._by_machine.items():
            ordered = sorted(environments.values(), key=lambda each: each.commit.place, reverse=True)
            rows.append({"machine": directory(machine), "environments": [each.row() for each in ordered]})
        return rows
