"""monte_carlo_pi in PyTorch: single-precision numbers of the default generator, whose state is put back afterwards.

The generator bounds it: on the CPU mt19937, which is one thread's work; under Inductor Philox, which any thread can
draw, but at a block of four words for each number, of which it keeps one.
"""

import torch

LENGTH = 2**15  # points: arrays of 128 KiB, a few of which fit a second-level cache

compiler_options = {
    "torch_dynamo": {"dynamic": True},
    "torch_aot": {"dynamic": True},
    "torch_inductor": {
        "dynamic": True,  # one program for every number of points
        "options": {"cpp.dynamic_threads": True},  # threads are split at run time, not by the first call's length
        "run": {"length": 2**26},  # the loop stores nothing: as long as a launch is worth
    },
}


def count_hits(points: int, device: str):
    """How many of ``points`` new points have x^2 + y^2 below 1, int64[]."""
    x, y = torch.rand(points, device=device), torch.rand(points, device=device)
    return (x * x + y * y < 1).sum()


def run(points, seed, *, count=count_hits, length=LENGTH, device="cpu"):
    hits = torch.zeros((), dtype=torch.int64, device=device)
    with torch.random.fork_rng(devices=[] if device == "cpu" else [device]):
        generator = torch.default_generator if device == "cpu" else torch.cuda
        generator.manual_seed(seed ^ seed >> 32)  # on the CPU, mt19937 looks at the low 32 bits alone
        for left in range(points, 0, -length):
            hits += count(min(left, length), device)  # any length is one program, but for 1, which Dynamo sees apart
    return 4 * hits.double() / points
