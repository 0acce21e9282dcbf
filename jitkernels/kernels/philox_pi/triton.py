"""philox_pi in Triton. ``tl.philox`` of 32-bit counters is Philox4x32-10, with the seed as key. Of 64-bit counters it is
another generator; before 3.4, ``tl.randint4x`` used these for a 64-bit offset.

Each program strides over the grid and leaves one partial count.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def inside(word):
    """Words -> bool: whether the point lies inside the quarter circle of radius 2^16."""
    x, y = word & 0xFFFF, word >> 16
    return x * x + x <= (y * y + y) ^ 0xFFFFFFFF  # the same as ~, which the interpreter of 3.2 to 3.8 lacks


@triton.jit
def hits_of(block, points, seed):
    """Blocks int64, the first point that does not count, seed -> hits int32 of each block."""
    low, high = block.to(tl.uint32), (block >> 32).to(tl.uint32)
    word0, word1, word2, word3 = tl.philox(seed, low, high, low * 0, low * 0)
    hits = (inside(word0) & (4 * block < points)).to(tl.int32)
    hits += (inside(word1) & (4 * block + 1 < points)).to(tl.int32)
    hits += (inside(word2) & (4 * block + 2 < points)).to(tl.int32)
    hits += (inside(word3) & (4 * block + 3 < points)).to(tl.int32)
    return hits


@triton.jit(do_not_specialize=["points", "seed"])
def count_hits(hits, points: tl.int64, seed: tl.uint64, BLOCKS: tl.constexpr):
    program = tl.program_id(0)
    points = points.to(tl.int64)  # the interpreter gives a small number 32 bits
    total = tl.zeros((BLOCKS,), tl.int32)
    for first in range(program.to(tl.int64) * BLOCKS, (points + 3) // 4, tl.num_programs(0) * BLOCKS):
        total += hits_of((first + tl.arange(0, BLOCKS)).to(tl.int64), points, seed)
    tl.store(hits + program, tl.sum(total.to(tl.int64)))


@triton.jit(do_not_specialize=["first", "last", "seed"])
def count_blocks(hits, first: tl.int64, last: tl.int64, seed: tl.uint64, BLOCKS: tl.constexpr):
    program = tl.program_id(0)
    first, last = first.to(tl.int64), last.to(tl.int64)
    total = tl.zeros((BLOCKS,), tl.int32)
    for start in range(first + program.to(tl.int64) * BLOCKS, last, tl.num_programs(0) * BLOCKS):
        total += hits_of(start + tl.arange(0, BLOCKS).to(tl.int64), 4 * last, seed)
    tl.store(hits + program, tl.sum(total.to(tl.int64)))


def grid(points, device):
    """The number of programs, and the number of blocks that each counts at a time."""
    if device == "cpu":  # the interpreter: one program, with NumPy's arrays
        return 1, min(triton.next_power_of_2(triton.cdiv(points, 4)), 2**16)
    return min(triton.cdiv(points, 4096), 4096), 1024


def run(points, seed, *, device="cpu"):
    programs, blocks = grid(points, device)
    hits = torch.empty(programs, dtype=torch.int64, device=device)
    count_hits[(programs,)](hits, points, seed, BLOCKS=blocks)
    return hits.sum()


def blocks(first, last, seed, *, device="cpu"):
    programs, blocks = grid(max(4 * (last - first), 1), device)
    hits = torch.empty(programs, dtype=torch.int64, device=device)
    count_blocks[(programs,)](hits, first, last, seed, BLOCKS=blocks)
    return hits.sum()


kernel = count_hits
signature = {"hits": "*i64", "points": "i64", "seed": "u64", "BLOCKS": 1024}
