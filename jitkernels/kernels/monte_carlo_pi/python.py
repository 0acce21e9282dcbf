"""monte_carlo_pi in plain Python: the seed article's loop."""

import random


def run(points: int, seed: int) -> float:
    draw = random.Random(seed).random  # an own generator: the caller's global one is left alone
    hits = 0
    for _ in range(points):
        x = draw()
        y = draw()
        if x * x + y * y < 1.0:
            hits += 1
    return 4.0 * hits / points
