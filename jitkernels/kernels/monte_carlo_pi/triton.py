"""monte_carlo_pi in Triton: ``tl.rand4x``, Philox4x32-10, gives each counter four numbers, two points.
Before Triton 3.4 a 64-bit counter gives other numbers, those of Philox4x64, which are as random.

Each program strides over the grid and leaves one partial count.
"""

import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["points", "seed"])
def count_hits(hits, points: tl.int64, seed: tl.uint64, PAIRS: tl.constexpr):
    program = tl.program_id(0)
    points = points.to(tl.int64)  # the interpreter gives a small number 32 bits
    total = tl.zeros((PAIRS,), tl.int32)
    for first in range(program.to(tl.int64) * PAIRS, (points + 1) // 2, tl.num_programs(0) * PAIRS):
        pair = first + tl.arange(0, PAIRS)
        x0, y0, x1, y1 = tl.rand4x(seed, pair)
        total += ((x0 * x0 + y0 * y0 < 1) & (2 * pair < points)).to(tl.int32)
        total += ((x1 * x1 + y1 * y1 < 1) & (2 * pair + 1 < points)).to(tl.int32)
    tl.store(hits + program, tl.sum(total.to(tl.int64)))


def run(points, seed, *, device="cpu"):
    if device == "cpu":  # the interpreter: one program, with NumPy's arrays
        programs, pairs = 1, min(triton.next_power_of_2(triton.cdiv(points, 2)), 2**16)
    else:
        programs, pairs = min(triton.cdiv(points, 2048), 4096), 1024
    hits = torch.empty(programs, dtype=torch.int64, device=device)
    count_hits[(programs,)](hits, points, seed, PAIRS=pairs)
    return 4 * hits.sum().double() / points


kernel = count_hits
signature = {"hits": "*i64", "points": "i64", "seed": "u64", "PAIRS": 1024}
