"""monte_carlo_pi in Numba: doubles from Numba's own generator, the Mersenne Twister behind np.random in compiled code.

Each thread has one, seeded in compiled code. Every chunk seeds it anew, from the seed and its own number, so the answer
is the same on any number of threads; whoever draws from np.random in compiled code afterwards goes on from there, while
NumPy's generators are not touched. The generator bounds the speed: four words of 32 bits a point, one after the other.
"""

import numpy as np
from numba import prange
from numba.extending import register_jitable

CHUNK = 2**14  # points: seeding, which fills 624 words, costs about a hundredth of drawing them
WORD = np.uint64(0xFFFFFFFF)


@register_jitable
def mix(word):
    """A bijection of 32-bit words, so no two chunks share a seed (lowbias32 of github.com/skeeto/hash-prospector)."""
    word = ((word ^ (word >> np.uint64(16))) * np.uint64(0x7FEB352D)) & WORD
    word = ((word ^ (word >> np.uint64(15))) * np.uint64(0x846CA68B)) & WORD
    return word ^ (word >> np.uint64(16))


@register_jitable
def count_hits(points, seed):
    np.random.seed(seed)
    hits = 0
    for _ in range(points):
        square = 0.0
        for _ in range(2):  # a loop, for x and for y: only in an inner loop does LLVM inline the generator (2x faster)
            coordinate = np.random.random()
            square += coordinate * coordinate
        hits += square < 1.0
    return hits


def run(points, seed):
    points, seed = np.int64(points), np.uint64(seed)
    start = mix(mix(seed >> np.uint64(32)) ^ (seed & WORD))
    hits = 0
    for chunk in prange((points + CHUNK - 1) // CHUNK):
        own_seed = mix((start + np.uint64(chunk)) & WORD)  # np.random.seed takes no more than 32 bits
        hits += count_hits(min(CHUNK, points - chunk * CHUNK), own_seed)
    return 4.0 * hits / points
