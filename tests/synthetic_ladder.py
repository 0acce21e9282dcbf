"""A synthetic ladder of releases in the format of the site's data (docs/site-data.md). Nothing is measured."""

import datetime
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels import charts

Row = dict[str, Any]
BACKENDS = ("numba", "numba_parallel")
SIZES = {"philox_pi": (1_000, 1_000_000, 10_000_000), "mandelbrot": (250_000,), "dense_relu": (1_024,), "mlp_train": (256,)}
LEVEL = {  # seconds for each unit of a size
    "philox_pi": 2e-9,
    "mandelbrot": 3e-7,
    "dense_relu": 2e-6,
    "mlp_train": 4e-5,
}
FAILED, BROKEN = 7, 3  # places of a release that cannot be installed, and of one with a failed case
SPIKE, MENDED, WORSE = 10, 12, 16  # places: twice as slow from SPIKE to MENDED; a tenth slower from WORSE
REASON = "ERROR: Could not find a version that satisfies the requirement llvmlite==0.41.0"
WHY = "LoweringError: Failed in nopython mode pipeline (step: native lowering)"
STAGES = {"frontend": 0.2, "type inference": 0.3, "lowering": 0.25, "LLVM": 0.6, "other": 0.05}
COUNTS = {
    "instructions": (520, {5: 560, MENDED: 480}),
    "calls": (4, {MENDED: 3}),
    "vector_width": (4, {}),
    "blocks": (31, {}),
}
SHARED = ("release", "order", "published", "status", "reason")  # of a release, in a kernel's file
COMMAND = "asv --config asv.releases.json run --environment rung-numba --record-samples --bench philox_pi cccccccc^!"
COMMANDED = "make releases COMPILER=numba ONLY={} COMMIT=" + "c" * 40 + " AGAIN=1"


def write(site: Path, machine: str = "vm", count: int = 20, rename: Callable[[str], str] = str) -> Row:
    """Write the files of a ladder without duets into a site and return the compiler's. rename: is applied to each text."""
    ladder = SyntheticLadder(machine, count, rename, timed=False)
    directory = site / "data" / machine / "releases"
    files = {kernel: f"data/{machine}/releases/numba/{place}.json" for place, kernel in enumerate(ladder.contents)}
    content = {**ladder.content, "kernels": files}
    for kernel, file in files.items():
        _put(site / file, ladder.contents[kernel])
    _put(directory / "numba.json", content)
    index = json.loads((site / "data" / "index.json").read_text())
    index["releases"] = [
        {
            "machine": machine,
            "compiler": ladder.compiler,
            "package": ladder.compiler,
            "file": f"data/{machine}/releases/numba.json",
            "count": count,
            "newest": ladder.releases[-1]["release"],
            "duets": 0,
            "processor": None,
            "cores": None,
            "charts": {},
        }
    ]
    _put(site / "data" / "index.json", index)
    return content


