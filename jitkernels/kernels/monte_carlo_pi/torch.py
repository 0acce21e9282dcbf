"""monte_carlo_pi in PyTorch: words of the default generator, whose state is restored afterwards.

The generator limits the speed (EPYC with AVX2). In eager mode mt19937, on one thread, takes more than half of ``run``'s
processor seconds; passes over arrays in the cache take the rest. Under Inductor Philox, on all threads, takes nearly all. Of
a block of four words Inductor keeps one for a float but two for an int64, so a draw has 64 bits, two coordinates.
"""

import contextlib

import torch

LENGTH = 2**15  # points: arrays of up to 256 KiB, a few of which fit a second-level cache; longer ones start torch's threads
ON_GPU = 2**24  # points on a GPU: each operation is a launch, whose cost only long arrays hide

compiler_options = {
    "torch_dynamo": {"dynamic": True},
    "torch_aot": {"dynamic": True},
    "torch_inductor": {
        "dynamic": True,  # one program for every number of points
        "options": {"cpp.dynamic_threads": True},  # threads are split at run time, not by the first call's length
        "run": {"length": 2**26},  # the loop stores no array, so it may be long and hide the cost of a launch
    },
}


def count_hits(points: int, device: str):
    """How many of ``points`` new points have x^2 + y^2 below 1, int64[]; x and y are words of 31 bits, in units of 2^-31."""
    words = torch.randint(1 << 62, (points,), device=device)  # a power of two: words are masked, not divided
    x, y = (words & 0x7FFFFFFF).float().square_(), (words >> 31).float().square_()
    return torch.count_nonzero(x.add_(y) < 2.0**62)  # sum() would first convert the bools


def run(points, seed, *, count=count_hits, length=None, device="cpu"):
    length = length or (LENGTH if device == "cpu" else ON_GPU)
    hits = torch.zeros((), dtype=torch.int64, device=device)
    with seeded(seed, device):
        for left in range(points, 0, -length):
            hits += count(min(left, length), device)  # one program for all lengths except 1, which Dynamo specialises
    return 4 * hits.double() / points


@contextlib.contextmanager
def seeded(seed, device):
    """Seed the device's default generator within this context, and restore it afterwards."""
    with torch.random.fork_rng(devices=[] if device == "cpu" else [device]):
        generator = torch.default_generator if device == "cpu" else torch.cuda
        generator.manual_seed(seed ^ seed >> 32)  # on the CPU, mt19937 uses only the low 32 bits
        yield


def count_whole(points: int, device: str):
    x, y = torch.rand(points, device=device), torch.rand(points, device=device)
    return (x * x + y * y < 1).sum()


def plain(points, seed, *, count=count_whole, device="cpu"):
    with seeded(seed, device):
        return 4 * count(points, device).double() / points
