"""The rows of ``jitkernels check`` and ``jitkernels time``: one for each case, measured backend by backend."""

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jitkernels import clock, kernels, settings
from jitkernels.backends import caches
from jitkernels.backends.table import find_backend
from jitkernels.kernel import RUN
from jitkernels.measure import process, roof, steady
from jitkernels.measure.process import Start, Started
from jitkernels.measure.rows import LIVES, PROCESS, Row, without_figures

Case = tuple[tuple[str, int], tuple[str, str]]  # a kernel with a size, and a backend with a spelling


@dataclass(frozen=True)
class Request:
    """What to measure."""

    sizes: tuple[tuple[str, int], ...]  # pairs of kernel and size, measured on every backend
    backends: tuple[str, ...]
    seed: int
    lives: tuple[str, ...] = ()  # those of ``lives.LIVES`` to measure beside the warm call
    processes: int = 1  # how many give samples of each case
    spellings: tuple[str, ...] = ()  # of each backend, in order; without them, the one that every kernel has
    start: Start = Started  # how the processes start

    @property
    def variants(self) -> tuple[tuple[str, str], ...]:
        """The backends, each with a spelling."""
        return tuple(zip(self.backends, self.spellings or [RUN] * len(self.backends), strict=True))

    @property
    def steps(self) -> int:
        """The most steps that there can be: the rows, and the answers of each process if there are several."""
        of_a_case = 1 if self.processes == 1 else self.processes + 1
        return len(self.variants) * len(self.sizes) * of_a_case


def checks(request: Request) -> Iterator[Row]:
    """Yield one row for each case. One process checks all cases of a backend, because most checks are shorter than an
    import."""
    for variant in request.variants:
        for row in _answers(request, variant, "tasks.check"):
            yield {"version": None, "value": None, "error": None, **row}


def steps(request: Request) -> Iterator[Row]:
    """Yield what a progress bar counts (``Request.steps``): one row for each case, backend by backend; and, if the request
    has several processes, the answer of each process for a case, with its number as PROCESS.

    With one process for each backend, a row comes when its backend is measured. With several, all backends have their first
    process before any has its second, so that changes of the machine affect all backends; rows come at the end. A failed
    case is not measured again. ``lives.steps`` measures the other lives of a call.
    """
    with tempfile.TemporaryDirectory(prefix="jitkernels-warm-", ignore_cleanup_errors=True) as directory:
        # The user's own caches are neither used nor touched.
        environment = caches.variables(Path(directory))
        if request.processes == 1:
            # All answers of a backend first: while a life is measured, no other process may measure.
            for variant in request.variants:
                for answer in list(_answers(request, variant, "tasks.warm", environment)):
                    yield row_of([answer])
            return
        answers: dict[Case, list[Row]] = {(size, variant): [] for variant in request.variants for size in request.sizes}
        for process_number in range(1, request.processes + 1):
            for variant in request.variants:
                left = tuple(size for size in request.sizes if all(a["status"] == "ok" for a in answers[size, variant]))
                remaining = replace(request, sizes=left)
                for size, answer in zip(left, _answers(remaining, variant, "tasks.warm", environment), strict=True):
                    answers[size, variant].append(answer)
                    yield {**answer, PROCESS: f"process {process_number}"}
        for each in answers.values():
            yield row_of(each)


def _answers(
    request: Request, variant: tuple[str, str], task: str, environment: Mapping[str, str] | None = None
) -> Iterator[Row]:
    """Yield the answers of one process, each with the case's names; the request may name the spelling. Where a warm program
    depends on the sizes before it, there is another process for each further size of a kernel."""
    backend, spelling = variant
    named = {"spelling": spelling} if request.spellings else {}
    calls = [
        {"kernel": kernel, "backend": backend, "size": size, "seed": request.seed, **named} for kernel, size in request.sizes
    ]
    groups: list[list[Row]] = [[]]
    for call in calls:
        is_further = any(call["kernel"] == each["kernel"] for each in groups[-1])
        if is_further and task == "tasks.warm" and find_backend(backend).remembers_sizes:
            groups.append([])
        groups[-1].append(call)
    answers = (answer for group in groups for answer in process.ask(task, group, environment, request.start))
    for call, answer in zip(calls, answers, strict=True):
        ending = {"status": answer["status"], "reason": answer["reason"]}
        yield {**call, "device": settings.device(), **ending, **answer["figures"]}


def row_of(answers: Sequence[Row]) -> Row:
    """Return the row of a case's answers with every key; None for what was not measured."""
    answer = _pool(answers)
    samples = answer.pop("samples", None)
    times = clock.summary(samples) if samples else None
    spec = kernels.load(answer["kernel"])
    row = {
        **dict.fromkeys(("version", "threads", "interpreted", "processor", "value", "error")),
        "first_calls": None,
        **answer,
        "warm_seconds": times and times.median,
        "warm_quartiles": times and list(times.quartiles),
        "warm_samples": samples and len(samples),
        "warm_processes": [statistics.median(each["samples"]) for each in answers] if samples else None,
        **dict.fromkeys(LIVES),
        "work_per_second": spec.work(answer["size"]) / times.median if times else None,
        "work_unit": spec.work_unit or spec.unit,
    }
    roof.add(row, spec)
    return without_figures(row) if row["status"] == "wrong" else row


def _pool(answers: Sequence[Row]) -> Row:
    """Return one answer with the samples of all, settled if all are; or the first that is not ok."""
    for answer in answers:
        if answer["status"] != "ok":
            return {**answer, "settled": None}
    verdicts = [steady.settled(answer["first_calls"]) for answer in answers]
    settled = next((verdict for verdict in (False, None) if verdict in verdicts), True)
    return {**answers[0], "settled": settled, "samples": [sample for answer in answers for sample in answer["samples"]]}
