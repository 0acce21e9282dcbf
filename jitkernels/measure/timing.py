"""The rows of ``jitkernels check`` and ``jitkernels time``: one for each case, measured backend by backend."""

import functools
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jitkernels import clock, kernels, settings
from jitkernels.backends import caches
from jitkernels.kernel import RUN
from jitkernels.measure import lives, process, steady
from jitkernels.measure.process import Start, Started
from jitkernels.measure.rows import LIVES, Row, version


@dataclass(frozen=True)
class Request:
    """What to measure.

    sizes: kernels with a size each, measured on every backend. lives: those of ``lives.LIVES`` to measure beside the warm
    call. processes: how many give samples of each case. spellings: a backend and a spelling each, instead of ``backends``
    with the spelling that every kernel has. timeout: seconds after which a process that gives no answer is stopped.
    register: that of the processes' requests.
    """

    sizes: tuple[tuple[str, int], ...]
    backends: tuple[str, ...]
    seed: int
    lives: tuple[str, ...] = ()
    processes: int = 1
    spellings: tuple[tuple[str, str], ...] = ()
    timeout: float | None = None
    register: str = ""

    @property
    def variants(self) -> tuple[tuple[str, str], ...]:
        """The backends, each with a spelling."""
        return self.spellings or tuple((backend, RUN) for backend in self.backends)

    @property
    def start(self) -> Start:
        """How its processes start: those of a user's functions print nothing, and have the timeout."""
        is_quiet = bool(self.spellings)
        return functools.partial(Started, is_quiet=is_quiet, timeout=self.timeout, register=self.register)


def checks(request: Request) -> Iterator[Row]:
    """Yield one row for each case. One process checks all of a backend's: most checks are shorter than an import."""
    for variant in request.variants:
        for row in _answers(request, variant, "tasks.check"):
            versions = row.pop("versions", {})
            yield {"version": version(versions), "value": None, "error": None, **row}


def rows(request: Request) -> Iterator[Row]:
    """Yield one row for each case, backend by backend.

    With one process for each backend, a row comes when its backend is measured. With several, all backends have their first
    before any has its second, so that what changes on the machine in the meantime meets all of them; rows come at the end.
    """
    with tempfile.TemporaryDirectory(prefix="jitkernels-warm-") as directory:
        # What the user has compiled before is neither used nor touched.
        environment = caches.variables(Path(directory))
        for answers in _all_answers(request, environment):
            yield _row(request, answers)


def _all_answers(request: Request, environment: Mapping[str, str]) -> Iterator[list[Row]]:
    """Yield what each case's processes answered."""
    if request.processes == 1:
        for variant in request.variants:
            # All of a backend's first: while a life is measured, no other process may measure the next case.
            yield from [[answer] for answer in _answers(request, variant, "tasks.warm", environment)]
        return
    turns = [
        [answer for variant in request.variants for answer in _answers(request, variant, "tasks.warm", environment)]
        for _ in range(request.processes)
    ]
    yield from map(list, zip(*turns, strict=True))


def _answers(
    request: Request, variant: tuple[str, str], task: str, environment: Mapping[str, str] | None = None
) -> Iterator[Row]:
    """Yield the answers of one process, each with the case's names, of which the request may name the spelling."""
    backend, spelling = variant
    named = {"spelling": spelling} if request.spellings else {}
    calls = [
        {"kernel": kernel, "backend": backend, "size": size, "seed": request.seed, **named} for kernel, size in request.sizes
    ]
    for call, answer in zip(calls, process.ask(task, calls, environment, request.start), strict=True):
        ending = {"status": answer["status"], "reason": answer["reason"]}
        yield {**call, "device": settings.device(), **ending, **answer["figures"]}


def _row(request: Request, answers: Sequence[Row]) -> Row:
    """Return the row with every key; what was not measured is None."""
    answer = _pooled(answers)
    samples, versions = answer.pop("samples", None), answer.pop("versions", {})
    times = clock.summary(samples) if samples else None
    spec = kernels.load(answer["kernel"])
    row = {
        "version": version(versions),
        "value": None,
        "error": None,
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
    if row["status"] == "ok":
        lives.add(row, request.lives, request.start)
    return row


def _pooled(answers: Sequence[Row]) -> Row:
    """Return one answer with the samples of all, settled if all are; the first that is not ok, where one is not."""
    for answer in answers:
        if answer["status"] != "ok":
            return {**answer, "settled": None}
    verdicts = [steady.settled(answer["first_calls"]) for answer in answers]
    settled = next((verdict for verdict in (False, None) if verdict in verdicts), True)
    return {**answers[0], "settled": settled, "samples": [sample for answer in answers for sample in answer["samples"]]}
