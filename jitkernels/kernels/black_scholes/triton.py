"""black_scholes in Triton: each program takes one block of options."""

import torch
import triton
import triton.language as tl


@triton.jit
def cdf(d):
    """The normal distribution, and one minus it."""
    A1, A2, A3, A4, A5 = 0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429
    k = 1 / (1 + 0.2316419 * tl.abs(d))
    tail = tl.exp(-0.5 * d * d) * 0.3989422804014327 * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
    return tl.where(d > 0, 1 - tail, tail), tl.where(d > 0, tail, 1 - tail)


@triton.jit
def price(spot, strike, time, call, put, n, BLOCK: tl.constexpr):
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = place < n
    s = tl.load(spot + place, mask=inside, other=1.0)
    x = tl.load(strike + place, mask=inside, other=1.0)
    t = tl.load(time + place, mask=inside, other=1.0)
    rate, volatility = 0.02, 0.30
    deviation = volatility * tl.sqrt(t)
    d1 = (tl.log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation
    up1, down1 = cdf(d1)
    up2, down2 = cdf(d1 - deviation)
    discounted = x * tl.exp(-rate * t)
    tl.store(call + place, s * up1 - discounted * up2, mask=inside)
    tl.store(put + place, discounted * down2 - s * down1, mask=inside)


def run(spot, strike, time):
    call, put = torch.empty_like(spot), torch.empty_like(spot)
    block = 1024
    price[(triton.cdiv(spot.numel(), block),)](spot, strike, time, call, put, spot.numel(), BLOCK=block)
    return call, put


kernel = price
signature = dict.fromkeys(("spot", "strike", "time", "call", "put"), "*fp32") | {"n": "i32", "BLOCK": 1024}
