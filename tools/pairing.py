"""How far apart two processes of the same code are, by the way in which a pair is measured. ``python tools/pairing.py
--minutes 12`` measures pairs in all ways in turn, and adds them to docs/rows/pairing.jsonl; without minutes it draws the
table of docs/gate.md from what is there. It wants an idle machine with two cores."""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate import calibration, commits, memory, rules, suite, turns
from gate.builds import Side
from gate.measure import Bench, Cell, Process, Samples
from gate.workers import Worker

ROOT = Path(__file__).parents[1]
ROWS, PAGE = ROOT / "docs" / "rows" / "pairing.jsonl", ROOT / "docs" / "gate.md"
BEGIN, END = "<!-- pairing -->\n", "\n<!-- end of pairing -->"
CELLS = (
    r"^(monte_carlo_pi|philox_pi)\.Warm\.time_call\('(c|numba|jax|jax_eager|tensorflow_xla)', 1000000\)$"
    r"|^(black_scholes|mlp_train)\.Warm\.time_call\("
    r"'(c|numba|jax|tensorflow_xla|torch_eager|torch_inductor)', (32|1000000)\)$"
)
TURNS = 6  # of the suite's own samples, where the number of turns is the same for all
Said = dict[Worker, dict[str, Any] | None]


def take(said: Said, workers: list[Worker], cores: list[int | None]) -> None:
    """A sample of each, at once where there are several."""
    for worker, core in zip(workers, cores, strict=True):
        worker.ask({"turn": True, "core": core})
    for worker in workers:
        said[worker] = worker.answer()


def one_after_the_other(said: Said, home: list[int | None]) -> None:
    for worker in said:
        for _ in range(TURNS):
            take(said, [worker], [None])


def in_turn(said: Said, home: list[int | None]) -> None:
    for turn in range(TURNS):
        for worker, core in list(zip(said, home, strict=True))[:: 1 if turn % 2 == 0 else -1]:
            take(said, [worker], [core])


def at_once(said: Said, home: list[int | None]) -> None:
    for _ in range(TURNS):
        take(said, list(said), home)


def at_once_and_swapped(said: Said, home: list[int | None]) -> None:
    for turn in range(TURNS):
        take(said, list(said), home if turn % 2 == 0 else home[::-1])


def in_turn_on_one_core(said: Said, home: list[int | None]) -> None:
    in_turn(said, [home[0]] * len(home))


@dataclass
class Way:
    """``take``: samples of both; None for as many turns as the gate takes, of its length. ``on_cores``: each side keeps to a
    core while it is set up. ``memory``: variables that say where it comes from; None for all that the gate gives."""

    take: Callable[[Said, list[int | None]], None] | None
    on_cores: bool = True
    memory: dict[str, str] | None = field(default_factory=dict)


SMALL_PAGES = {name: value for name, value in memory.GLIBC.items() if name != "GLIBC_TUNABLES"}
WAYS = {
    "one after the other, on all cores": Way(one_after_the_other, on_cores=False),
    "at once, each on a core of its own": Way(at_once),
    "at once, and the cores are swapped each turn": Way(at_once_and_swapped),
    "in turn, each on a core of its own": Way(in_turn),
    "in turn, on the same core": Way(in_turn_on_one_core),
    "in turn, on the same core, with memory kept": Way(in_turn_on_one_core, memory=SMALL_PAGES),
    "in short turns from a warm call, with jemalloc and one hash seed": Way(None, memory=None),
}


