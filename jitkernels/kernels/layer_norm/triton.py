"""layer_norm in Triton: one program for each row, which stays in registers: x is read once, y is written once.

A block, and so a row, holds at most 2^20 entries.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def layer_norm(x, scale, offset, y, columns, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    inside = place < columns
    first = tl.program_id(0).to(tl.int64) * columns
    row = tl.load(x + first + place, mask=inside, other=0.0)
    centred = tl.where(inside, row - tl.sum(row, axis=0) / columns, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    normal = centred * tl.rsqrt(variance + 1e-5)
    scales, offsets = tl.load(scale + place, mask=inside), tl.load(offset + place, mask=inside)
    tl.store(y + first + place, normal * scales + offsets, mask=inside)


def run(x, scale, offset):
    rows, columns = x.shape
    y = torch.empty_like(x)
    layer_norm[(rows,)](x, scale, offset, y, columns, BLOCK=triton.next_power_of_2(columns))
    return y


kernel = layer_norm
signature = {"x": "*fp32", "scale": "*fp32", "offset": "*fp32", "y": "*fp32", "columns": "i32", "BLOCK": 1024}
