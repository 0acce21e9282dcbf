"""Synthetic lines of duets.jsonl: a machine's duets of commits and their exact figures. Nothing is measured."""

import itertools
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from synthetic import History

from history.store.results import Unread

Row = dict[str, Any]
SECONDS = {"numpy": 2.1e-2, "c": 3.1e-3, "numba": 2.3e-3, "jax": 2.7e-3, "tensorflow_xla": 2.6e-3, "torch_inductor": 4.4e-3}
EXACT = "dense_relu.Lives.track_programs('jax', 20, 'cold')"
RELEASES = ["0.57.0", "0.58.1", "0.59.1", "0.60.0", "0.61.0", "0.62.1", "0.63.1", "0.64.0"]
LADDER_CASES = [
    *(("philox_pi", backend, size) for backend in ("numba", "numba_parallel") for size in (1_000, 1_000_000)),
    ("dense_relu", "numba", 100),
    ("mandelbrot", "numba", 400),
    ("philox_pi", "c", 1_000_000),
]
LEVELS = {  # ratio of each step to the release before
    ("philox_pi", "numba", "0.61.0"): 0.4,
    ("philox_pi", "numba", "0.63.1"): 1.3,
    ("philox_pi", "numba_parallel", "0.61.0"): 0.6,
    ("dense_relu", "numba", "0.61.0"): 0.15,
}
FASTER, SLOWER = 0.2, 1.12  # the ratios of the two steps, of C and of Numba


class DuetHistory(History):
    """A repository of eight commits, "Change 0" to "Change 7", whose only results are lines of duets.jsonl."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, [f"Change {place}" for place in range(8)])

    def read_lines(self, *lines: Row | str, machine: str = "vm") -> list[Unread]:
        """Write a machine's lines and the site's data; return what could not be read."""
        write(self.results, lines, machine)
        return self.read()

    def series(self, backend: str = "c", machine: str = "vm") -> Any:
        """Return a backend's first series of philox_pi."""
        own = self.data(f"{machine}/commits/philox_pi.json")["series"]
        return next(one for one in own if one["backend"] == backend)

    def steps(self) -> list[Any]:
        """Return (subject before, subject after, factor) of each step of the machine vm."""
        steps = self.data("vm/commits/steps.json")["steps"]
        return [(step["from"]["subject"], step["to"]["subject"], step["factor"]) for step in steps]


def case(backend: str, size: int = 1_000_000, kernel: str = "philox_pi") -> str:
    return f"{kernel}.Warm.time_call('{backend}', {size})"


def ratio(value: float, base: float = 1e-3, spread: float = 0.01, pairs: int = 3) -> Row:
    """Return the duet of a case whose commit takes ``value`` times as long as its base."""
    low, high = value * (1 - spread), value * (1 + spread)
    return {
        "ratios": [low, *[value] * (pairs - 2), high],
        "ratio": value,
        "low": low,
        "high": high,
        "base": base,
        "commit": base * value,
    }


def releases(base: str, release: str, cells: Mapping[str, float], hour: int = 0, **more: Any) -> Row:
    """Return a duet of two releases of Numba. cells: the ratio by case."""
    ratios = {name: {**ratio(value, pairs=7), "release": 1e-3 * value} for name, value in cells.items()}
    for cell in ratios.values():
        del cell["commit"]
    named = {"compiler": "numba", "package": "numba", "base": base, "release": release}
    whole = _without_commit(line("a" * 40, hour, said="duet", cells=ratios, **named))
    own = {"base_published": "2026-01-01", "published": "2026-02-01", "began": whole["at"]}
    requirements = {"base_requirements": {"numba": base}, "requirements": {"numba": release}}
    return {**whole, **own, **requirements, **more}


def ladder(machine: str = "vm", name: Callable[[str], str] = str) -> list[Row]:
    """Return the duets of a ladder of Numba: all neighbours, two long ones, and the last neighbours again. One kernel has
    three steps, one none. name: is applied to each release."""
    chance, lines = random.Random(7), []
    first, last = RELEASES[0], RELEASES[-1]
    ends = [*itertools.pairwise(RELEASES), (first, last), (first, RELEASES[4]), (RELEASES[-2], last)]
    for hour, (base, release) in enumerate(ends):
        between = range(RELEASES.index(base) + 1, RELEASES.index(release) + 1)
        cells = {}
        for kernel, backend, size in LADDER_CASES:
            levels = [LEVELS.get((kernel, backend, RELEASES[place]), 1.0) for place in between]
            cells[case(backend, size, kernel)] = math.prod(levels) * chance.gauss(1, 0.004)
        cells["philox_pi.Cold.time_first_call('numba', 1000)"] = chance.gauss(1, 0.02)
        days = {"base_published": _day(base), "published": _day(release)}
        lines.append(releases(name(base), name(release), cells, hour, machine=machine, **days, **_pins(base, release)))
    return lines


