"""philox_pi in Numba: the loop over the stream's blocks, written so that LLVM turns it into SIMD code.

Where the speed comes from: each 32-bit word stands in the low half of a uint64, so that a product of two is one vector
instruction and nothing is packed or unpacked; the high halves hold leftovers, masked only where they would count. Two
blocks a turn, whose chains of ten products overlap. A high counter word that is constant in the inner loop, which takes
the first three rounds' work on it out of the loop.
"""

import numpy as np
from numba import prange
from numba.extending import register_jitable

M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
WORD, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
ZERO, ONE = np.uint64(0), np.uint64(1)  # a plain 0 or 1 is an int64, and Numba adds that to a uint64 as floats
CHUNK = np.uint64(2**13)  # pairs of blocks: 65,536 points, enough work for a thread to take at a time; a power of two

inlined = register_jitable(forceinline=True)  # LLVM vectorises no loop that has a call in it


@inlined
def turned(words, k0, k1):
    """One round of Philox."""
    c0, c1, c2, c3 = words
    p0, p1 = M0 * (c0 & WORD), M1 * (c2 & WORD)
    return (p1 >> HALF) ^ c1 ^ k0, p1, (p0 >> HALF) ^ c3 ^ k1, p0


@inlined
def philox(low, other, high, seed):
    """Philox4x32-10 of the two blocks with the low counter words ``low`` and ``other``: four words each."""
    a, b = (low, high, ZERO, ZERO), (other, high, ZERO, ZERO)
    k0, k1 = seed & WORD, seed >> HALF
    for _ in range(10):
        a, b = turned(a, k0, k1), turned(b, k0, k1)
        k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
    return a, b


@inlined
def outside(word):
    """1 for a point outside the quarter circle, 0 for one inside: x (x + 1) + y (y + 1) is below 2^33."""
    x, y = word & np.uint64(0xFFFF), (word >> np.uint64(16)) & np.uint64(0xFFFF)
    return (x + y + x * x + y * y) >> HALF


@inlined
def misses(words):
    c0, c1, c2, c3 = words
    return outside(c1) + outside(c3) + outside(c0) + outside(c2)  # in the order in which they are ready


def run(points, seed):
    points, seed = np.uint64(points), np.uint64(seed)
    pairs = points >> np.uint64(3)
    missed = ZERO
    for chunk in prange((pairs + CHUNK - ONE) // CHUNK):
        first = np.uint64(chunk) * CHUNK
        size = min(CHUNK, pairs - first)
        low, high = (first << ONE) & WORD, first >> np.uint64(31)
        count = ZERO
        for block in range(low, low + size):
            a, b = philox(block, block + size, high, seed)
            count += misses(a) + misses(b)
        missed += count
    a, b = philox((pairs << ONE) & WORD, (pairs << ONE) & WORD | ONE, pairs >> np.uint64(31), seed)
    words = a + b  # of the last, incomplete pair
    for point in range(points & np.uint64(7)):
        missed += outside(words[point])
    return points - missed
