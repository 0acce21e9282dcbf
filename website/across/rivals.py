"""How far each compiler is from the fastest program of another framework, with one thread each, on every machine."""

import statistics
from collections.abc import Iterator, Mapping

from history.store.rankings import Line
from jitkernels import kernels
from jitkernels.backends.table import BACKENDS
from jitkernels.measure.ranking import differ
from website.read.names import Machine, directory
from website.read.runs import Run, Runs
from website.schema import index as schema
from website.schema.values import RankedRun, only


def rivals(ranked: Mapping[Machine, Mapping[str, Runs]]) -> schema.Rivals:
    """Return each compiler's time beside its rival's, from runs with one thread a backend.

    A kernel's size is the largest that all machines have. If they share none, it is each machine's own largest.

    ranked: runs by machine and kernel.
    """
    single = {
        (machine, kernel): {size: run for size, run in runs.items() if run.one_thread}
        for machine, own in ranked.items()
        for kernel, runs in own.items()
    }
    chosen: dict[tuple[Machine, str], Run] = {}
    for (machine, kernel), by_size in single.items():
        if by_size:
            shared = set.intersection(*(set(each) for (_, name), each in single.items() if name == kernel and each))
            chosen[machine, kernel] = by_size[max(shared or by_size)]
    rows = [row for run in chosen.values() if run.one_thread for row in _rows(run.one_thread)]
    on_numbers = [name for name in dict.fromkeys(row["kernel"] for row in rows) if _is_on_numbers(name)]
    return {"machines": [_machine(each, chosen) for each in ranked], "rows": rows, "on_numbers": on_numbers}


def _machine(name: Machine, chosen: Mapping[tuple[Machine, str], Run]) -> schema.Ranked:
    own = [run for (machine, _), run in chosen.items() if machine == name]
    runs = {run.line["began"]: only(RankedRun, run.row()) for run in own}  # the kernels of a run share it
    return {
        "id": directory(name),
        "name": name,
        "processor": own[0].line["processor"] if own else None,
        "kernels": len(own),
        "runs": [runs[began] for began in sorted(runs, reverse=True)],
    }


def _rows(line: Line) -> Iterator[schema.Rival]:
    cells = {backend: cell["seconds"] for backend, cell in line["cells"].items()}
    for backend, seconds in cells.items():
        others = {name: cells[name] for name in cells if _dialect(name) != _dialect(backend)}
        if _kind(backend) == "compiler" and others:
            rival = min(others, key=lambda name: statistics.median(others[name]))
            other = others[rival]
            is_ahead = statistics.median(seconds) < statistics.median(other)
            yield {
                "machine": directory(line["machine"]),
                "kernel": line["kernel"],
                "size": line["size"],
                "backend": backend,
                "seconds": statistics.median(seconds),
                "rival": rival,
                "rival_seconds": statistics.median(other),
                "factor": statistics.median(seconds) / statistics.median(other),
                "low": min(seconds) / max(other),
                "high": max(seconds) / min(other),
                "differs": all(differ(seconds, each) for each in (others.values() if is_ahead else [other])),
            }


def _is_on_numbers(kernel: str) -> bool:
    """True if the kernel's spec promises arguments and each is one number (an array without axes)."""
    arguments = kernels.load(kernel).arguments if kernel in kernels.names() else {}
    return bool(arguments) and not any(array.shape for array in arguments.values())


def _dialect(backend: str) -> str:
    return BACKENDS[backend].dialect if backend in BACKENDS else backend


def _kind(backend: str) -> str:
    return BACKENDS[backend].kind if backend in BACKENDS else "compiler"
