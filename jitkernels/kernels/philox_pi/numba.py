"""philox_pi in Numba: loops over the stream's blocks, written so that LLVM turns them into SIMD code.

Each 32-bit word of Philox is in the low half of a uint64, so a product of two words is one vector instruction without
packing. The high halves hold leftovers, which are masked only where they would count. The last round puts two words into one
uint64. So a second loop can read the points as uint32, twice as many in a vector. The two loops share an array that stays in
the first-level cache. The first loop sums nothing up, so LLVM does not interleave copies of it, whose words would not fit
the registers.
"""

import numpy as np
from numba import prange
from numba.extending import register_jitable

M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
WORD, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
ZERO, ONE, TWO, FOUR = map(np.uint64, (0, 1, 2, 4))  # a plain 0 is an int64; Numba adds it to a uint64 as floats
ROW = np.uint64(512)  # blocks; four rows of uint64 are half of a first-level cache
BATCH = np.uint64(1024)  # two rows: the chains of ten products of two blocks overlap
CHUNK = np.uint64(2**14)  # blocks: 65,536 points, enough work for one task of a thread; whole batches

inlined = register_jitable(forceinline=True)  # LLVM vectorises no loop that has a call in it


@inlined
def products(words):
    c0, _, c2, _ = words
    return M0 * (c0 & WORD), M1 * (c2 & WORD)


@inlined
def turned(words, k0, k1):
    """One round of Philox."""
    p0, p1 = products(words)
    return (p1 >> HALF) ^ words[1] ^ k0, p1, (p0 >> HALF) ^ words[3] ^ k1, p0


@inlined
def paired(words, k0, k1):
    """The last round: words 1 and 3, with words 0 and 2 in the high halves."""
    p0, p1 = products(words)
    return p1 ^ (words[1] ^ k0) << HALF, p0 ^ (words[3] ^ k1) << HALF


@inlined
def fill(early, late, first, rows, seed):
    """Put words 0 and 1 of ``2 * rows`` blocks into early, 2 and 3 into late. All have the same high counter word."""
    low, high = first & WORD, first >> HALF
    for i in range(rows):
        a, b = (low + i, high, ZERO, ZERO), (low + rows + i, high, ZERO, ZERO)
        k0, k1 = seed & WORD, seed >> HALF
        for _ in range(9):
            a, b = turned(a, k0, k1), turned(b, k0, k1)
            k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
        early[i], late[i] = paired(a, k0, k1)
        early[rows + i], late[rows + i] = paired(b, k0, k1)


@inlined
def outside(word):
    """1 for a point outside the quarter circle, 0 for one inside: bit 31 of (x (x + 1) + y (y + 1)) / 2.

    LLVM would take a comparison of the two terms for a test of overflow, which it does not vectorise.
    """
    x, y = word & np.uint32(0xFFFF), word >> np.uint32(16)
    return np.uint32((np.uint32(x * x + x) >> np.uint32(1)) + (np.uint32(y * y + y) >> np.uint32(1))) >> np.uint32(31)


@inlined
def misses(pairs):
    count = np.uint32(0)  # as wide as a word: 64 bits would halve the vectors
    for word in pairs.view(np.uint32):
        count = np.uint32(count + outside(word))
    return np.uint64(count)


@inlined
def missed_words(early, late, count):
    """Misses among the first ``count`` words of one block."""
    words = early >> HALF, early & WORD, late >> HALF, late & WORD
    missed = ZERO
    for j in range(count):
        missed += np.uint64(outside(np.uint32(words[j])))
    return missed


@inlined
def missed_between(start, end, points, seed):
    """Misses of the points below ``points`` in blocks ``start`` to ``end - 1``, which share their high counter word."""
    words = np.empty(BATCH + BATCH, np.uint64)
    early, late = words[:BATCH], words[BATCH:]
    missed = ZERO
    for first in range(start, end, BATCH):
        fill(early, late, first, min(ROW, (end - first + ONE) // TWO), seed)
        left = min(FOUR * BATCH, points - FOUR * first)
        whole, rest = left // FOUR, left % FOUR
        missed += misses(early[:whole]) + misses(late[:whole])
        if rest > ZERO:
            missed += missed_words(early[whole], late[whole], rest)
    return missed


def run(points, seed):
    points, seed = np.uint64(points), np.uint64(seed)
    blocks = (points + FOUR - ONE) // FOUR
    missed = ZERO
    for chunk in prange((blocks + CHUNK - ONE) // CHUNK):
        start = np.uint64(chunk) * CHUNK
        missed += missed_between(start, min(start + CHUNK, blocks), points, seed)
    return points - missed


def blocks(first, last, seed):
    first, last, seed = np.uint64(first), np.uint64(last), np.uint64(seed)
    before = first // CHUNK  # chunks; one ends at every multiple of 2^32
    missed = ZERO
    for chunk in prange((last + CHUNK - ONE) // CHUNK - before):
        start = (before + np.uint64(chunk)) * CHUNK
        end = min(start + CHUNK, last)
        missed += missed_between(max(start, first), end, FOUR * end, seed)
    return FOUR * (last - first) - missed
