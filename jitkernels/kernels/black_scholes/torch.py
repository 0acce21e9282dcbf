"""black_scholes in PyTorch. The constants stand in the functions, because TorchScript sees no global numbers."""

import torch


def cdf(d):
    """The normal distribution, and one minus it."""
    A1, A2, A3, A4, A5 = 0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429
    k = 1 / (1 + 0.2316419 * torch.abs(d))
    tail = torch.exp(-0.5 * d * d) * 0.3989422804014327 * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
    return torch.where(d > 0, 1 - tail, tail), torch.where(d > 0, tail, 1 - tail)


def run(spot, strike, time):
    rate, volatility = 0.02, 0.30
    deviation = volatility * torch.sqrt(time)
    d1 = (torch.log(spot / strike) + (rate + 0.5 * volatility**2) * time) / deviation
    up1, down1 = cdf(d1)
    up2, down2 = cdf(d1 - deviation)
    discounted = strike * torch.exp(-rate * time)
    return spot * up1 - discounted * up2, discounted * down2 - spot * down1
