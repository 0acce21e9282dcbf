"""nbody in TensorFlow."""

import tensorflow as tf

STEPS, DT, SOFTENING = 10, 0.01, 0.1


def accelerations(r, masses):
    dx, dy, dz = [c[None, :] - c[:, None] for c in tf.unstack(r)]  # [i, j]: from body i to body j
    squared = dx * dx + dy * dy + dz * dz + SOFTENING**2
    weight = masses / (squared * tf.sqrt(squared))
    return tf.stack([tf.reduce_sum(weight * d, axis=1) for d in (dx, dy, dz)])


def run(positions, velocities, masses):
    r, v, a = positions, velocities, accelerations(positions, masses)
    for _ in tf.range(STEPS):
        v += DT / 2 * a
        r += DT * v
        a = accelerations(r, masses)
        v += DT / 2 * a
    return r, v
