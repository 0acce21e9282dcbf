"""A compiler's output, and its time: wall seconds by stage, and processor seconds including child processes."""

import os
import resource
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Artifacts:
    """What a compiler made of a source."""

    texts: Mapping[str, str] = field(default_factory=dict)  # by the compiler's name of the stage (jaxpr, PTX ...), in order
    counts: Mapping[str, int] = field(default_factory=dict)  # operations, fusions, bytes ...: the same on every run


@dataclass(frozen=True)
class Stages:
    """The wall seconds of one compilation, by stage and as a whole; empty without a compiler."""

    seconds: Mapping[str, float] = field(default_factory=dict)  # by the compiler's names of its stages, in order, no overlap
    total: float | None = None  # around all of it
    cpu_seconds: float | None = None  # the processor's, of all threads and child processes in that time

    @property
    def other(self) -> float | None:
        """Return the wall seconds of the whole that are in no stage."""
        return None if self.total is None else self.total - sum(self.seconds.values())


class Clock:
    """A clock that starts when it is made. ``lap`` ends a stage; ``stages`` ends the whole."""

    def __init__(self) -> None:
        self._laps: dict[str, float] = {}
        self._cpu = _running_seconds() + _own_seconds()  # in this order: the scan of /proc is no part of a compilation
        self._begin = self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End the stage of this name, which began when the previous one ended."""
        now = time.perf_counter()
        self._laps[stage], self._last = now - self._last, now

    def stages(self, seconds: Mapping[str, float] | None = None) -> Stages:
        """Return the stages up to now: the laps, or ``seconds`` if the compiler has its own clocks."""
        total = time.perf_counter() - self._begin
        return Stages(self._laps if seconds is None else seconds, total, cpu_seconds() - self._cpu)


def cpu_seconds() -> float:
    """Return the processor seconds of this process, of its ended children, and, on Linux, of running children, because a
    pool of compilers outlives the compilation. Linux counts running processes in ticks of 10 ms.
    """
    return _own_seconds() + _running_seconds()


def _own_seconds() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _running_seconds() -> float:
    """Return the seconds of running descendants, including their ended children. The scan of /proc takes processor time of
    this process."""
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for directory in PROCESSES.glob("[0-9]*"):
        try:
            fields = (directory / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError, PermissionError):  # it has ended, or is hidden (hidepid)
            continue
        process = int(directory.name)
        children.setdefault(int(fields[1]), []).append(process)
        seconds[process] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # utime stime cutime cstime; proc(5)
    descendants = list(children.get(os.getpid(), []))
    for process in descendants:  # the list grows
        descendants += children.get(process, [])
    return sum(seconds[process] for process in descendants)
