"""philox_pi in NumPy: the reference. Whole-array arithmetic on chunks of the stream that stay in the cache."""

import numpy as np

M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = 0x9E3779B9, 0xBB67AE85
WORD, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
CHUNK = 2**14  # blocks: a dozen uint64 arrays of 128 KiB, about an L2 cache


def philox(block, seed):
    """Blocks uint64[n], seed < 2^64 -> four words, each uint64[n] with the high half zero."""
    c0, c1 = block & WORD, block >> HALF
    c2, c3 = np.zeros_like(block), np.zeros_like(block)
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0, p1 = M0 * c0, M1 * c2
        c0, c1 = (p1 >> HALF) ^ c1 ^ np.uint64(k0), p1 & WORD
        c2, c3 = (p0 >> HALF) ^ c3 ^ np.uint64(k1), p0 & WORD
        k0, k1 = (k0 + W0) & 0xFFFFFFFF, (k1 + W1) & 0xFFFFFFFF
    return c0, c1, c2, c3


def inside(word):
    """Words uint64[n] -> bool[n]: whether the point lies inside the quarter circle of radius 2^16."""
    x, y = word & np.uint64(0xFFFF), word >> np.uint64(16)
    return x * x + x + y * y + y < np.uint64(1 << 32)


def run(points, seed):
    return hits_between(0, points, seed)


def blocks(first, last, seed):
    return hits_between(first, 4 * last, seed)


def hits_between(first, points, seed):
    """Hits of the points below ``points``, without those of the blocks below ``first``."""
    last = (points + 3) // 4
    hits = 0
    for start in range(first, last, CHUNK):
        block = np.arange(start, min(start + CHUNK, last), dtype=np.uint64)
        words = np.stack(philox(block, seed), axis=1).ravel()  # in the stream's order
        hits += int(np.count_nonzero(inside(words[: points - 4 * start])))
    return hits
