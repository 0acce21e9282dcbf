"""square_or_cube in Triton: it reads the source, so Python's if on a loaded number is a branch of the program."""

import torch
import triton
import triton.language as tl


@triton.jit
def square_or_cube(X, Y):
    x = tl.load(X)
    if x % 2 == 0:  # noqa: SIM108  # a branch is what is meant
        y = x * x
    else:
        y = x * x * x
    tl.store(Y, y)


def run(x):
    y = torch.empty_like(x)
    square_or_cube[(1,)](x, y)
    return y


kernel = square_or_cube
signature = {"X": "*fp32", "Y": "*fp32"}
