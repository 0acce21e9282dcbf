"""mandelbrot in PyTorch: an iteration for all points at once. Points outside go on to infinity and NaN and are no longer
counted: z never comes back into the circle. A user compiles five iterations, between which nothing need be written to
memory; Python loops over them.
"""

import torch

MOST, UNROLL = 200, 5


def iterations(zx, zy, counts, x, y):
    for _ in range(5):
        xx, yy = zx * zx, zy * zy
        counts = counts + (xx + yy <= 4)
        zx, zy = xx - yy + x, 2 * zx * zy + y
    return zx, zy, counts


def run(x, y, *, iterate=iterations):
    zx = torch.zeros(len(y), len(x), dtype=x.dtype, device=x.device)
    zy, counts = torch.zeros_like(zx), torch.zeros_like(zx, dtype=torch.int32)
    for _ in range(MOST // UNROLL):
        zx, zy, counts = iterate(zx, zy, counts, x, y[:, None])
    return counts
