"""Functions for ``compare``, as a user's file has them."""

import os
import sys
import threading
import time

import numpy as np

CALLS = [0]


def inputs(size, rng):
    return (rng.random((size, 4), dtype="float32"),)


def right(x):
    return np.sqrt(x).sum(axis=1)


def with_loops(x):
    total = np.zeros(x.shape[0], x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total[i] += np.sqrt(x[i, j])
    return total


def in_tensorflow(x):
    import tensorflow as tf

    return tf.reduce_sum(tf.sqrt(x), axis=1)


BUFFER = np.empty(50)


def into_buffer(x):
    return np.sum(x, axis=1, out=BUFFER)


def wrong_into_buffer(x):
    return np.mean(x, axis=1, out=BUFFER)


def pairs(size, rng):
    return rng.random(size).reshape(-1, 2), 3


def scaled(x, count):
    return x * count


def doubled(x):
    return x * 2


def wrong(x):
    return right(x) + np.float32(0.5)


def raises(x):
    raise RuntimeError(f"no such axis: {x.ndim}")


def dies(x):
    os._exit(7)


def hangs(x):
    threading.Event().wait()


def slow(x):
    time.sleep(0.11)  # just above the test's clock.SLOW_SECONDS
    return right(x)


def prints(x):
    print("printed by a function")
    print("and here", file=sys.stderr)
    return right(x)


def in_place(x):
    x += 1
    return right(x - 1)


def random(x):
    return right(x) * (1 + np.random.default_rng().random())


def ever_other(x):
    return np.random.default_rng().random(x.shape[0])


def first_right_then_wrong(x):
    CALLS[0] += 1
    return right(x) + (CALLS[0] > 3)


def nothing(x):
    pass


def generator(x):
    yield x


async def coroutine(x):
    return x


def two_arguments(x, y):
    return x


def namespace(xp, x):
    return xp.sum(xp.sqrt(x), 1)


def too_large(size, rng):
    return (np.empty((2**50, size)),)


def ever_new(size, rng):
    return (np.random.default_rng().random(size),)


def asserts(x):
    assert x.ndim == 7, "seven axes"
    return x


def of_fifty_rows(x):
    assert x.shape[0] == 50, "fifty rows"
    return right(x)


def of_float32(x):
    assert x.dtype == "float32", "single precision"
    return right(x)


def row_sums(x, z):
    return x.sum(axis=1), z.sum(axis=1)


def row_sums_in_double(x, z):
    return x.sum(axis=1, dtype="float64").astype(x.dtype), z.sum(axis=1, dtype="complex128").astype(z.dtype)


def sensitive(xp, x):
    return xp.sin(x * 1e6)


def wide(size, rng):
    return (rng.random(size),)


def of_many_dtypes(size, rng):
    whole = rng.integers(0, 9, size)
    narrow = [whole.astype(dtype) for dtype in ("bool", "uint8", "int16", "float16", "complex64", "complex128")]
    return *narrow, np.float32(2), 3, True


def sums(*values):
    return sum(value * np.float64(1) for value in values)


def roots(x):
    with np.errstate(invalid="ignore"):
        return np.sqrt(x - np.float32(0.5)).ravel()
