"""repeated_multiply in Triton: it reads the source, so Python's loop up to a loaded number is a loop of the program."""

import torch
import triton
import triton.language as tl


@triton.jit
def repeated_multiply(X, N, Y):
    x = tl.load(X)
    n = tl.load(N)
    y = tl.full((), 1, tl.float32)
    for _ in range(n):
        y = y * x
    tl.store(Y, y)


def run(x, n):
    y = torch.empty_like(x)
    repeated_multiply[(1,)](x, n, y)
    return y


kernel = repeated_multiply
signature = {"X": "*fp32", "N": "*i32", "Y": "*fp32"}
