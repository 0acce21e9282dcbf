"""pi by Monte Carlo from one stream of integers: every backend must count the *same* hits, to the last one.

``run(points, seed) -> hits``, an unsigned 64-bit integer. Block b = 0, 1, ... has the counter words
(b mod 2^32, b div 2^32, 0, 0) and the key words (seed mod 2^32, seed div 2^32); Philox4x32-10 turns it into four 32-bit
words, and word j is point 4b + j. With x = word mod 2^16 and y = word div 2^16, a point is a hit when
x (x + 1) + y (y + 1) < 2^32: the centre of cell (x, y) lies inside the quarter circle of radius 2^16. In 32-bit
arithmetic that is ``x * x + x <= ~(y * y + y)``. pi = 4 hits / points; the grid's own bias on pi is +4.7e-8.

One round of Philox, with words c0..c3 and key k0, k1 (multipliers 0xD2511F53 and 0xCD9E8D57; the key grows by 0x9E3779B9
and 0xBB67AE85 after each round):

    c0, c1, c2, c3 = hi(0xCD9E8D57 * c2) ^ c1 ^ k0, lo(0xCD9E8D57 * c2), hi(0xD2511F53 * c0) ^ c3 ^ k1, lo(0xD2511F53 * c0)

``blocks(first, last, seed) -> hits`` counts the hits of blocks ``first`` to ``last - 1``; ``last`` is at most 2^60. One call
takes at most 2^44 blocks, because a lane of a vector counts in 32 bits.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from collections.abc import Callable
from typing import Any

from jitkernels.kernel import Kernel, Spelling
from jitkernels.kernels import _pi

BLOCKS = "blocks"
MOST_BLOCKS = 2**44  # in one call of that spelling; see above
LONGEST_REFERENCE = 2**30  # points; NumPy takes about half a minute. Above, only the statistics are checked

KNOWN_HITS = {  # (points, seed): counted by the C kernel and by a program that shares no code with it
    (1_000, 42): 782,
    (10_000, 42): 7_852,
    (100_000, 42): 78_533,
    (1_000_000, 42): 785_424,
    (10_000_000, 42): 7_851_947,
    (100_000_000, 42): 78_542_488,
    (400_000_000, 42): 314_164_885,
    (1_000_000_000, 42): 785_400_335,
    (10_000_000_000, 42): 7_853_958_638,
}


def check(hits: int, points: int, seed: int, reference: Callable[[], Any]) -> None:
    """Require the known hits or the reference's; above 2^30 points without known hits, a plausible count."""
    if (points, seed) in KNOWN_HITS or points <= LONGEST_REFERENCE:
        expected = KNOWN_HITS.get((points, seed)) or reference()
        assert hits == expected, f"{hits} hits, not {expected} ({points} points, seed {seed})"
    _pi.assert_plausible(4 * hits / points, points)


def check_blocks(hits: int, points: int, seed: int, reference: Callable[[], Any]) -> None:
    """Require the reference's hits in the range of blocks."""
    expected = reference()
    assert hits == expected, f"{hits} hits in a range of blocks, not {expected}"


def metrics(hits: int, points: int, seed: int, reference: Callable[[], Any]) -> dict[str, float]:
    """Return ``_pi.metrics`` of the estimate, and the hits."""
    return {**_pi.metrics(4 * hits / points, points), "hits": hits}


kernel = Kernel(
    name="philox_pi",
    summary="pi from one exactly defined stream of integers (Philox4x32-10)",
    unit="points",
    sizes=range(1, _pi.MOST_POINTS + 1),
    default_size=100_000,
    inputs=lambda points, seed: (points, seed),
    check=check,
    metrics=metrics,
    work=lambda points: points,
    no_cost="its arithmetic is on integers, the roof's on float32",
    remark="On a CPU JAX computes 524,288 points at least, and TensorFlow 393,216, which are whole steps of the stream: "
    "with fewer points their times do not show what a call costs.",
    spellings={
        BLOCKS: Spelling(
            "the hits of a range of whole blocks",
            sizes=range(1, 2**62 + 1),
            inputs=lambda points, seed: (0, points // 4, seed),
            check=check_blocks,
        )
    },
)
