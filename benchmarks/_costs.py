"""The suite's own costs: what a benchmark's process does before its first sample.

If JITKERNELS_COSTS names a file, each process adds a line of JSON to it. ``history/bench.py`` sums the lines up.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

FILE = "JITKERNELS_COSTS"


def process_seconds() -> float:
    """Return wall seconds since this process was started or forked, to a hundredth (the kernel's clock). 0.0 without
    /proc."""
    stat, uptime = Path("/proc/self/stat"), Path("/proc/uptime")
    if not stat.exists():
        return 0.0
    ticks = int(stat.read_text().rpartition(")")[2].split()[19])
    return float(uptime.read_text().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")


class Stopwatch:
    """The seconds of one process by parts. ``lap`` ends a part. The first part began with the process."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: dict[str, float] = {"start": process_seconds()}
        self._clock, self._begin = clock, clock()

    def lap(self, part: str) -> None:
        now = self._clock()
        self.seconds[part] = now - self._begin
        self._begin = now

    def save(self, kind: str, **notes: str) -> None:
        """Add a line to the file that JITKERNELS_COSTS names, if any. kind: of benchmark. notes: further fields."""
        if file := os.environ.get(FILE):
            with Path(file).open("a") as costs:
                costs.write(json.dumps({"kind": kind, **notes, **self.seconds}) + "\n")