def explanations(machine: str = "vm", text: str = f"-  <4 x i64>{'  ' * 90}end\n+  <8 x i64>") -> list[Row]:
    """Return lines of release_steps.jsonl for the step of philox_pi on Numba to release 0.61.0."""
    own, shared = case("numba"), {"compiler": "numba", "base": "0.60.0", "release": "0.61.0", "machine": machine}
    pins = _pins("0.60.0", "0.61.0")
    part = {**shared, "said": "part", "variables": {}, "began": "2026-11-02T00:00:00Z", "reason": None, "cells": {}}
    numpy = {**pins, "requirements": {**pins["base_requirements"], "numpy": "2.1.3"}}
    difference = {
        "counts": {"llvm_instructions": [643, 846], "widest_vector_bits": [256, 512], "assembly_instructions": [982, 982]},
        "stages": {"typed_ir": [0, 0], "llvm": [80, 310]},
        "stage": "llvm",
        "text": f"--- before\n+++ after\n{text}",
        "left_out": 24_746,
    }
    steady = {name: {**ratio(1.003, 2e-3, 0.004, 7), "release": 2.006e-3} for name in (own, case("numba_parallel"))}
    rows = [
        {**part, **numpy, "part": "numpy", "cells": steady},
        {**part, **pins, "part": "llvmlite", "reason": "numba==0.60.0 depends on llvmlite<0.44"},
        {**part, **pins, "part": "runtime", "variables": {"FLAGS": "off"}, "cells": {own: {**ratio(0.4), "release": 1e-3}}},
        {**shared, "said": "artifacts", "began": part["began"], "cells": {own: difference}},
    ]
    return [_without_commit(line("b" * 40, 30 + place, **row)) for place, row in enumerate(rows)]


def _pins(base: str, release: str) -> dict[str, dict[str, str]]:
    names = ("base_requirements", base), ("requirements", release)
    return {
        name: {"numpy": f"2.{version[3:4]}.0", "llvmlite": f"0.{int(version[2:4]) - 17}.0", "numba": version}
        for name, version in names
    }


def _day(release: str) -> str:
    return f"2025-{1 + RELEASES.index(release):02}-15"


def _without_commit(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "commit"}


def line(commit: str, hour: int = 0, machine: str = "vm", **more: Any) -> Row:
    return {
        "schema": 1,
        "commit": commit,
        "suite": commit,
        "machine": machine,
        "processor": "A processor",
        "cores": 2,
        "python": "3.11.7",
        "requirements": {"numba": "0.68.1", "jax": "0.10.2"},
        "at": f"2026-11-{1 + hour // 24:02}T{hour % 24:02}:00:00Z",
        "empty": {},
        **more,
    }


def duet(base: str, commit: str, cells: Mapping[str, Row], hour: int = 0, role: str = "anchor", **more: Any) -> Row:
    began = f"2026-11-{1 + hour // 24:02}T{hour % 24:02}:00:00Z"
    return line(commit, hour, **{"said": "duet", "role": role, "base": base, "began": began, "cells": dict(cells), **more})


def exact(commit: str, cells: Mapping[str, float], hour: int = 0, **more: Any) -> Row:
    return line(commit, hour, said="exact", cells=dict(cells), **more)


def hashes(count: int) -> list[str]:
    """Return hashes in the order in which ``served.site_of`` makes a history of them."""
    return [f"{place:08x}" * 5 for place in range(count)]


def history(commits: Sequence[str], machine: str = "vm", kernels: Sequence[str] = ("philox_pi", "dense_relu")) -> list[Row]:
    """Return lines of a whole history: two steps, an anchor that is replaced in the middle, and an exact figure that
    changes."""
    chance, middle = random.Random(7), len(commits) // 2
    first, second = len(commits) // 3, 2 * len(commits) // 3
    lines = []
    for place, commit in enumerate(commits):
        base = commits[0] if place <= middle else commits[middle]
        cells = {
            case(backend, size, kernel): ratio(level * chance.gauss(1, 0.004), seconds * size / 1e6, 0.008)
            for kernel in kernels
            for size in (1_000_000, 10_000_000)
            for backend, seconds in SECONDS.items()
            for level in [_level(backend, place, first, second) / _level(backend, middle * (place > middle), first, second)]
        }
        if place:
            lines.append(duet(base, commit, cells, place, machine=machine, empty={case("triton"): "no GPU here"}))
        lines.append(exact(commit, {EXACT: 1.0 + (place >= second)}, place, machine=machine))
    for backend, step, place in (("c", FASTER, first), ("numba", SLOWER, second)):
        cells = {case(backend): ratio(step, SECONDS[backend], 0.02, 7), case("jax"): ratio(1.06, SECONDS["jax"], 0.08, 7)}
        lines.append(duet(commits[place - 1], commits[place], cells, place, role="step", machine=machine))
    return lines


def write(results: Path, lines: Sequence[Row | str], machine: str = "vm", file: str = "duets.jsonl") -> Path:
    """Write lines into a file of a machine's directory."""
    path = results / machine / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines))
    return path


def _level(backend: str, place: int, first: int, second: int) -> float:
    if backend == "c" and place >= first:
        return FASTER
    return SLOWER if backend == "numba" and place >= second else 1.0
