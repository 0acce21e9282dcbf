"""``jitkernels pi``: count philox_pi in ranges of blocks, on the processes of a Dask cluster.

A range takes seconds. It counts only when its line is in the ledger on the disk, so a stopped run continues where it was.
Hits are integers of one stream: their sum is the same for any workers, backends and order.
"""

import argparse
import hashlib
import itertools
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, TextColumn

from jitkernels import cluster, kernels, machine, settings
from jitkernels.availability import unavailable
from jitkernels.backends.table import find_backend
from jitkernels.case import DEFAULT_SEED
from jitkernels.command import arguments, ledger, output
from jitkernels.command.ledger import CountError, Ledger
from jitkernels.command.output import OK
from jitkernels.errors import Unavailable
from jitkernels.kernel import one_line, valid_seed, whole_number
from jitkernels.kernels.philox_pi import BLOCKS, MOST_BLOCKS, python
from jitkernels.measure.ranges import KERNEL, count, count_again, speed
from jitkernels.measure.rows import Row
from jitkernels.quantities import seconds as as_seconds

RECOUNT_SECONDS = 60.0  # how long a ledger's parts are counted again in this process
AT_HAND = 2  # fewest ranges queued for each thread of the cluster, so that none waits for this process
MOST_WORKERS, MOST_SECONDS = 1_000, 3_600

Part = tuple[int, int, int, str]  # first and last block, hits, backend


def pi(options: argparse.Namespace) -> int:
    """Count, or check a ledger, and print the estimate. If either fails, print one line and return FAILED."""
    try:
        row = _verify(options) if options.verify else _count(options)
    except (CountError, Unavailable) as error:
        return output.fail(str(error))
    output.print_rows([row], lambda rows: _sentences(rows[0]), options.json)
    return OK


