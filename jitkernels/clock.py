"""The clock of calls: seconds of single calls, and samples of a warm call with their median and quartiles.

Seconds are wall time. A case is any object with ``call``, ``settle`` and ``check_answer``, as ``jitkernels.case.Case``.
"""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

SAMPLES = 10  # enough for a median and quartiles; asv's own test needs at least 7 on each side
SLOW_SAMPLES = 3  # of a call longer than SLOW_SECONDS: one disturbed call does not move their median
SLOW_SECONDS = 1.0  # ten samples of a longer call take too long for a user who waits
SAMPLE_SECONDS = 0.01  # far above the clock's resolution, of the order of a scheduler's slice
WARM_UP_SECONDS = 0.1  # long enough for the clock frequency to settle
CHECKED = 2  # answers at the start of a series: a program may be right at first and wrong when it is called again


@dataclass(frozen=True)
class Times:
    """Seconds of one warm call: the median and the lower and upper quartile of samples, and the samples in their order."""

    median: float
    quartiles: tuple[float, float]
    samples: tuple[float, ...]


def summary(seconds: Sequence[float]) -> Times:
    """Return the median and the quartiles of at least two samples."""
    lower, median, upper = statistics.quantiles(seconds, n=4)
    return Times(median, (lower, upper), tuple(seconds))


def samples(case: Any) -> list[float]:
    """Return SAMPLES samples of the seconds of one call, or SLOW_SAMPLES of a slow call. The case has been checked before.

    Inside the clock: the calls, the waits, and the loop around them. Before it: ``settle``, and WARM_UP_SECONDS of calls.
    After it: a check of the last answer.
    """
    case.settle()
    quick = statistics.median(series(case, 1, limit=WARM_UP_SECONDS))
    calls = max(1, round(SAMPLE_SECONDS / quick))
    count = SLOW_SAMPLES if quick > SLOW_SECONDS else SAMPLES
    seconds = [timed(case.call, calls)[0] for _ in range(count - 1)]
    last, answer = timed(case.call, calls)
    case.check_answer(answer)
    return [total / calls for total in (*seconds, last)]


def series(case: Any, fewest: int, most: float = math.inf, limit: float = math.inf) -> list[float]:
    """Return the seconds of each call: ``fewest`` calls, then more up to ``most`` calls or until they took ``limit``
    seconds.

    The answers of the first CHECKED calls are checked outside the clock.
    """
    seconds, total = list[float](), 0.0
    while len(seconds) < fewest or (len(seconds) < most and total < limit):
        taken, answer = timed(case.call)
        if len(seconds) < CHECKED:
            case.check_answer(answer)
        del answer  # frees its memory before the next call
        seconds.append(taken)
        total += taken
    return seconds


def timed(call: Callable[[], Any], calls: int = 1) -> tuple[float, Any]:
    """Return the seconds of ``calls`` calls with the loop around them, and the last answer. Each other answer is freed
    before the next call."""
    begin = time.perf_counter()
    for _ in range(calls - 1):
        call()
    answer = call()
    return time.perf_counter() - begin, answer
