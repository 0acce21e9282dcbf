"""How far each compiler is from the fastest program of another framework, with one thread each, on every machine."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from jitkernels.backends.table import BACKENDS
from jitkernels.measure.ranking import differ
from website.read.names import Machine
from website.read.runs import Run, Runs
from website.schema import index as schema


def rivals(runs: Mapping[tuple[Machine, str], Runs], ids: Mapping[Machine, str]) -> schema.Rivals:
    """Return each compiler's time beside its rival's, of runs that gave one thread to each backend, at the largest size that
    all machines have, else at each machine's own.

    runs: by machine and kernel. ids: the machines' directories.
    """
    sizes = {key: {size for size, run in own.items() if run.one_thread} for key, own in runs.items()}
    ranked: dict[tuple[str, str], Run] = {}
    for (machine, kernel), own in sizes.items():
        shared = set.intersection(*(each for (_, name), each in sizes.items() if name == kernel and each)) if own else own
        if own:
            ranked[ids[machine], kernel] = runs[machine, kernel][max(shared or own)]
    machines = {ids[machine]: machine for machine, _ in runs}
    rows = [row for (machine, kernel), run in ranked.items() for row in _rows(machine, kernel, run)]
    return {"machines": [_machine(each, name, ranked) for each, name in machines.items()], "rows": rows}


def _machine(id_: str, name: Machine, ranked: Mapping[tuple[str, str], Run]) -> schema.Ranked:
    lines = [run.line for (machine, _), run in ranked.items() if machine == id_]
    return {"id": id_, "name": name, "processor": lines[0]["processor"] if lines else None, "kernels": len(lines)}


def _rows(machine: str, kernel: str, run: Run) -> Iterator[schema.Rival]:
    line = run.one_thread
    cells = {backend: cell["seconds"] for backend, cell in (line["cells"] if line else {}).items()}
    for backend, seconds in cells.items():
        others = {name: cells[name] for name in cells if _dialect(name) != _dialect(backend)}
        if _kind(backend) == "compiler" and others and line:
            rival = min(others, key=lambda name: statistics.median(others[name]))
            yield {
                "machine": machine,
                "kernel": kernel,
                "size": line["size"],
                "backend": backend,
                "seconds": statistics.median(seconds),
                "rival": rival,
                "rival_seconds": statistics.median(others[rival]),
                **_factor(seconds, others[rival]),
                "differs": differ(seconds, others[rival]),
            }


def _factor(own: Sequence[float], other: Sequence[float]) -> schema.Factor:
    """Return the ratio of the medians, and what the processes of both allow."""
    medians = statistics.median(own) / statistics.median(other)
    return {"factor": medians, "low": min(own) / max(other), "high": max(own) / min(other)}


def _dialect(backend: str) -> str:
    return BACKENDS[backend].dialect if backend in BACKENDS else backend


def _kind(backend: str) -> str:
    return BACKENDS[backend].kind if backend in BACKENDS else "compiler"
