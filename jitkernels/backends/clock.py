"""Wall seconds by stage, and the processor's seconds, child processes included."""

import os
import resource
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from jitkernels.backends.artifacts import Stages

PROCESSES = Path("/proc")


class Clock:
    """Runs from when it is made. ``lap`` ends a stage; ``stages`` ends the whole."""

    def __init__(self) -> None:
        self._laps: dict[str, float] = {}
        self._cpu = cpu_seconds()
        self._begin = self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """The stage of this name ends here, and began where the one before it ended."""
        now = time.perf_counter()
        self._laps[stage], self._last = now - self._last, now

    def stages(self, seconds: Mapping[str, float] | None = None) -> Stages:
        """The whole up to here; by the laps, or by ``seconds`` where the compiler has clocks of its own."""
        total = time.perf_counter() - self._begin
        return Stages(self._laps if seconds is None else seconds, total, cpu_seconds() - self._cpu)


def cpu_seconds() -> float:
    """Seconds that processors have worked for this process, for its children that have ended, and, on Linux, for those that
    still run: a pool of compilers outlives the compilation. What runs is known to a tick of the kernel's clock, 10 ms.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(_running(os.getpid()))


def _running(parent: int) -> Iterator[float]:
    """Seconds of each descendant that runs, with those of its own children that have ended."""
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for directory in PROCESSES.glob("[0-9]*"):
        try:
            fields = (directory / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # it ended in the meantime
            continue
        process = int(directory.name)
        children.setdefault(int(fields[1]), []).append(process)
        seconds[process] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # utime stime cutime cstime; proc(5)
    found = list(children.get(parent, []))
    for process in found:
        yield seconds[process]
        found += children.get(process, [])
