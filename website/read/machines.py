"""The machines that results come from: the row of the index of each, and its environments."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jitkernels.machine import is_gpu
from website.read.commits import as_iso
from website.read.names import Machine, directory
from website.read.points import Origin, Point, Points
from website.read.runs import Runs
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
    lines = [line for origin in origins for line in origin.records.backends.values()]
    processor = next((str(line["processor"]) for line in lines if line.get("processor")), None)  # asv stores only the model
    all_runs = (run for own in machine.runs.values() for run in own.values())
    runs = sorted(all_runs, key=lambda run: run.line["began"], reverse=True)
    commits = [each.commit for each in (newest, *runs) if each]
    of_run = next(({"cpu": run.line["processor"], "num_cpu": str(run.line["cores"])} for run in runs), {})
    about = of_run | {key: value for key, value in machine.description.items() if value}
    processor = processor or about.get("cpu")
    return {
        "id": machine.id,
        "name": machine.name,
        "processor": processor,
        "device": "gpu" if processor and is_gpu(processor) else "cpu",
        "cores": about.get("num_cpu"),
        "ram": about.get("ram"),
        "os": about.get("os"),
        "kernels": files,
        "matrix": f"data/{machine.id}/matrix.json",
        "charts": kernels_of_charts(contents),
        "newest": as_iso(commits[0].date),
    }


def environments(origins: Iterable[Origin]) -> list[kernels.MachineEnvironments]:
    """Return each machine's environments, newest first. origins: newest commit first."""
    by_machine: dict[Machine, dict[str, list[Origin]]] = {}
    for origin in origins:
        own = by_machine.setdefault(origin.result.machine, {})
        own.setdefault(origin.result.environment, []).append(origin)
    return [
        {"machine": directory(machine), "environments": [_environment(own) for own in by_name.values()]}
        for machine, by_name in by_machine.items()
    ]


def _environment(origins: Sequence[Origin]) -> kernels.Environment:
    """Return an environment as its newest result describes it."""
    newest = origins[0]
    return {
        "name": newest.result.environment,
        "python": newest.result.python,
        "requirements": dict(newest.result.requirements),
        "installed": newest.records.installed(),
        "results": len({origin.commit.hash for origin in origins}),  # the data set may have a copy of a file
        "newest": newest.commit.row(),
    }
