"""square_or_cube in PyTorch: both branches and a choice, the only spelling that all of its compilers compile whole."""

import torch


def run(x):
    return torch.where(x % 2 == 0, x * x, x * x * x)


where = run


def naive(x):
    if x % 2 == 0:
        return x * x
    return x * x * x


def static(x: float):  # without a tensor, Dynamo compiles nothing and Python runs it
    if x % 2 == 0:
        return x * x
    return x * x * x


def square(x):
    return x * x


def cube(x):
    return x * x * x


def cond(x):
    return torch.cond(x % 2 == 0, square, cube, (x,))
