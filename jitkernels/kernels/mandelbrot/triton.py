"""mandelbrot in Triton: each program takes one block of points, row after row, and ends when its last point has left."""

import torch
import triton
import triton.language as tl


@triton.jit
def count(x, y, counts, m, n, MOST: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = place < m.to(tl.int64) * n
    cx = tl.load(x + place % n, mask=valid, other=4.0)  # past the end: outside at once
    cy = tl.load(y + place // n, mask=valid, other=0.0)
    zx, zy = tl.zeros((BLOCK,), tl.float64), tl.zeros((BLOCK,), tl.float64)
    counted = tl.zeros((BLOCK,), tl.int32)
    done, left = 0, 1
    while (done < MOST) & (left > 0):
        xx, yy = zx * zx, zy * zy
        inside = xx + yy <= 4
        counted += inside.to(tl.int32)
        zx, zy = tl.where(inside, xx - yy + cx, zx), tl.where(inside, 2 * zx * zy + cy, zy)
        done += 1
        left = tl.max(inside.to(tl.int32))
    tl.store(counts + place, counted, mask=valid)


def run(x, y):
    m, n = len(y), len(x)
    counts = torch.empty((m, n), dtype=torch.int32, device=x.device)
    block = 128 if x.is_cuda else min(triton.next_power_of_2(m * n), 2**16)  # the interpreter is faster with fewer programs
    count[(triton.cdiv(m * n, block),)](x, y, counts, m, n, MOST=200, BLOCK=block)
    return counts


kernel = count
signature = {"x": "*fp64", "y": "*fp64", "counts": "*i32", "m": "i32", "n": "i32", "MOST": 200, "BLOCK": 128}
