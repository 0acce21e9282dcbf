"""repeated_multiply in PyTorch: the compilers that trace need the loop as an operation; TorchScript and Python do not."""

import torch


def run(x, n):
    if not torch.jit.is_scripting() and torch.compiler.is_compiling():
        return while_loop(x, n)
    y = torch.ones_like(x)
    for _ in range(int(n)):
        y = y * x
    return y


@torch.jit.ignore  # TorchScript knows no torch.while_loop
def while_loop(x, n):
    def more(count, y):
        return count < n

    def multiply(count, y):
        return count + 1, y * x

    return torch.while_loop(more, multiply, (torch.zeros_like(n), torch.ones_like(x)))[1]


def naive(x, n):
    y = torch.ones_like(x)
    count = 0
    while count < n:
        y = y * x
        count += 1
    return y


def static(x, n: int):
    y = torch.ones_like(x)
    count = 0
    while count < n:
        y = y * x
        count += 1
    return y


def multiply(y, x):
    return y * x


def per_iteration(x, n, *, multiply=multiply):
    y = torch.ones_like(x)
    for _ in range(int(n)):
        y = multiply(y, x)
    return y
