"""black_scholes in Warp: a thread for each option. On the CPU log and exp call the C library, one number at a time."""

import warp as wp

wp.set_module_options({"enable_backward": False})  # no gradients are needed; they would be compiled too

RATE, VOLATILITY = wp.constant(0.02), wp.constant(0.30)
A1, A2, A3 = wp.constant(0.319381530), wp.constant(-0.356563782), wp.constant(1.781477937)
A4, A5 = wp.constant(-1.821255978), wp.constant(1.330274429)

Options = wp.array(dtype=float)


@wp.func
def tail(d: float):
    """The normal distribution below -|d|."""
    k = 1.0 / (1.0 + 0.2316419 * wp.abs(d))
    return wp.exp(-0.5 * d * d) * 0.3989422804014327 * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))


@wp.kernel
def price(spot: Options, strike: Options, time: Options, call: Options, put: Options):
    i = wp.tid()
    deviation = VOLATILITY * wp.sqrt(time[i])
    d1 = (wp.log(spot[i] / strike[i]) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * time[i]) / deviation
    d2 = d1 - deviation
    tail1, tail2 = tail(d1), tail(d2)
    up1, down1 = wp.where(d1 > 0.0, 1.0 - tail1, tail1), wp.where(d1 > 0.0, tail1, 1.0 - tail1)
    up2, down2 = wp.where(d2 > 0.0, 1.0 - tail2, tail2), wp.where(d2 > 0.0, tail2, 1.0 - tail2)
    discounted = strike[i] * wp.exp(-RATE * time[i])
    call[i] = spot[i] * up1 - discounted * up2
    put[i] = discounted * down2 - spot[i] * down1


def run(spot, strike, time):
    call, put = wp.empty_like(spot), wp.empty_like(spot)
    wp.launch(price, spot.size, [spot, strike, time], [call, put], device=spot.device)
    return call, put
