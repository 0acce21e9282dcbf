"""What the suite itself costs: where a benchmark's process was before its first sample.

Where JITKERNELS_COSTS names a file, each process adds one JSON line to it; ``history/bench.py`` sums them up.
"""

import json
import os
import time
from pathlib import Path

FILE = "JITKERNELS_COSTS"


def process_seconds() -> float:
    """Wall seconds since this process was started, or forked; to a hundredth, which is the kernel's own clock. 0.0 where
    there is no /proc."""
    stat, uptime = Path("/proc/self/stat"), Path("/proc/uptime")
    if not stat.exists():
        return 0.0
    ticks = int(stat.read_text().rpartition(")")[2].split()[19])
    return float(uptime.read_text().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")


class Stopwatch:
    """The seconds of one process, part by part: ``lap`` ends a part, the first of which began with the process."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {"start": process_seconds()}
        self._begin = time.perf_counter()

    def lap(self, part: str) -> None:
        now = time.perf_counter()
        self.seconds[part] = now - self._begin
        self._begin = now

    def save(self, kind: str, **notes: str) -> None:
        """Add a line to the file that is asked for, if one is. kind: of benchmark. notes: what else to say."""
        if file := os.environ.get(FILE):
            with Path(file).open("a") as costs:
                costs.write(json.dumps({"kind": kind, **notes, **self.seconds}) + "\n")
