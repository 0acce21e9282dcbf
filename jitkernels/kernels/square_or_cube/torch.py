"""square_or_cube in PyTorch: both branches and a choice, the one spelling that all of its compilers take whole."""

import torch


def run(x):
    return torch.where(x % 2 == 0, x * x, x * x * x)


where = run


def naive(x):
    if x % 2 == 0:
        return x * x
    return x * x * x


def static(x: float):  # there is no tensor in it, so Dynamo compiles nothing and leaves it to Python
    if x % 2 == 0:
        return x * x
    return x * x * x


def square(x):
    return x * x


def cube(x):
    return x * x * x


def cond(x):
    return torch.cond(x % 2 == 0, square, cube, (x,))