def _count(options: argparse.Namespace) -> Row:
    if options.points is None:
        raise ValueError("give --points, or --verify LEDGER")
    points, backends = _points(options.points), arguments.backends(options.backend or ["c"])
    seed = valid_seed(DEFAULT_SEED if options.seed is None else options.seed)
    seconds = whole_number(20 if options.seconds is None else options.seconds, "seconds", 1, MOST_SECONDS)
    workers = whole_number(machine.cores() if options.workers is None else options.workers, "workers", 1, MOST_WORKERS)
    if not options.scheduler:
        _require_here(backends)
    path = Path(options.ledger or f"pi-{points}-{seed}.jsonl")
    dask = cluster.dask()
    threads = {settings.THREADS: str(settings.threads() or max(1, machine.cores() // workers))}
    with ledger.begin_or_continue(path, points, seed) as book:
        if not book.gaps():
            return _row(book, path, _recount(book))
        with cluster.client(options.scheduler, workers=workers, variables=threads) as client:
            rows = count_ranges(dask, client, book, backends, seconds)
            for row in _with_progress(rows, book):
                book.add(row)
            return _row(book, path, _recount(book, client))


def _points(number: Any) -> int:
    return kernels.load(KERNEL).valid_size(number, BLOCKS)


def _verify(options: argparse.Namespace) -> Row:
    for name in ("backend", "workers", "scheduler", "ledger", "seconds"):
        if getattr(options, name) is not None:
            raise ValueError(f"--verify takes no --{name}")
    given = {"points": (options.points, _points), "seed": (options.seed, valid_seed)}
    expected = {name: valid(number) for name, (number, valid) in given.items() if number is not None}
    path = Path(options.verify)
    book = ledger.read(path)
    for name, number in expected.items():
        if number != book.head[name]:
            raise CountError(f"{path} has {name} {book.head[name]}, not {number}")
    return _row(book, path, _recount(book))


def _require_here(backends: Iterable[str]) -> None:
    """Raise Unavailable if one of the backends does not run here."""
    for name in backends:
        if reason := unavailable(kernels.load(KERNEL), find_backend(name), settings.device()):
            raise Unavailable(f"{name}: {reason}")


def count_ranges(dask: Any, client: Any, book: Ledger, backends: Iterable[str], seconds: int) -> Iterator[Row]:
    """Yield each missing range as soon as it is counted."""
    gaps = book.gaps()
    share = -(-sum(last - first for first, last in gaps) // (AT_HAND * sum(client.nthreads().values())))
    speeds = {name: _result(client.submit(speed, name, pure=False)) for name in backends}
    sizes = {name: max(1, min(share, MOST_BLOCKS, int(seconds * rate))) for name, rate in speeds.items()}
    tasks, running = _cut(gaps, sizes), dask.as_completed()
    while True:
        free = AT_HAND * sum(client.nthreads().values()) - running.count()
        for first, last, name in itertools.islice(tasks, max(0, free)):
            running.add(client.submit(count, first, last, book.head["seed"], name, pure=False, retries=3))
        if running.is_empty():
            return
        yield _result(next(running))


def _cut(gaps: Iterable[tuple[int, int]], sizes: dict[str, int]) -> Iterator[tuple[int, int, str]]:
    """Yield ranges of the gaps for each backend in turn, each of that backend's size."""
    names = itertools.cycle(sizes)
    for first, last in gaps:
        while first < last:
            name = next(names)
            end = min(first + sizes[name], last)
            yield first, end, name
            first = end


def _result(future: Any) -> Any:
    """Return a task's result. Unavailable is a worker's reason; CountError for any other failure."""
    try:
        return future.result()
    except Unavailable:
        raise
    except Exception as error:  # any error of a worker's framework, or Dask's after a worker has died several times
        raise CountError(f"a range was not counted: {one_line(error)}") from error


def _sample(book: Ledger) -> list[Part]:
    """Return random parts of the ranges, together at least a hundredth of the blocks. CountError if any is missing."""
    for first, last in book.gaps():
        raise CountError(f"blocks {first} to {last - 1} are not counted")
    parts = [
        (first, min(first + row["step"], row["last"]), hits, row["backend"])
        for row in book.ranges
        for first, hits in zip(range(row["first"], row["last"], row["step"]), row["parts"], strict=True)
    ]
    random.shuffle(parts)
    counted = itertools.accumulate((last - first for first, last, *_ in parts), initial=0)
    return [part for part, before in zip(parts, counted, strict=False) if 100 * before < book.blocks]


def _recount(book: Ledger, client: Any = None) -> Row:
    """Count a sample again: all of it on the cluster, or without one in this process for RECOUNT_SECONDS."""
    sample, seed = _sample(book), book.head["seed"]
    if client is not None:
        tasks = [client.submit(count_again, *part[:2], seed, part[3], pure=False, retries=3) for part in sample]
        return _compare(zip(sample, map(_result, tasks), strict=True))
    end = time.monotonic() + RECOUNT_SECONDS
    in_time = itertools.chain(sample[:1], itertools.takewhile(lambda part: time.monotonic() < end, sample[1:]))
    return _compare((part, count_again(*part[:2], seed, part[3])) for part in in_time)


def _compare(pairs: Iterable[tuple[Part, Row]]) -> Row:
    """Return how many blocks were counted again, and by which backends. CountError if hits differ from the ledger."""
    blocks, names = 0, set[str]()
    for (first, last, hits, name), row in pairs:
        if row["hits"] != hits:
            other = f"{row['backend']} counts {row['hits']}"
            raise CountError(f"blocks {first} to {last - 1} have {hits} hits in the ledger, by {name}, but {other}")
        blocks, names = blocks + last - first, names | {row["backend"]}
    return {"recounted_points": 4 * blocks, "recounted_by": sorted(names)}


def _with_progress(rows: Iterable[Row], book: Ledger) -> Iterator[Row]:
    """Yield the rows. Show a bar on a terminal and print a line for each elsewhere, both on standard error."""
    is_terminal, begin, total = sys.stderr.isatty(), time.monotonic(), 4 * book.blocks
    counted = before = total - 4 * sum(last - first for first, last in book.gaps())
    columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]} points/s"))
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not is_terminal) as bar:
        task = bar.add_task("counting", total=total, completed=counted, rate="")
        for row in rows:
            yield row
            counted += 4 * (row["last"] - row["first"])
            rate = (counted - before) / (time.monotonic() - begin)
            bar.update(task, completed=counted, rate=f"{rate:.3g}")
            if not is_terminal:
                left = as_seconds((total - counted) / rate)
                print(f"{counted:,} of {total:,} points, {rate:.3g} points/s, {left} left", file=sys.stderr)


def _row(book: Ledger, path: Path, recount: Row) -> Row:
    """Return the summary of a complete ledger."""
    points, seed = book.head["points"], book.head["seed"]
    hits = sum(row["hits"] for row in book.ranges) + python.hits_between(book.blocks, points, seed)
    value, bias = 4 * hits / points, grid_bias()
    return {
        **{"kernel": KERNEL, "points": points, "seed": seed, "hits": hits, "value": value, "bias": bias},
        **{"estimate": value - bias, "standard_error": math.sqrt(math.pi * (4 - math.pi) / points)},
        **{"ranges": len(book.ranges), "backends": sorted({row["backend"] for row in book.ranges}), **recount},
        **{"seconds": sum(row["seconds"] for row in book.ranges), "version": book.head["version"]},
        **{"ledger": str(path), "digest": hashlib.sha256(path.read_bytes()).hexdigest(), "status": "ok"},
    }


def grid_bias() -> float:
    """Return by how much 4 hits / points exceeds pi if every cell (x, y) of the grid is drawn equally often."""
    rest = (2**32 - x * (x + 1) for x in range(2**16))  # y (y + 1) is less than that
    return 4 * sum((math.isqrt(4 * most - 3) - 1) // 2 + 1 for most in rest) / 2**32 - math.pi


def _sentences(row: Row) -> Iterator[str]:
    error = row["standard_error"]
    digits = max(1, 1 - math.floor(math.log10(error)))
    yield f"pi is {row['estimate']:.{digits}f} +- {error:.{digits}f} (the grid's bias of {row['bias']:.2g} is taken out)"
    yield f"{row['hits']:,} hits in {row['points']:,} points of seed {row['seed']}"
    yield f"{row['ranges']:,} ranges by {_names(row['backends'])}, {as_seconds(row['seconds'])} of workers' time"
    part = row["recounted_points"] / row["points"]
    yield f"{part:.2%} of the points counted again by {_names(row['recounted_by'])}: the same hits"
    yield f"{row['ledger']}: SHA-256 {row['digest']}"


def _names(names: list[str]) -> str:
    return ", ".join(names) or "none"
