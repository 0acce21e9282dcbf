"""philox_pi in Warp: a thread for each block of the stream.

On the CPU the threads are a loop. LLVM vectorises it if all threads add to entry 0 of an array and no argument has the width
of that entry. Such an argument would be read again in each turn, because an addition might have changed it.
"""

import warp as wp

wp.set_module_options({"enable_backward": False})  # no gradients are needed; they would be compiled too

M0, M1 = wp.constant(wp.uint64(0xD2511F53)), wp.constant(wp.uint64(0xCD9E8D57))
W0, W1 = wp.constant(wp.uint32(0x9E3779B9)), wp.constant(wp.uint32(0xBB67AE85))
HALF = wp.constant(wp.uint64(32))
BLOCKS = 2**28  # of one launch: its hits have 31 bits, and its blocks have the same high counter word


@wp.func
def hit(word: wp.uint32, point: wp.int32, points: wp.int32):
    """1 for a point inside the quarter circle of radius 2^16; 0 for others, and for those beyond the last point."""
    x = word & wp.uint32(0xFFFF)
    y = word >> wp.uint32(16)
    return wp.where(x * x + x <= ~(y * y + y), wp.where(point < points, 1, 0), 0)


@wp.kernel
def count_hits(first: wp.uint64, points: wp.int64, seed: wp.uint64, hits: wp.array(dtype=wp.int32)):
    thread = wp.tid()
    c0, c1, c2, c3 = wp.uint32(first) + wp.uint32(thread), wp.uint32(first >> HALF), wp.uint32(0), wp.uint32(0)
    k0, k1 = wp.uint32(seed), wp.uint32(seed >> HALF)
    for _ in range(10):
        p0, p1 = M0 * wp.uint64(c0), M1 * wp.uint64(c2)
        c0, c1 = wp.uint32(p1 >> HALF) ^ c1 ^ k0, wp.uint32(p1)
        c2, c3 = wp.uint32(p0 >> HALF) ^ c3 ^ k1, wp.uint32(p0)
        k0, k1 = k0 + W0, k1 + W1
    point, last = 4 * thread, wp.int32(points)
    early = hit(c0, point, last) + hit(c1, point + 1, last)
    late = hit(c2, point + 2, last) + hit(c3, point + 3, last)
    wp.atomic_add(hits, 0, early + late)


def run(points, seed, *, device):
    starts = range(0, points, 4 * BLOCKS)
    hits = wp.zeros(len(starts), dtype=wp.int32, device=device)
    for launch, start in enumerate(starts):
        count = min(points - start, 4 * BLOCKS)
        wp.launch(count_hits, (count + 3) // 4, [start // 4, count, seed], [hits[launch : launch + 1]], device=device)
    return hits.numpy().sum(dtype="uint64")