class SyntheticLadder:
    """content: the compiler's file without its kernels. contents: the files of kernels, by name. timed: True if times have
    steps, as in duets."""

    def __init__(self, machine: str, count: int, rename: Callable[[str], str], timed: bool = True) -> None:
        self.machine, self.rename, self.compiler = machine, rename, rename("numba")
        self.timed = timed
        self.chance = random.Random(7)
        self.releases = [self._release(place) for place in range(count)]
        kernels = {kernel: self._kernel(kernel) for kernel in SIZES}
        steps = [step for kernel in kernels.values() for one in kernel["series"] for step in one["steps"]]
        content = {
            "schema": 1,
            "machine": machine,
            "compiler": self.compiler,
            "package": self.compiler,
            "backends": [rename(backend) for backend in BACKENDS],
            "reference": self.releases[-2]["release"],
            "versions": [release["release"] for release in self.releases],
            "releases": self.releases,
            "sources": [self._source()],
            "steps": sorted(steps, key=lambda step: -step["order"]),
            "drift": self._drift(),
        }
        self.contents = {rename(kernel): content for kernel, content in kernels.items()}
        everything = {**content, "kernels": self.contents}
        drawn = {name: charts.LADDER_ROWS[name](everything) for name in ("release_factors", "drift")}
        self.content = {**content, "charts": drawn}
        for kernel in self.contents.values():
            kernel["charts"] = {name: make(kernel) for name, make in charts.LADDER_ROWS.items() if name not in drawn}

    def _release(self, place: int) -> Row:
        release = self.rename(f"0.{50 + place // 2}.{place % 2}")
        published = (datetime.date(2023, 5, 2) + datetime.timedelta(days=47 * place)).isoformat()
        failed, broken = place == FAILED, place == BROKEN
        return {
            "release": release,
            "order": place,
            "published": published,
            "status": "failed" if failed else "ok",
            "reason": self.rename(REASON) if failed else None,
            "source": None if failed else 0,
            "measured": None if failed else f"2026-11-20T{place:02d}:30:00Z",
            "cells": None if failed else {"measured": 40, "empty": 2, "failed": int(broken), "afresh": 3 * broken},
            "command": self.rename(COMMANDED.format(release)),
            "drift": {"warm": self._noise(0.02), "cold": self._noise(0.03)},
            "c": None if failed else self._noise(0.01),
        }

    def _kernel(self, kernel: str) -> Row:
        series = []
        for backend in BACKENDS:
            for size in SIZES[kernel]:
                series.append(self._series(kernel, backend, size, "warm_seconds", LEVEL[kernel] * size))
                series.append(
                    self._series(kernel, backend, size, "error", 1.642 / size**0.5 if kernel == "philox_pi" else 2e-7)
                )
            if kernel == "philox_pi":
                series.append(self._series(kernel, backend, 1_000, "cold_seconds", 0.9))
                series += [self._series(kernel, backend, 1_000, f"stages.{name}", level) for name, level in STAGES.items()]
                series += [
                    self._series(kernel, backend, 1_000, f"counts.{name}", level) for name, (level, _) in COUNTS.items()
                ]
        return {
            "schema": 1,
            "machine": self.machine,
            "compiler": self.compiler,
            "kernel": self.rename(kernel),
            "releases": [{key: one[key] for key in SHARED} for one in self.releases],
            "size": "points",
            "sources": [self._source()],
            "series": series,
            "commits": self._commits(kernel),
        }

    def _series(self, kernel: str, backend: str, size: int, figure: str, level: float) -> Row:
        group = {"warm_seconds": "warm", "cold_seconds": "cold", "error": "accuracy"}.get(figure, figure.partition(".")[0])
        timed = group in ("warm", "cold", "stages")
        shared = {
            "backend": self.rename(backend),
            "size": size,
            "figure": figure,
            "group": group,
            "unit": "seconds" if timed else "",
            "direction": "lower",
            "exact": not timed,
            "interpreted": False,
            "benchmark": self.rename(f"{kernel}.{group.title()}.time_call"),
        }
        points = []
        for place, release in enumerate(self.releases):
            if place == FAILED or (place == BROKEN and (backend, figure) == ("numba_parallel", "warm_seconds")):
                continue
            value = level * (self._shape(backend, figure, place) * self._noise(0.008) if timed else 1)
            value = self._exact(figure, value, place)
            spread = (value * 0.985, value * 1.02) if group in ("warm", "cold") else (None, None)
            points.append(
                {
                    "release": release["release"],
                    "order": place,
                    "value": value,
                    "low": spread[0],
                    "high": spread[1],
                    "samples": 12 if timed else None,
                    "settled": place != 4 if group == "warm" else None,
                    "raw": value * 1.01,
                    "source": 0,
                    "command": COMMAND,
                    "measured": "2026-11-20T03:30:00Z",
                }
            )
        missing = []
        if len(points) == len(self.releases) - 2:
            release = self.releases[BROKEN]["release"]
            missing.append({"release": release, "order": BROKEN, "status": "failed", "reason": self.rename(WHY)})
        steps = [self._step(kernel, shared, points, place) for place in self._moves(backend, figure)]
        return {
            **shared,
            "points": points,
            "missing": missing,
            "steps": steps,
        }

    def _shape(self, backend: str, figure: str, place: int) -> float:
        if figure != "warm_seconds":
            return 1.4 - 0.02 * place if figure == "cold_seconds" else 1.0
        slow = 2.0 if SPIKE <= place < MENDED and backend == "numba" else 1.0
        return slow * (1.1 if place >= WORSE else 1.0) * (0.6 if backend == "numba_parallel" else 1.0)

    def _exact(self, figure: str, value: float, place: int) -> float:
        family, _, name = figure.partition(".")
        if family != "counts":
            return value * (1.5 if figure == "error" and place >= MENDED else 1)
        level, changes = COUNTS[name]
        return next((changes[at] for at in sorted(changes, reverse=True) if place >= at), level)

    def _moves(self, backend: str, figure: str) -> list[int]:
        places = {
            "warm_seconds": [] if not self.timed else [SPIKE, MENDED, WORSE] if backend == "numba" else [WORSE],
            "error": [MENDED],
        }
        places |= {f"counts.{name}": sorted(changes) for name, (_, changes) in COUNTS.items()}
        return [place for place in places.get(figure, ()) if place < len(self.releases)]

    def _step(self, kernel: str, shared: Row, points: list[Row], place: int) -> Row:
        after = next(point for point in points if point["order"] == place)
        before = points[points.index(after) - 1]
        factor = after["value"] / before["value"] if before["value"] else None
        ends = (None, None) if shared["exact"] or factor is None else (factor * 0.97, factor * 1.03)
        return {
            "kind": "release",
            "kernel": self.rename(kernel),
            "cell": [shared["backend"], shared["size"]],
            **{key: value for key, value in shared.items() if key != "interpreted"},
            "from": before["release"],
            "to": after["release"],
            "published": self.releases[place]["published"],
            "order": place,
            "before": before["value"],
            "after": after["value"],
            "factor": factor,
            "low": ends[0],
            "high": ends[1],
            "commits_differ": place == MENDED,
        }

    def _commits(self, kernel: str) -> list[Row]:
        curves = []
        for backend in BACKENDS:
            for size in SIZES[kernel]:
                level = LEVEL[kernel] * size * (0.6 if backend == "numba_parallel" else 1.0)
                points = [
                    {
                        "order": order,
                        "commit": f"{order + 1:08x}",
                        "date": f"2026-11-{order + 1:02d}T12:00:00Z",
                        "subject": self.rename("Begin"),
                        "value": level * (1.3 if order < 6 else 1.1) * self._noise(0.01),
                    }
                    for order in range(18)
                ]
                shared = {"backend": self.rename(backend), "size": size, "figure": "warm_seconds", "unit": "seconds"}
                curves.append({**shared, "points": points})
        return curves

    def _drift(self) -> Row:
        turns = [
            {
                "at": f"2026-11-20T{4 * order:02d}:05:00Z",
                "order": order,
                "warm": self._noise(0.02),
                "cold": self._noise(0.03),
            }
            for order in range(6)
        ]
        return {"turns": turns, **{life: max(abs(turn[life] - 1) for turn in turns) for life in ("warm", "cold")}}

    def _source(self) -> Row:
        return {
            "commit": "c" * 40,
            "short": "c" * 8,
            "subject": self.rename("Measure the ladder"),
            "date": "2026-11-19T00:00:00Z",
            "environment": self.rename("rung-numba"),
            "python": "3.11",
            "requirements": {"numpy": "2.4.6", "numba": "0.61.2"},
            "mismatches": [],
            "cold": False,
            "installed": {self.rename(backend): {"numba": "0.61.2", "llvmlite": "0.44.0"} for backend in BACKENDS},
            "processor": "A processor",
            "cores": 2,
            "threads": dict.fromkeys(map(self.rename, BACKENDS), 2),
            "device": "cpu",
            "library": "0.1.0",
            "file": "vm/cccccccc-rung-numba.json",
        }

    def _noise(self, spread: float) -> float:
        return self.chance.gauss(1, spread)


def _put(path: Path, content: Row) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, allow_nan=False))
