"""The rows of ``jitkernels aot``: one for each form of each cell, every step in a process of its own.

For each form: built; loaded and checked; called with another shape; then, in turns with the just-in-time compiler,
loaded and called for the clock. All caches are temporary directories: in the first turn the just-in-time compiler finds
nothing compiled, in later ones what it keeps by itself.
"""

import contextlib
import itertools
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jitkernels import machine, settings
from jitkernels.backends import caches
from jitkernels.backends import forms as aot
from jitkernels.backends.forms import Form
from jitkernels.measure import worker
from jitkernels.measure.worker import Row

TURNS = 3  # processes a side; the median of three forgives one that was disturbed
LEAST_FREE = 500_000_000  # bytes: Inductor's caches with their precompiled headers take the most
MODULE = "jitkernels.measure.aot_process"
MEASURED = (
    "version", "value", "error", "build_seconds", "bytes", "import_seconds", "load_seconds", "first_call_seconds",
    "answer_seconds", "jit_answer_seconds", "warm_seconds", "warm_quartiles", "jit_warm_seconds", "jit_warm_quartiles",
    "ratio", "ratio_quartiles", "first_calls", "first_calls_spread", "jit_first_calls", "jit_first_calls_spread",
    "other_shape", "other_shape_reason", "programs", "imports", "front_end", "facts", "threads",
)  # fmt: skip


@dataclass(frozen=True)
class Request:
    """What to measure. cells: kernels with their sizes. out: where the files go, or None for a temporary directory."""

    cells: tuple[tuple[str, int], ...]
    backends: tuple[str, ...]
    seed: int
    out: Path | None = None


def rows(request: Request) -> Iterator[Row]:
    """One row for each form of each backend, for each cell.

    Raises ValueError, in one line, where the files cannot be kept.
    """
    with _room(request.out) as room:
        for (kernel, size), backend in itertools.product(request.cells, request.backends):
            yield from Cell(kernel, size, backend, request.seed, room, TURNS).rows()


class Cell:
    """One kernel on one backend: its forms, and the just-in-time compiler that they are compared with, in so many turns."""

    def __init__(self, kernel: str, size: int, backend: str, seed: int, room: Path, turns: int = TURNS) -> None:
        self.kernel, self.size, self.backend, self.seed = kernel, size, backend, seed
        self.room, self.turns = room, turns

    def rows(self) -> Iterator[Row]:
        forms = aot.forms(self.backend)
        with tempfile.TemporaryDirectory(prefix="jitkernels-aot-") as scratch:
            made = {form: self.built(form, Path(scratch)) for form in forms}
            good = [form for form in forms if made[form]["status"] == "ok" and not form.unrun]
            turns = [self._turn(good, Path(scratch)) for _ in range(self.turns)] if good else []
        for form in forms:
            yield _row(self._blank(form), made[form], [(turn[form], turn[None]) for turn in turns if form in turn])

    def _blank(self, form: Form) -> Row:
        cell = {"kernel": self.kernel, "backend": self.backend, "form": form.name, "size": self.size, "seed": self.seed}
        described = {"built": form.built, "left": form.left, "platform": form.platform}
        here = {"device": settings.device(), "processor": machine.processor()}
        return {**cell, **here, "status": "ok", "reason": None, **dict.fromkeys(MEASURED), **described}

    def built(self, form: Form, scratch: Path) -> Row:
        """Built, checked, and asked for another shape; the first that is not ok ends it."""
        row: Row = {"status": "ok", "reason": None}
        for task in ("build",) if form.unrun else ("build", "check", "other_shape"):
            answer = self.ask(task, form, scratch)
            if task == "other_shape" and answer["status"] == "failed":  # its process died: the answer to the question
                answer = {"other_shape": "crashed", "other_shape_reason": answer["reason"]}
            row.update(answer)
            if row["status"] != "ok":
                return row
        return {**row, "reason": form.unrun or None}

    def _turn(self, forms: Sequence[Form], scratch: Path) -> dict[Form | None, Row]:
        """One process for each form, and one for the just-in-time compiler (None)."""
        jit = self.ask("just_in_time", None, scratch)
        return {None: jit, **{form: self.ask("clock", form, scratch) for form in forms}}

    def ask(self, task: str, form: Form | None, scratch: Path) -> Row:
        """One task of ``process``, with caches in ``scratch``, which is for one cell."""
        options, environment = self.order(task, form, scratch)
        request = {"module": MODULE, "task": task, "backend": self.backend, "seed": self.seed, "options": options}
        return next(worker.ask({**request, "cells": [(self.kernel, self.size)]}, environment))

    def order(self, task: str, form: Form | None, scratch: Path) -> tuple[dict[str, str], dict[str, str]]:
        """The task's options, and the variables of its process."""
        if form is None:
            return {}, caches.variables(scratch / "just_in_time")
        place = self.room / f"{self.kernel}-{self.size}-{form.backend}-{form.name}"
        place.mkdir(exist_ok=True)
        own = caches.variables(place if form.is_cache else scratch / task / form.name, form.is_cache)
        return {"form": form.name, "directory": str(place)}, own


