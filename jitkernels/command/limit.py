"""make limit: how much of the processor each compiler's philox_pi uses.

The limit is the C kernel's own loop over the stream, its ``count_range``, on as many threads as the backend beside it.
Backend and limit are measured in turn, right after each other, several times over, so that what else goes on in the machine
meets both, and a fraction is taken within a turn. A backend is measured by ``jitkernels time``, one process a turn.

Inside the limit's clock: the threads' work and their start. A row is not ok where a backend is unavailable, failed, or
counted other hits than the limit did.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from jitkernels import source
from jitkernels.backends.c.compiler import FLAGS
from jitkernels.backends.table import BACKENDS
from jitkernels.backends.toolchain import c_compiler, missing
from jitkernels.kernels import load

COMPILERS = ["c", "numba", "numba_parallel", "jax", "tensorflow_xla", "torch_inductor"]
PARTS = 16  # of the stream for each thread: where one is held up, the others take more of them
CALLS = 5  # of the limit a turn; their median is the turn's
SEED = 42

Row = dict[str, Any]
Limit = Callable[[int, int], int]


def main() -> int:
    """Print the table or the rows; 0 when every backend that runs here counted the limit's hits, 1 when not, 2 for usage."""
    options = _parser().parse_args()
    reason = missing("c")
    if reason:
        print(f"limit: {reason}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="jitkernels-limit-") as directory:
        rows = measured(options.backends or COMPILERS, options.points, options.turns, built(Path(directory)))
    if options.json:
        print(json.dumps(rows, indent=1, allow_nan=False))
    else:
        Console().print(table(rows))
    return 1 if any(row["status"] not in ("ok", "unavailable") for row in rows) else 0


def built(directory: Path) -> Limit:
    """The function (blocks, threads) -> hits, compiled as the C backend compiles; ctypes calls it without Python's lock."""
    library = directory / "limit.so"
    file = source.path("philox_pi", "c")
    subprocess.run([str(c_compiler()), *FLAGS, "-fPIC", "-shared", str(file), "-o", str(library)], check=True)
    count = ctypes.CDLL(str(library)).count_range
    count.argtypes, count.restype = [ctypes.c_uint64] * 3, ctypes.c_uint64

    def hits(blocks: int, threads: int) -> int:
        parts = threads * PARTS
        ends = [blocks * part // parts for part in range(parts + 1)]
        with ThreadPoolExecutor(threads) as pool:
            return sum(pool.map(lambda part: count(ends[part], ends[part + 1], SEED), range(parts)))

    return hits


def measured(backends: list[str], points: int, turns: int, limit: Limit) -> list[Row]:
    """One row a backend. All have their first turn before any has its second."""
    found: dict[str, list[Row]] = {name: [] for name in backends}
    for _ in range(turns):
        for name, answers in found.items():
            if all(answer["status"] == "ok" for answer in answers):  # what is not there is asked for once
                answers.append(turn(name, points, limit))
    return [folded(answers) for answers in found.values()]


def turn(backend: str, points: int, limit: Limit) -> Row:
    """The answer of ``jitkernels time``; where it is ok, the limit beside it and what part of the limit it is."""
    command = [
        sys.executable,
        "-m",
        "jitkernels",
        "time",
        "philox_pi",
        "-b",
        backend,
        "-n",
        str(points),
        "--seed",
        str(SEED),
    ]
    text = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, text=True).stdout
    row: Row = json.loads(text)[0]
    if row["status"] == "ok":
        seconds, hits = timed(limit, points // 4, row["threads"])
        row |= {"limit_per_second": points / seconds, "fraction": seconds / row["warm_seconds"]}
        if row["hits"] != hits:
            row |= {"status": "wrong", "reason": f"{row['hits']} hits, and the limit {hits}"}
    return row


def timed(limit: Limit, blocks: int, threads: int) -> tuple[float, int]:
    """Median seconds of CALLS calls after one that is not timed, and the hits."""
    hits, seconds = limit(blocks, threads), []
    for _ in range(CALLS):
        begin = time.perf_counter()
        limit(blocks, threads)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), hits


def folded(answers: list[Row]) -> Row:
    """The medians over the turns, with the least and the most of the fraction; figures are None where one was not ok."""
    last = answers[-1]
    keys = ("backend", "version", "threads", "processor", "hits", "status", "reason")
    row: Row = {"points": last["size"], "turns": len(answers), **{key: last.get(key) for key in keys}}
    figures = {key: [answer[key] for answer in answers if answer["status"] == "ok"] for key in MEDIANS}
    good = last["status"] == "ok"
    row |= {key: statistics.median(values) if good else None for key, values in figures.items()}
    fractions = figures["fraction"]
    return row | {"least": min(fractions) if good else None, "most": max(fractions) if good else None}


MEDIANS = ("work_per_second", "limit_per_second", "fraction")


def table(rows: list[Row]) -> Table:
    """A backend a line; points per second in millions."""
    made = Table("backend", "threads", "Mpoints/s", "limit", "of the limit", "least to most", "hits, or what is wrong")
    for row in rows:
        made.add_row(row["backend"], *figures(row), f"{row['hits']:,}" if row["status"] == "ok" else row["reason"])
    return made


def figures(row: Row) -> Iterator[str]:
    if row["status"] != "ok":
        yield from [str(row["threads"] or ""), *[""] * 4]
        return
    yield str(row["threads"])
    yield from (f"{row[key] / 1e6:,.0f}" for key in ("work_per_second", "limit_per_second"))
    yield f"{row['fraction']:.2f}"
    yield f"{row['least']:.2f} to {row['most']:.2f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="limit", description="each compiler's philox_pi as a part of the processor's limit"
    )
    parser.add_argument("-b", "--backend", dest="backends", action="append", choices=list(BACKENDS), metavar="BACKEND",
                        help="repeatable; default: the compilers")  # fmt: skip
    parser.add_argument("-n", "--points", type=_points, default=400_000_000, help="a multiple of 4; default 4e8")
    parser.add_argument("--turns", type=_turns, default=5, help="default 5")
    parser.add_argument("--json", action="store_true", help="the rows, as JSON alone on standard output")
    return parser


def _points(text: str) -> int:
    number = _whole(text)
    if number % 4 or number not in load("philox_pi").sizes:
        raise argparse.ArgumentTypeError(f"must be a multiple of 4 from 4 to 2^40, got {text}")
    return number


def _turns(text: str) -> int:
    number = _whole(text)
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(f"must be from 1 to 1000, got {text}")
    return number


def _whole(text: str) -> int:
    """1e6 and 1_000_000 too; 0 for what is no whole number that fits 64 bits."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return 0
    return int(number) if number.is_finite() and number.adjusted() < 19 and number == number.to_integral_value() else 0


if __name__ == "__main__":
    sys.exit(main())
