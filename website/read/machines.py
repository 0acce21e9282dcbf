"""The machines that results come from: the row of the index of each, and its environments."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jitkernels.machine import is_gpu
from website.read.commits import Place
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
    processor = processor or params.get("cpu") or of_run.get("cpu")
    return {
        "id": machine.id,
        "name": machine.name,
        "processor": processor,
        "device": "gpu" if processor and is_gpu(processor) else "cpu",
        "cores": params.get("num_cpu") or of_run.get("num_cpu"),
        "ram": params.get("ram") or None,
        "os": params.get("os") or None,
        "kernels": files,
        "matrix": f"data/{machine.id}/matrix.json",
        "charts": kernels_of_charts(contents),
        "newest": as_iso(commits[0].date),
    }


class Environments:
    """The environments of each machine. An environment's newest result describes it."""

    def __init__(self) -> None:
        self._by_machine: dict[Machine, dict[str, tuple[Place, kernels.Environment, set[str]]]] = {}

    def add(self, origin: Origin) -> bool:
        """Count a result, once for each commit. Return True if its environment already had one."""
        result, place = origin.result, origin.commit.place
        environments = self._by_machine.setdefault(result.machine, {})
        newest, known, commits = environments.get(result.environment, (place, None, set[str]()))
        commits.add(origin.commit.hash)  # the data set may have a copy of the file
        if known and place < newest:
            known["results"] = len(commits)
            return True
        described: kernels.Environment = {
            "name": result.environment,
            "python": result.python,
            "requirements": dict(result.requirements),
            "installed": (known["installed"] if known else {}) | origin.records.installed(),
            "results": len(commits),
            "newest": origin.commit.row(),
        }
        environments[result.environment] = place, described, commits
        return known is not None

    def rows(self) -> list[kernels.MachineEnvironments]:
        """Return each machine's environments, newest first."""
        rows: list[kernels.MachineEnvironments] = []
        for machine, environments in self._by_machine.items():
            ordered = sorted(environments.values(), key=lambda pair: pair[0], reverse=True)
            rows.append({"machine": directory(machine), "environments": [each for _, each, _ in ordered]})
        return rows
