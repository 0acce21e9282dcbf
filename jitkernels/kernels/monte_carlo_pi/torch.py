"""monte_carlo_pi in PyTorch: single-precision numbers of the default generator, whose state is put back afterwards."""

import torch

LENGTH = 2**16  # points: x, y and their squares are 256 KiB each, about a second-level cache

compiler_options = {
    "torch_dynamo": {"dynamic": True},
    "torch_aot": {"dynamic": True},
    "torch_inductor": {
        "dynamic": True,  # one program for every number of points
        "options": {"cpp.dynamic_threads": True},  # threads are split at run time, not by the first call's length
        "run": {"length": 2**20},
    },
}


def count_hits(limit):
    """Points of as many as ``limit``, float32[n], has elements, whose x^2 + y^2 stays below their limit."""
    x, y = torch.rand_like(limit), torch.rand_like(limit)
    return (x * x + y * y < limit).sum()


def run(points, seed, *, count=count_hits, length=LENGTH, device="cpu"):
    hits = torch.zeros((), dtype=torch.int64, device=device)
    limit = torch.ones(min(length, max(points, 2)), device=device)
    with torch.random.fork_rng(devices=[] if device == "cpu" else [device]):
        seed_generator = torch.default_generator.manual_seed if device == "cpu" else torch.cuda.manual_seed
        seed_generator(seed)
        for first in range(0, points, length):
            if points - first == 1:
                limit = torch.tensor([1.0, 0.0], device=device)  # Dynamo would compile a length of one apart
            hits += count(limit[: max(points - first, 2)])
    return 4 * hits.double() / points
