"""side_effect in Triton: each program takes one block of numbers."""

import torch
import triton
import triton.language as tl


@triton.jit
def square(NUM, SQUARED, numbers, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    num = tl.load(NUM + place, mask=place < numbers)
    tl.store(SQUARED + place, num * num, mask=place < numbers)


def run(num):
    squared = torch.empty_like(num)
    block = 128
    square[(triton.cdiv(num.numel(), block),)](num, squared, num.numel(), BLOCK=block)
    return squared


kernel = square
signature = {"NUM": "*fp32", "SQUARED": "*fp32", "numbers": "i32", "BLOCK": 128}
