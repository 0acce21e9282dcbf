"""philox_pi in PyTorch. Each 32-bit word sits in an int64, where products of two words are exact modulo 2^64.

A user compiles ``count_hits``. Bits above the 32 of a word may be anything: they are masked before each product, and nowhere
else. On a processor with AVX2 but not AVX-512, Inductor compiles ``count_hits_by_halves``.
"""

import torch

LENGTH = 2**16  # elements a call: torch shares arrays of more than 32,768 among threads; these still fit the caches
CAPABILITY = torch.backends.cpu.get_cpu_capability()
ON_GPU = 2**24  # elements a call on a GPU: each operation is a launch, whose cost only long arrays hide
FEWEST = 16  # elements a call, more than the 10 rows of keys: Dynamo would take sizes equal at the first call for one


def philox_round(words: tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], key):
    c0, c1, c2, c3 = words
    p0, p1 = (c0 & 0xFFFFFFFF) * 0xD2511F53, (c2 & 0xFFFFFFFF) * 0xCD9E8D57
    return (p1 >> 32) ^ (c1 ^ key[0]), p1, (p0 >> 32) ^ (c3 ^ key[1]), p0


def distance(word):
    """4 (x (x + 1) + y (y + 1)) + 2 - 2^34, negative for a hit."""
    x, y = (word + word) & 0x1FFFE | 1, (word >> 15) & 0x1FFFE | 1  # twice the cell's centre, an odd number
    return x * x + y * y - (1 << 34)


def count_hits(offset, first, limits, keys):
    """Hits in the blocks from ``first``, 2 len(offset) of them; none of these crosses a multiple of 2^32.

    offset: int64[n], 0 to n - 1. first: int64[]. limits: int64[4], word j counts in blocks below limits[j].
    keys: int64[10, 2]. Two blocks an element give the processor independent work to overlap.
    """
    block = first + offset
    blocks = [block, block + len(offset)]
    high, zero = first >> 32, torch.zeros_like(first)
    states = [(block, high, zero, zero) for block in blocks]
    for key in keys.unbind(0):
        states = [philox_round(state, key) for state in states]
    hits = torch.zeros_like(offset)
    for block, words in zip(blocks, states):
        for j, word in enumerate(words):
            hits = hits - ((block - limits[j] & distance(word)) >> 63)  # both are negative: minus one
    return hits.sum()


def product(word, low, high):
    """The high and low word of a word times the constant with the halves ``low`` and ``high``, by products of halves."""
    a, b = word & 0xFFFF, (word >> 16) & 0xFFFF  # int32's shift copies the sign
    middle = a * high + ((a * low >> 16) & 0xFFFF)  # below 2^32, like ``other``
    other = b * low + (middle & 0xFFFF)
    return b * high + ((middle >> 16) & 0xFFFF) + ((other >> 16) & 0xFFFF), (a * low) + ((a * high + b * low) << 16)


def half_distance(word):
    """(x (x + 1) + y (y + 1)) / 2, whose sign bit is set for a miss."""
    x, y = word & 0xFFFF, (word >> 16) & 0xFFFF
    return ((x * x + x >> 1) & 0x7FFFFFFF) + ((y * y + y >> 1) & 0x7FFFFFFF)


def count_hits_by_halves(offset, first, limits, keys):
    """``count_hits`` with each word in an int32, for processors whose vectors have no product of 64 bits."""
    block = torch.arange(2 * len(offset), dtype=torch.int32, device=offset.device)  # made here, it stays in registers
    # Zero in every lane: Inductor computes a single number in C++'s int32, whose overflow is undefined.
    c2 = c3 = block ^ block
    c0, c1 = first.to(torch.int32) + block, (first >> 32).to(torch.int32) ^ c3
    for key in keys.to(torch.int32).unbind(0):
        (p0, low0), (p1, low1) = product(c0, 0x1F53, 0xD251), product(c2, 0x8D57, 0xCD9E)
        c0, c1, c2, c3 = p1 ^ (c1 ^ key[0]), low1, p0 ^ (c3 ^ key[1]), low0
    limits = (limits - first).clamp(max=2**31 - 1).to(torch.int32)
    hits = torch.zeros_like(block)
    for j, word in enumerate((c0, c1, c2, c3)):
        hits = hits - ((block - limits[j] & ~half_distance(word)) >> 31)  # both are negative: minus one
    return hits.sum()


compiler_options = {
    "torch_dynamo": {"dynamic": True},
    "torch_aot": {"dynamic": True},
    "torch_inductor": {
        "dynamic": True,  # one program for every number of points
        "options": {"cpp.dynamic_threads": True},  # threads are split at run time, not by the first call's length
        # The loop stores no array, so it can be so long that calls and threads cost little. With AVX2, Inductor multiplies
        # vectors of int64 lane by lane, but vectors of int32 in one instruction.
        "run": {"length": 2**20, **({"count": count_hits_by_halves} if CAPABILITY == "AVX2" else {})},
    },
}


def run(points, seed, *, count=count_hits, length=None, device="cpu"):
    return hits_between(0, [(points + 3 - j) // 4 for j in range(4)], seed, count, length, device)


def blocks(first, last, seed, *, count=count_hits, length=None, device="cpu"):
    hits = torch.zeros((), dtype=torch.int64, device=device)
    while first < last:
        end = min(last, first // 2**32 * 2**32 + 2**32)
        hits += hits_between(first, [end] * 4, seed, count, length, device)
        first = end
    return hits


def hits_between(first, limits, seed, count, length, device):
    """Hits in the blocks from ``first`` on, by ``count`` for each part of them. Word j counts in blocks below limits[j]."""
    keys = [((seed + i * 0x9E3779B9) % 2**32, ((seed >> 32) + i * 0xBB67AE85) % 2**32) for i in range(10)]
    keys = torch.tensor(keys, device=device)
    length = ON_GPU if device != "cpu" else length or LENGTH  # a processor's caches limit it, a GPU's do not
    last = limits[0]
    limits = torch.tensor(limits, device=device)
    offset = torch.arange(min(length, last - first) + FEWEST, device=device)  # at least as long as any part
    hits = torch.zeros((), dtype=torch.int64, device=device)
    for start in range(first, last, 2 * length):
        elements = min(length, max((last - start + 1) // 2, FEWEST))
        hits += count(offset[:elements], offset.new_full((), start), limits, keys)  # no copy from the host
    return hits
