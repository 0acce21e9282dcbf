"""nbody in TensorFlow. XLA writes the weights of all pairs to memory. In ``scan`` it adds one body's pull on all others at a
time, so only the accelerations are written.
"""

import tensorflow as tf

STEPS, DT, SOFTENING = 10, 0.01, 0.1


def accelerations(r, masses):
    dx, dy, dz = [c[None, :] - c[:, None] for c in tf.unstack(r)]  # [i, j]: from body i to body j
    squared = dx * dx + dy * dy + dz * dz + SOFTENING**2
    weight = masses / (squared * tf.sqrt(squared))
    return tf.stack([tf.reduce_sum(weight * d, axis=1) for d in (dx, dy, dz)])


def accelerations_by_scan(r, masses):
    x, y, z = tf.unstack(r)
    ax, ay, az = tf.zeros_like(x), tf.zeros_like(y), tf.zeros_like(z)
    for j in tf.range(tf.size(masses)):
        dx, dy, dz = x[j] - x, y[j] - y, z[j] - z
        squared = dx * dx + dy * dy + dz * dz + SOFTENING**2
        weight = masses[j] / (squared * tf.sqrt(squared))
        ax, ay, az = ax + weight * dx, ay + weight * dy, az + weight * dz
    return tf.stack([ax, ay, az])


def leapfrog(positions, velocities, masses, accelerate):
    r, v, a = positions, velocities, accelerate(positions, masses)
    for _ in tf.range(STEPS):
        v += DT / 2 * a
        r += DT * v
        a = accelerate(r, masses)
        v += DT / 2 * a
    return r, v


def run(positions, velocities, masses):
    return leapfrog(positions, velocities, masses, accelerations)


def scan(positions, velocities, masses):
    return leapfrog(positions, velocities, masses, accelerations_by_scan)
