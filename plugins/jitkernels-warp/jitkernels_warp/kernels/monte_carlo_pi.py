"""monte_carlo_pi in Warp: a thread for each point, with a generator of its own (PCG). On the CPU the threads are a loop,
which LLVM vectorises.

The generator's state has 32 bits: from 2^32 points on, points repeat.
"""

import warp as wp

wp.set_module_options({"enable_backward": False})  # no gradients are needed; they would be compiled too

POINTS = 2**30  # of one launch: wp.tid() and a launch's hits have 31 bits


@wp.kernel
def count_hits(first: wp.uint64, seed: wp.uint64, hits: wp.array(dtype=wp.int32)):
    point = wp.uint32(first) + wp.uint32(wp.tid())
    state = wp.rand_init(wp.int32(seed), wp.int32(point))
    x = wp.randf(state)
    y = wp.randf(state)
    wp.atomic_add(hits, 0, wp.where(x * x + y * y < 1.0, 1, 0))


def run(points, seed, *, device):
    starts = range(0, points, POINTS)
    hits = wp.zeros(len(starts), dtype=wp.int32, device=device)
    word = (seed ^ seed >> 32) % 2**32  # rand_init takes 32 bits
    for launch, start in enumerate(starts):
        count = min(points - start, POINTS)
        wp.launch(count_hits, count, [start, word], [hits[launch : launch + 1]], device=device)
    return 4.0 * hits.numpy().sum(dtype="int64") / points
