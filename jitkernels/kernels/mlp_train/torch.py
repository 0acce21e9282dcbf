"""mlp_train in PyTorch: a user compiles the forward pass up to the loss, and the compiler compiles its backward pass too.
Differentiation and the update stay outside, as in a training loop with an optimiser.
"""

import torch
from torch.nn.functional import cross_entropy, linear

RATE = 0.01


def forward_loss(parameters: dict[str, torch.Tensor], x, labels):
    p = parameters
    h1 = torch.relu(linear(x, p["w1"].T, p["b1"]))  # (batch, hidden); T, because linear takes a weight as (out, in)
    h2 = torch.relu(linear(h1, p["w2"].T, p["b2"]))
    logits = linear(h2, p["w3"].T, p["b3"])  # (batch, classes)
    return cross_entropy(logits, labels)


def run(parameters, x, labels, *, loss=forward_loss):
    leaves = {name: p.detach().requires_grad_() for name, p in parameters.items()}
    value = loss(leaves, x, labels)
    gradients = torch.autograd.grad(value, list(leaves.values()))
    updated = [torch.sub(p, gradient, alpha=RATE) for p, gradient in zip(parameters.values(), gradients)]
    return value.detach(), dict(zip(parameters, updated))