class Ways(Bench):
    """Measures each round in the way that ``way`` names."""

    way = ""

    def _variables(self, group: list[Cell], side: Side, how: str) -> dict[str, str]:
        given, own = super()._variables(group, side, how), WAYS[self.way].memory
        if own is None:
            return given
        return {name: given[name] for name in given.keys() - {*memory.kept(), "PYTHONHASHSEED"}} | own

    def _cores(self) -> list[int | None]:
        return super()._cores() if WAYS[self.way].on_cores else [None, None]

    def _request(self, side: Side, cell: Cell, is_shared: bool) -> dict:
        request = super()._request(side, cell, is_shared)
        if WAYS[self.way].take:
            request["turns"] = 1
        return request

    def _measure_in_turn(self, said: Said, core: int | None, care: turns.Care) -> None:
        take = WAYS[self.way].take
        if not take:
            super()._measure_in_turn(said, core, care)
            return
        take(said, [worker.core for worker in said])
        for worker in said:
            worker.ask({"turn": False})
            said[worker] = worker.answer()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=0.0)
    options = parser.parse_args()
    if options.minutes:
        measure(options.minutes * 60)
    PAGE.write_text(filled(PAGE.read_text(), rows()))
    return 0


def measure(seconds: float) -> None:
    """A line for each round in which every way had its turn; what compiles is a round before."""
    head = commits.commit(ROOT, "HEAD")
    where = rules.here([CELLS], 2, 3600.0)
    course = calibration.Calibration(ROOT, head, where)
    course.prepare()
    bench = Ways(course.directory, course.subjects.environment, course.subjects.sides)
    cells = [course.subjects.known[name] for name in suite.selected(list(course.subjects.known), [CELLS])]
    bench.way = "in turn, on the same core"
    bench.round(cells, Samples())
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        line: dict[str, Any] = {**where, "commit": head.hash, "when": time.strftime("%Y-%m-%d", time.gmtime()), "ratios": {}}
        rounds, order = bench.rounds, list(WAYS)
        for bench.way in order if rounds % 2 == 0 else order[::-1]:
            samples, bench.rounds = Samples(), rounds  # the same cores and the same side first
            before = time.monotonic()
            bench.round(cells, samples)
            line["ratios"][bench.way] = {cell.name: ratio(samples, cell) for cell in cells}
            line.setdefault("seconds", {})[bench.way] = round(time.monotonic() - before, 1)
        calibration.keep(ROWS, line)


def ratio(samples: Samples, cell: Cell) -> float:
    """Head over base, as the gate has it."""
    base, head = (process(samples, side, cell).values for side in ("base", "head"))
    return float(f"{turns.ratio(base, head):.4f}")


def process(samples: Samples, side: str, cell: Cell) -> Process:
    return samples.of(side, cell.name)[0]


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ROWS.read_text().splitlines()] if ROWS.exists() else []


def spreads(lines: list[dict[str, Any]], way: str) -> list[float]:
    """By cell: by what fraction processes of one side differ."""
    cells = lines[0]["ratios"][way]
    return [statistics.stdev(math.log(line["ratios"][way][cell]) for line in lines) / math.sqrt(2) for cell in cells]


def filled(text: str, lines: list[dict[str, Any]]) -> str:
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{table(lines) if len(lines) > 2 else 'Not measured yet.'}{END}{rest.partition(END)[2]}"


def table(lines: list[dict[str, Any]]) -> str:
    first, days = lines[0], " to ".join(dict.fromkeys((lines[0]["when"], lines[-1]["when"])))
    said = [
        f"{len(next(iter(first['ratios'].values())))} warm calls, {len(lines)} pairs each and way, all ways in turn; "
        f"{first['processor']}, {first['cores']} cores, {days}.",
        "", "| how a pair is measured | processes differ by: median | largest | 2 % or less | a round |",
        "|---|--:|--:|--:|--:|",
    ]  # fmt: skip
    for way in (way for way in WAYS if way in first["ratios"]):
        found = spreads(lines, way)
        took = statistics.median(line["seconds"][way] for line in lines)
        quiet = f"{sum(spread <= 0.02 for spread in found)} of {len(found)}"
        said.append(
            f"| {way} | {100 * statistics.median(found):.1f} % | {100 * max(found):.0f} % | {quiet} | {took:.0f} s |"
        )
    return "\n".join(said)


if __name__ == "__main__":
    sys.exit(main())
