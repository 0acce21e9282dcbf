"""mandelbrot in plain Python: a loop for each point, which ends when the point has left."""

from array import array

MOST = 200


def count(x, y):
    zx = zy = 0.0
    for n in range(MOST):
        xx, yy = zx * zx, zy * zy
        if not xx + yy <= 4:
            return n
        zx, zy = xx - yy + x, 2 * zx * zy + y
    return MOST


def run(x, y):
    columns, rows = x.tolist(), y.tolist()  # plain floats: NumPy's are slow one by one
    return [array("i", [count(x, y) for x in columns]) for y in rows]
