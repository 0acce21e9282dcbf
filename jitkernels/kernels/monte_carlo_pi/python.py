"""monte_carlo_pi in plain Python: the seed article's loop."""

import random


def run(points: int, seed: int) -> float:
    draw = random.Random(seed).random  # its own generator: the global one does not change
    hits = 0
    for _ in range(points):
        x = draw()
        y = draw()
        if x * x + y * y < 1.0:
            hits += 1
    return 4.0 * hits / points
