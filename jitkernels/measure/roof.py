"""The machine's roof: its highest rate of arithmetic and of moving bytes (Williams, Waterman, Patterson, "Roofline", CACM
52, 2009).

Arithmetic: fused multiply-adds of float32 in registers. Bytes: STREAM's triad over as many bytes as a call's arrays have, so
that both lie in the same cache or in memory. Both are C, built by the system's compiler, on as many threads as the call.
The highest of a few measurements counts; they are kept in this library's cache directory. They are minutes apart, because a
host may run two of a machine's processors on one core for a while: both together are then hardly faster than one.
"""

import array
import contextlib
import ctypes
import functools
import json
import platform
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from jitkernels import files, machine
from jitkernels.backends import caches
from jitkernels.backends.c import shared_object
from jitkernels.errors import Unavailable
from jitkernels.kernel import Kernel
from jitkernels.measure.rows import Row

SOURCE = Path(__file__).with_suffix(".c")
MEASUREMENTS, APART = 5, 60.0  # of a figure on a machine, and the fewest seconds between two
SAMPLES = 100  # the fastest counts: other load can only slow a sample down
SAMPLE_SECONDS = 0.003  # short enough to fit between two interruptions
LEAST, MOST = 2**14, 2**28  # bytes of a triad's arrays: in the nearest cache, and in memory
KNOWN = ("x86_64", "aarch64", "arm64")
LINE = 16  # floats in a line of a cache, which is also the widest vector
TURNS = 2**14  # of the loop of multiply-adds: a tenth of a millisecond


def add(row: Row, kernel: Kernel) -> None:
    """Give the row ``roof`` and ``fraction_of_roof``, the roof's seconds over its warm seconds; None without a roof."""
    row["roof"] = roof = of(kernel, row["size"], row) if row["warm_seconds"] else None
    row["fraction_of_roof"] = roof["seconds"] / row["warm_seconds"] if roof else None


def of(kernel: Kernel, size: int, process: Mapping[str, Any]) -> Row | None:
    """Return the two roofs above one call of a process, as rates, and the call's cost, ``flop`` and ``bytes``.

    ``by``: the nearer roof, "flop" or "bytes". ``seconds``: the shortest possible time of the call. process: with "device",
    "interpreted" and "threads". None on another device than the processor, in an interpreter, if the kernel names no cost,
    or without a C compiler.
    """
    threads = process.get("threads")
    if process.get("device") != "cpu" or process.get("interpreted") or not (threads and kernel.cost):
        return None
    try:
        threads = min(threads, machine.cores())  # more have no more processors
        rates = {"flop_per_second": flop_rate(threads), "bytes_per_second": byte_rate(threads, kernel.array_bytes(size))}
    except Unavailable:
        return None
    flop, moved = map(float, kernel.cost(size))
    seconds = {"flop": flop / rates["flop_per_second"], "bytes": moved / rates["bytes_per_second"]}
    by = max(seconds, key=lambda name: seconds[name])
    return {"by": by, "seconds": seconds[by], "flop": flop, "bytes": moved, **rates}


def flop_rate(threads: int) -> float:
    """Return float32 operations a second."""
    fused = _library().fused
    return _kept(f"flop-{threads}", lambda: _best([functools.partial(fused, TURNS)] * threads))


def byte_rate(threads: int, size: int) -> float:
    """Return bytes a second of a triad over ``size`` bytes, from LEAST to MOST, that the threads share."""
    size = min(max(LEAST, size), MOST)
    return _kept(f"aligned-bytes-{threads}-{size}", lambda: _best([_triad(size // threads) for _ in range(threads)]))


def _triad(size: int) -> Callable[[], int]:
    """Return a triad on arrays that begin where a cache line does; on others, in the nearest cache, it is a fifth slower."""
    numbers = size // 12
    arrays = [array.array("f", bytes(4 * (numbers + LINE))) for _ in range(3)]
    pointers = [(ctypes.c_float * numbers).from_buffer(each, -each.buffer_info()[0] % (4 * LINE)) for each in arrays]
    sweeps = max(1, 2**20 // size)  # so that a call takes longer than its overhead
    return lambda: int(_library().triad(*pointers, numbers, sweeps))


def _best(loads: list[Callable[[], int]]) -> float:
    """Return the highest rate (per second) of all loads together, each on its own thread."""
    with ThreadPoolExecutor(len(loads)) as pool:
        return max(sum(pool.map(_rate, loads)) for _ in range(SAMPLES))


def _rate(load: Callable[[], int]) -> float:
    """Return the load's rate in a second of this thread's processor time, without waits for a processor."""
    load()
    begin, done = time.thread_time(), 0
    while (seconds := time.thread_time() - begin) < SAMPLE_SECONDS:
        done += load()
    return done / seconds


def _kept(name: str, measure: Callable[[], float], now: Callable[[], float] = time.time) -> float:
    """Return the highest figure of this name that was measured on this machine. Measure and keep one more if there are
    fewer than MEASUREMENTS and the last one is older than APART."""
    file = caches.root() / f"roof-{machine.identity()}.json"
    try:
        figures: dict[str, Any] = dict(json.loads(file.read_text()))
    except (OSError, ValueError, TypeError):  # it is missing or broken
        figures = {}
    kept = figures.get(name)
    measured: list[dict[str, float]] = kept if isinstance(kept, list) else []  # older versions kept one number
    if not measured or (len(measured) < MEASUREMENTS and now() - measured[-1]["at"] > APART):
        figures[name] = measured = [*measured, {"at": now(), "figure": measure()}]
        with contextlib.suppress(OSError):  # on a full disk the next process measures it again
            files.write(file, json.dumps(figures, indent=1).encode())
    return max(each["figure"] for each in measured)


@functools.cache
def _library() -> Any:
    """Build and load the loops; ctypes calls them without Python's lock. Unavailable if that fails."""
    if platform.machine() not in KNOWN:
        raise Unavailable(f"the roof is measured on {', '.join(KNOWN)}; this is {platform.machine()}")
    try:
        library = ctypes.CDLL(str(shared_object.build(SOURCE, caches.root())))
    except (OSError, RuntimeError) as error:  # a compiler without headers, or a directory from which nothing may run
        raise Unavailable(f"the roof's loops cannot be built: {error}") from error
    library.fused.argtypes = [ctypes.c_uint64]
    library.triad.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_uint64] * 2
    library.fused.restype = library.triad.restype = ctypes.c_uint64
    return library
