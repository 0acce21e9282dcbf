"""monte_carlo_pi in Numba: words of Numba's own generator, the Mersenne Twister behind ``random`` in compiled code.

Each thread has its own generator, seeded in compiled code. Every chunk seeds it again, from the seed and the chunk's number,
so the answer is the same on any number of threads. Later draws from ``random`` in compiled code continue from there;
Python's own generator does not change.

The twister limits the speed: drawing and storing its words takes more than 80 % of ``run``'s seconds, on one thread and on
two (a million points, EPYC with AVX2). It makes one word after the other; LLVM vectorises the rest.
"""

import random

import numpy as np
from numba import prange
from numba.extending import register_jitable

CHUNK = 2**14  # points: 128 KiB of words; seeding the generator takes about a fiftieth of the time of drawing them
WORD = np.uint64(0xFFFFFFFF)


@register_jitable
def mix(word):
    """A bijection of 32-bit words, so no two chunks share a seed (lowbias32 of github.com/skeeto/hash-prospector)."""
    word = ((word ^ (word >> np.uint64(16))) * np.uint64(0x7FEB352D)) & WORD
    word = ((word ^ (word >> np.uint64(15))) * np.uint64(0x846CA68B)) & WORD
    return word ^ (word >> np.uint64(16))


@register_jitable
def count_hits(points, seed):
    # A coordinate takes one word, in units of 2^-24; np.random.random() takes two. All words are stored first, so that LLVM
    # vectorises everything but the generator.
    random.seed(seed)
    words = np.empty(2 * points, np.uint32)
    for i in range(2 * points):
        words[i] = random.getrandbits(32)
    hits = 0
    for i in range(points):
        x, y = np.float32(np.int32(words[i] >> 8)), np.float32(np.int32(words[points + i] >> 8))
        hits += x * x + y * y < np.float32(2.0**48)
    return hits


def run(points, seed):
    points, seed = np.int64(points), np.uint64(seed)
    start = mix(mix(seed >> np.uint64(32)) ^ (seed & WORD))
    hits = 0
    for chunk in prange((points + CHUNK - 1) // CHUNK):
        own_seed = mix((start + np.uint64(chunk)) & WORD)  # random.seed takes no more than 32 bits
        hits += count_hits(min(CHUNK, points - chunk * CHUNK), own_seed)
    return 4.0 * hits / points


def plain(points, seed):
    # This seeds only the calling thread's generator. Under ``parallel=True`` the other threads' numbers, and so the answer,
    # differ from process to process.
    np.random.seed(np.uint32(seed))
    hits = 0
    for _ in prange(points):
        x = np.random.random()
        y = np.random.random()
        if x * x + y * y < 1.0:
            hits += 1
    return 4.0 * hits / points
