"""The rows of ``jitkernels aot``: one for each form of each case, every step in a process of its own.

A form (a kind of file) is built; loaded and checked; called with another shape; then loaded and timed, in turns with the
just-in-time compiler. All caches are temporary directories. In the first turn the just-in-time compiler finds empty caches,
in later turns what it has stored there.
"""

import itertools
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jitkernels import machine, settings
from jitkernels.backends import caches
from jitkernels.backends.forms import Form, forms_of
from jitkernels.measure import process
from jitkernels.measure.process import Start, Started
from jitkernels.measure.rows import AHEAD_OF_TIME, Row
from jitkernels.measure.timing import Request

TURNS = 3  # processes a side: the median of three tolerates a disturbed one
LEAST_FREE = 500_000_000  # bytes: Inductor's caches, with precompiled headers, need most


def rows(request: Request, out: Path | None = None, turns: int = TURNS) -> Iterator[Row]:
    """Yield one row for each form of each backend, for each kernel. out: directory of the files; None for a
    temporary one. Raises ValueError, in one line, if files cannot be stored there.
    """
    _require_space(out)
    with tempfile.TemporaryDirectory(prefix="jitkernels-aot-", ignore_cleanup_errors=True) as directory:
        for (kernel, size), backend in itertools.product(request.sizes, request.backends):
            yield from Comparison(kernel, size, backend, request.seed, out or Path(directory), turns).rows()


@dataclass
class Comparison:
    """One case: its forms, compared with the just-in-time compiler in ``turns`` turns."""

    kernel: str
    size: int
    backend: str
    seed: int
    directory: Path
    turns: int = TURNS
    # makes the process for a task and a form (None: the just-in-time compiler)
    start: Callable[[str, Form | None], Start] = field(default=lambda task, form: Started)

    def rows(self) -> Iterator[Row]:
        """Yield one row for each form."""
        with tempfile.TemporaryDirectory(prefix="jitkernels-aot-", ignore_cleanup_errors=True) as text:
            scratch = Path(text)
            built = {form: self.build(form, scratch) for form in forms_of(self.backend)}
            good = [form for form, row in built.items() if row["status"] == "ok" and not form.unrun]
            turns = [self._turn(good, scratch) for _ in range(self.turns)] if good else []
        for form, row in built.items():
            yield self._row(form, row, [(turn[form], turn[None]) for turn in turns if form in turn])

    def build(self, form: Form, scratch: Path) -> Row:
        """Build the form, check it, and call it with another shape; stop at the first step that is not ok."""
        row: Row = {"status": "ok", "reason": None}
        for task in ("build",) if form.unrun else ("build", "check", "other_shape"):
            answer = self.ask(task, form, scratch)
            if task == "other_shape" and answer["status"] == "failed":  # its process died, so the answer is no
                return {**row, "other_shape": "crashed", "other_shape_reason": answer["reason"]}
            row.update(answer["figures"])
            if answer["status"] != "ok":
                return {**row, "status": answer["status"], "reason": answer["reason"]}
        return {**row, "reason": form.unrun or None}

    def _turn(self, good: Sequence[Form], scratch: Path) -> dict[Form | None, Row]:
        """Ask one process for the just-in-time compiler (None), then one for each form."""
        return {form: self.ask("clock" if form else "just_in_time", form, scratch) for form in (None, *good)}

    def ask(self, task: str, form: Form | None, scratch: Path) -> Row:
        """Return the answer to one of ``aot_tasks``. ``scratch``: for this case's caches."""
        case = {"kernel": self.kernel, "backend": self.backend, "size": self.size, "seed": self.seed}
        if form is None:
            environment = caches.variables(scratch / "just_in_time")
        else:
            place = self.directory / f"{self.kernel}-{self.size}-{form.backend}-{form.name}"
            place.mkdir(exist_ok=True)
            case |= {"form": form.name, "directory": str(place)}
            environment = caches.variables(place if form.is_cache else scratch / task / form.name, form.is_cache)
        return process.ask_once(f"aot_tasks.{task}", case, environment, self.start(task, form))

    def _row(self, form: Form, built: Row, turns: list[tuple[Row, Row]]) -> Row:
        """Return the row with every key; None for what was not measured."""
        row = {
            **{"kernel": self.kernel, "backend": self.backend, "form": form.name, "size": self.size, "seed": self.seed},
            **{"device": settings.device(), "processor": machine.processor()},
            **dict.fromkeys(AHEAD_OF_TIME),
            **{"built": form.built, "left": form.left, "platform": form.platform},
            **built,
        }
        for answer in itertools.chain.from_iterable(turns):
            if answer["status"] != "ok":
                return {**row, "status": answer["status"], "reason": answer["reason"]}
        if turns:
            row.update(_figures([loaded["figures"] for loaded, _ in turns], [jit["figures"] for _, jit in turns]))
        return row


def _figures(loaded: list[Row], jit: list[Row]) -> Row:
    """Return medians over the turns; first calls are those of the first turn, where both sides find empty caches.

    answer_seconds: until the first answer of a new process: import, load and first call; for the just-in-time compiler
    import, and the first call of the first turn. ratio: warm seconds of the loaded program over those of the
    just-in-time compiler: median and quartiles over all pairs of samples of the same turn.
    """
    ratios = [
        mine / its for one, other in zip(loaded, jit, strict=True) for mine in one["samples"] for its in other["samples"]
    ]
    first, jit_first = loaded[0]["first_calls"], jit[0]["first_calls"]
    return {
        **_quartiles("warm_seconds", "warm_quartiles", [sample for turn in loaded for sample in turn["samples"]]),
        **_quartiles("jit_warm_seconds", "jit_warm_quartiles", [sample for turn in jit for sample in turn["samples"]]),
        **_quartiles("ratio", "ratio_quartiles", ratios),
        "import_seconds": statistics.median(turn["import_seconds"] for turn in loaded),
        "load_seconds": statistics.median(turn["load_seconds"] for turn in loaded),
        "first_call_seconds": statistics.median(turn["first_calls"][0] for turn in loaded),
        "answer_seconds": statistics.median(map(_answer_seconds, loaded)),
        "jit_answer_seconds": _answer_seconds(jit[0]),
        "first_calls": first,
        "first_calls_spread": max(first) / statistics.median(first),
        "jit_first_calls": jit_first,
        "jit_first_calls_spread": max(jit_first) / statistics.median(jit_first),
        **{name: loaded[0][name] for name in ("imports", "front_end", "threads")},
    }


def _quartiles(median: str, quartiles: str, values: list[float]) -> Row:
    lower, middle, upper = statistics.quantiles(values, n=4)
    return {median: middle, quartiles: [lower, upper]}


def _answer_seconds(turn: Row) -> float:
    return float(sum(turn.get(f"{step}_seconds", 0.0) for step in ("import", "load")) + turn["first_calls"][0])


def _require_space(out: Path | None) -> None:
    """Raise ValueError if files cannot be stored in ``out``, or in a temporary directory, which caches need in any case."""
    for place in filter(None, (out, Path(tempfile.gettempdir()))):
        if reason := caches.unwritable(place):
            raise ValueError(f"cannot keep files in {place}: {reason}")
        if (free := shutil.disk_usage(place).free) < LEAST_FREE:
            need = f"{free / 1e6:.0f} MB are free, {LEAST_FREE / 1e6:.0f} are needed"
            raise ValueError(f"cannot keep files in {place}: {need}")
    if out and any(out.iterdir()):
        raise ValueError(f"cannot keep files in {out}: it is not empty, and a compiler might take its files for its own")
