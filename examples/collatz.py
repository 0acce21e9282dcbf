"""Count the steps from each number to 1 by Collatz's rule: branches, and a loop whose length depends on the data.

NumPy computes both branches for all numbers until the last number is 1. Compiled loops compute only what each number needs.

    jitkernels compare examples/collatz.py
"""

import jax
import jax.numpy as jnp
import numpy as np

sizes = [100, 10_000]


def inputs(size, rng):
    return (rng.integers(1, 10_000, size, dtype="int32"),)


def collatz_numpy(numbers):
    left, steps = numbers.copy(), np.zeros_like(numbers)
    while (left > 1).any():
        steps += left > 1
        left = np.where(left <= 1, left, np.where(left % 2 == 0, left // 2, 3 * left + 1))
    return steps


def collatz_numba(numbers):
    steps = np.zeros_like(numbers)
    for i in range(numbers.size):
        left = numbers[i]
        while left > 1:
            left = left // 2 if left % 2 == 0 else 3 * left + 1
            steps[i] += 1
    return steps


def collatz_jax(numbers):
    def step(state):
        left, steps = state
        following = jnp.where(left % 2 == 0, left // 2, 3 * left + 1)
        return jnp.where(left > 1, following, left), steps + (left > 1)

    return jax.lax.while_loop(lambda state: (state[0] > 1).any(), step, (numbers, jnp.zeros_like(numbers)))[1]
