"""mlp_infer in PyTorch. ``linear`` takes a weight as (out, in), so each weight is passed transposed; that copies nothing."""

import torch
from torch.nn.functional import linear


def run(parameters: dict[str, torch.Tensor], x):
    p = parameters
    h1 = torch.relu(linear(x, p["w1"].T, p["b1"]))  # (batch, hidden)
    h2 = torch.relu(linear(h1, p["w2"].T, p["b2"]))
    return linear(h2, p["w3"].T, p["b3"])  # (batch, classes)
