"""The statistics of a Monte Carlo estimate of pi.

A point falls inside the quarter circle with probability p = pi/4, so the estimate 4 hits / points has the standard
error 4 sqrt(p (1 - p) / points) = 1.642 / sqrt(points): the binomial distribution's.
"""

import math

MOST_POINTS = 2**40
STANDARD_ERROR_OF_ONE = 4 * math.sqrt(math.pi / 4 * (1 - math.pi / 4))  # 1.642; divide by sqrt(points)
LARGEST_Z = 6.0  # a right kernel exceeds it for one seed in 5e8; one with 1 % too many hits for most, beyond 1e5 points


def metrics(estimate: float, points: int) -> dict[str, float]:
    """Return numbers about one estimate. Smaller is better, except for ``value`` and ``value_acc``.

    error: |estimate - pi|. relative_error: error / pi. z: the error in standard errors.
    value_acc: 1 - relative_error, the seed article's figure.
    """
    error = abs(estimate - math.pi)
    return {
        "value": estimate,
        "error": error,
        "relative_error": error / math.pi,
        "z": error * math.sqrt(points) / STANDARD_ERROR_OF_ONE,
        "value_acc": 1 - error / math.pi,
    }


def assert_plausible(estimate: float, points: int) -> None:
    """Raise AssertionError unless ``estimate`` could be 4 hits / points of independent points."""
    assert math.isfinite(estimate), f"the estimate of pi is {estimate}"
    hits = estimate * points / 4
    assert abs(hits - round(hits)) <= 1e-15 * points + 1e-9, (  # a float64 estimate is off by half an ulp of 4
        f"{estimate!r} is no multiple of 4/{points}: the hits were not counted exactly"
    )
    assert 0 <= round(hits) <= points, f"{round(hits)} hits from {points} points"
    z = metrics(estimate, points)["z"]
    assert z <= LARGEST_Z, f"{estimate!r} is {z:.1f} standard errors from pi (at most {LARGEST_Z:g} can be luck)"
