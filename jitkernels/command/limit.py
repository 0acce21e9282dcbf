"""make limit: how much of the processor each compiler's philox_pi uses.

The limit is the C kernel's own loop over the stream, its ``blocks``, on as many threads as the backend uses.
Backend and limit are measured one right after the other, in several turns, so that other load affects both. Each turn gives
one fraction. A backend is measured as by ``jitkernels time``, with one process for each turn.

Inside the limit's clock: the threads' work and their start. A row is not ok if its backend is unavailable, failed, or
counted other hits than the limit.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from jitkernels import kernels, settings
from jitkernels.backends.table import BACKENDS
from jitkernels.case import DEFAULT_SEED, prepare
from jitkernels.clock import timed
from jitkernels.command import output, tables
from jitkernels.command.arguments import number
from jitkernels.command.output import FAILED, INTERRUPTED, OK
from jitkernels.errors import Unavailable
from jitkernels.kernel import whole_number
from jitkernels.kernels.philox_pi import BLOCKS
from jitkernels.measure import timing
from jitkernels.measure.ranges import KERNEL
from jitkernels.measure.rows import Row

COMPILERS = ["c", "numba", "numba_parallel", "jax", "tensorflow_xla", "torch_inductor"]
PARTS = 16  # parts of the stream for each thread: if one thread is delayed, the others take more parts
CALLS = 5  # calls of the limit in a turn; their median counts
SHOWN = ("backend", "version", "threads", "processor", "hits", "status", "reason")
MEDIANS = ("work_per_second", "limit_per_second", "fraction")

Limit = Callable[[int, int], int]  # (blocks, threads) -> hits


def main() -> int:
    """Print the table or the rows. Return 0 if every backend that runs here counted the limit's hits, 130 if interrupted,
    else 1."""
    parser = argparse.ArgumentParser("limit", description="compare philox_pi on each compiler with C's loop")
    add, repeat = parser.add_argument, "default: the compilers; repeat for several"
    add("-b", "--backend", dest="backends", action="append", choices=list(BACKENDS), metavar="BACKEND", help=repeat)
    add("-n", "--points", type=number, default="4e8", help="a multiple of 4; default: 4e8")
    add("--turns", type=number, default=5, help="default: 5")
    add("--json", action="store_true", help="print only JSON on standard output")
    options = parser.parse_args()
    try:
        points = kernels.load(KERNEL).valid_size(options.points)
        turns = whole_number(options.turns, "turns", 1, 1000)
        settings.device(), settings.threads()  # a wrong one raises ValueError
    except ValueError as error:
        parser.error(str(error))
    if points % 4:
        parser.error(f"points must be a multiple of 4, got {points}")
    try:
        rows = measure(options.backends or COMPILERS, points, turns, build())
    except Unavailable as error:
        parser.exit(FAILED, f"limit: {error.reason}\n")
    except KeyboardInterrupt:
        return INTERRUPTED
    if options.json:
        output.print_json(rows)
    else:
        output.print_part(tables.build(rows, COLUMNS))
    return FAILED if any(row["status"] not in ("ok", "unavailable") for row in rows) else OK


def build() -> Limit:
    """Return the limit, compiled; it runs without Python's lock. Unavailable without a C compiler."""
    count = prepare(KERNEL, "c", 1, spelling=BLOCKS).program
    count(0, 1, DEFAULT_SEED)  # compiles it

    def hits(blocks: int, threads: int) -> int:
        parts = threads * PARTS
        ends = [blocks * part // parts for part in range(parts + 1)]
        with ThreadPoolExecutor(threads) as pool:
            return sum(pool.map(lambda part: count(ends[part], ends[part + 1], DEFAULT_SEED), range(parts)))

    return hits


def measure(backends: Sequence[str], points: int, turns: int, limit: Limit) -> list[Row]:
    """Return one row for each backend. All have their first turn before any has its second."""
    results: dict[str, list[Row]] = {name: [] for name in backends}
    for _ in range(turns):
        for name, rows in results.items():
            if all(turn["status"] == "ok" for turn in rows):  # an unavailable backend has one turn
                rows.append(take_turn(name, points, limit))
    return [fold(rows) for rows in results.values()]


def take_turn(backend: str, points: int, limit: Limit) -> Row:
    """Return the backend's row of ``jitkernels time``, with the limit if it is ok. Other hits make it wrong."""
    (row,) = timing.steps(timing.Request(((KERNEL, points),), (backend,), DEFAULT_SEED))
    if row["status"] == "ok":
        seconds, hits = time_limit(limit, points // 4, row["threads"])
        row |= {"limit_per_second": points / seconds, "fraction": seconds / row["warm_seconds"]}
        if row["hits"] != hits:
            row |= {"status": "wrong", "reason": f"{row['hits']} hits, and the limit {hits}"}
    return row


def time_limit(limit: Limit, blocks: int, threads: int) -> tuple[float, int]:
    """Return the median seconds of CALLS calls after an untimed one, and the hits of the last."""
    limit(blocks, threads)
    calls = [timed(lambda: limit(blocks, threads)) for _ in range(CALLS)]
    return statistics.median(seconds for seconds, _ in calls), calls[-1][1]


def fold(turns: Sequence[Row]) -> Row:
    """Return medians over the turns, and the range of the fraction; None if the last turn was not ok."""
    last = turns[-1]
    row = {"points": last["size"], "turns": len(turns), **{key: last.get(key) for key in SHOWN}}
    if last["status"] != "ok":
        return row | dict.fromkeys((*MEDIANS, "least", "most"))
    medians = {key: statistics.median(turn[key] for turn in turns) for key in MEDIANS}
    fractions = [turn["fraction"] for turn in turns]
    return {**row, **medians, "least": min(fractions), "most": max(fractions)}


COLUMNS: tables.Columns = {
    **tables.plain("backend", "threads"),
    **tables.texts({"Mpoints/s": "work_per_second", "limit": "limit_per_second"}, lambda n: n and f"{n / 1e6:,.0f}"),
    "of the limit": lambda row: row["fraction"] and f"{row['fraction']:.2f}",
    "least to most": lambda row: row["least"] and f"{row['least']:.2f} to {row['most']:.2f}",
    "hits, or what is wrong": lambda row: f"{row['hits']:,}" if row["status"] == "ok" else row["reason"],
}


if __name__ == "__main__":
    sys.exit(main())