def _row(row: Row, made: Row, turns: list[tuple[Row, Row]]) -> Row:
    """Every key of the format; what was not measured is None."""
    versions = made.pop("versions", {})
    row.update(made, version=", ".join(f"{package} {version}" for package, version in versions.items()) or None)
    bad = next((answer for turn in turns for answer in turn if answer["status"] != "ok"), None)
    if bad:
        row.update(status=bad["status"], reason=bad["reason"])
    elif turns:
        row.update(_figures(turns))
    return row


def _figures(turns: list[tuple[Row, Row]]) -> Row:
    """Medians over the turns; the first calls are those of the first turn, where both sides find empty caches.

    answer_seconds: to the first answer of a new process: import, load, and the first call; with the just-in-time compiler
    import, start, and the first call of the first turn. ratio: warm seconds of the loaded program over those of the
    just-in-time compiler's, each sample of one with each of the other of the same turn; their median and quartiles.
    """
    loaded, jit = zip(*turns, strict=True)
    warm, jit_warm = ([sample for turn in side for sample in turn["samples"]] for side in (loaded, jit))
    ratios = [mine / its for one, other in turns for mine in one["samples"] for its in other["samples"]]
    figures: Row = {}
    for name, samples in {"warm": warm, "jit_warm": jit_warm}.items():
        lower, figures[f"{name}_seconds"], upper = statistics.quantiles(samples, n=4)
        figures[f"{name}_quartiles"] = [lower, upper]
    lower, figures["ratio"], upper = statistics.quantiles(ratios, n=4)
    first, jit_first = loaded[0]["first_calls"], jit[0]["first_calls"]
    return {
        **figures,
        "ratio_quartiles": [lower, upper],
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


def _answer_seconds(turn: Row) -> float:
    return float(sum(turn.get(f"{step}_seconds", 0.0) for step in ("import", "start", "load")) + turn["first_calls"][0])


@contextlib.contextmanager
def _room(out: Path | None) -> Iterator[Path]:
    """The directory for the files: ``out``, or a temporary one; ValueError where there can be none.

    A temporary one is needed in either case, for caches.
    """
    place = out
    try:
        place = out or Path(tempfile.gettempdir())
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):  # os.access says yes to root even on a read-only file system
            free = min(shutil.disk_usage(directory).free for directory in (place, tempfile.gettempdir()))
    except OSError as error:
        raise ValueError(f"cannot keep files in {place or 'a temporary directory'}: {error.strerror}") from None
    if free < LEAST_FREE:
        raise ValueError(f"cannot keep files in {place}: {free / 1e6:.0f} MB are free, {LEAST_FREE / 1e6:.0f} are needed")
    if out is None:
        with tempfile.TemporaryDirectory(prefix="jitkernels-aot-") as directory:
            yield Path(directory)
        return
    if any(out.iterdir()):
        raise ValueError(f"cannot keep files in {out}: there are some already, and a compiler might take them for its own")
    yield out
