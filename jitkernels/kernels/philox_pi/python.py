"""philox_pi in plain Python: the definition, word by word."""

M0, M1 = 0xD2511F53, 0xCD9E8D57
W0, W1 = 0x9E3779B9, 0xBB67AE85
WORD = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Philox4x32-10: four 32-bit words of the counter, two of the key -> four words."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = M0 * c0, M1 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & WORD, (p0 >> 32) ^ c3 ^ k1, p0 & WORD
        k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
    return c0, c1, c2, c3


def inside(word: int) -> bool:
    """Whether the point that a word encodes lies inside the quarter circle."""
    x, y = word & 0xFFFF, word >> 16
    return x * (x + 1) + y * (y + 1) < 1 << 32


def run(points: int, seed: int) -> int:
    return hits_between(0, points, seed)


def blocks(first: int, last: int, seed: int) -> int:
    return hits_between(first, 4 * last, seed)


def hits_between(first: int, points: int, seed: int) -> int:
    """Hits of the points below ``points``, without those of the blocks below ``first``."""
    key = seed & WORD, seed >> 32
    hits = 0
    for block in range(first, (points + 3) // 4):
        words = philox((block & WORD, block >> 32, 0, 0), key)
        hits += sum(map(inside, words[: points - 4 * block]))
    return hits
