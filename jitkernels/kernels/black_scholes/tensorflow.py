"""black_scholes in TensorFlow."""

import tensorflow as tf

RATE, VOLATILITY = 0.02, 0.30
A1, A2, A3, A4, A5 = 0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429


def cdf(d):
    """The normal distribution, and one minus it."""
    k = 1 / (1 + 0.2316419 * tf.abs(d))
    tail = tf.exp(-0.5 * d * d) * 0.3989422804014327 * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
    return tf.where(d > 0, 1 - tail, tail), tf.where(d > 0, tail, 1 - tail)


def run(spot, strike, time):
    deviation = VOLATILITY * tf.sqrt(time)
    d1 = (tf.math.log(spot / strike) + (RATE + 0.5 * VOLATILITY**2) * time) / deviation
    up1, down1 = cdf(d1)
    up2, down2 = cdf(d1 - deviation)
    discounted = strike * tf.exp(-RATE * time)
    return spot * up1 - discounted * up2, discounted * down2 - spot * down1
