"""Where the time of a run of the suite went: how much was measurement, and what the rest was."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from history.store import records

PARTS = {  # of a run's time, in the order of a case's life; the names are those that benchmarks/_costs.py writes
    "start": "processes, from their start to a case that is ready to run",
    "framework": "a framework's one-off start before a first call",
    "check": "the first call, compilation included, and the check of its answer",
    "warm_up": "warm-up",
    "samples": "timed samples",
    "figures": "exact figures: answers, counts, errors",
    "rest": "the rest: asv itself, skipped cases, time between calls",
}
MOST = 8  # benchmarks that a summary names
MEASURING = ("warm_up", "samples")


class Spent:
    """A run's seconds by part. Processes of benchmarks write theirs into ``file``, as lines of JSON."""

    def __init__(self, file: Path) -> None:
        self.file = file.resolve()
        self.file.unlink(missing_ok=True)
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.unsettled: list[str] = []
        self.figures: Counter[str] = Counter()  # seconds by benchmark, of exact figures

    def add(self, wall: float, samples: float) -> None:
        """Add a slice of the run. wall: its seconds. samples: of them, in samples. The file has the processes' seconds."""
        parts = dict.fromkeys(PARTS, 0.0) | {"samples": samples}
        for line in records.lines(self.file):
            for part in PARTS:
                parts[part] += line.get(part, 0.0)
            self.unsettled += filter(None, [line.get("unsettled")])
            if "benchmark" in line:  # "beside" ran at the same time as other work, so it is no part of the wall time
                self.figures[line["benchmark"]] += line.get("figures", 0.0) + line.get("beside", 0.0)
        self.file.unlink(missing_ok=True)
        parts["rest"] = max(0.0, wall - sum(parts.values()))
        for part, seconds in parts.items():
            self.seconds[part] += seconds

    def line(self) -> str:
        """Return in words how much of the time so far was measurement."""
        total = sum(self.seconds.values())
        measuring = sum(self.seconds[part] for part in MEASURING)
        return f"{minutes(total)} in all, {measuring / total:.0%} of it in timed samples and warm-up"

    def summary(self) -> Iterable[str]:
        """Yield lines for people."""
        total = sum(self.seconds.values())
        yield f"{self.line()}:"
        for part, meaning in PARTS.items():
            if self.seconds[part]:
                yield f"  {self.seconds[part] / total:4.0%}  {minutes(self.seconds[part])}  {meaning}"
        if dearest := [pair for pair in self.figures.most_common(MOST) if pair[1] >= 1]:
            yield "the exact figures that took longest:"
            yield from (f"  {minutes(seconds)}  {benchmark}" for benchmark, seconds in dearest)
        if self.unsettled:
            yield "calls that had not settled when their samples were taken, by processes:"
            yield from (f"  {count}  {case}" for case, count in Counter(sorted(self.unsettled)).items())


def minutes(seconds: float) -> str:
    """Return minutes and seconds: "12:05"."""
    return "{}:{:02}".format(*divmod(round(seconds), 60))
