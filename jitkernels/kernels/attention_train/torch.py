"""attention_train in PyTorch: a user compiles the forward pass up to the loss, and the compiler compiles its backward pass
too. Differentiation and the update stay outside, as in a training loop with an optimiser.
"""

import torch
from torch.nn.functional import cross_entropy, gelu, layer_norm, linear, scaled_dot_product_attention

RATE = 0.1


def attention(qkv, heads: int = 4):  # a default, because TorchScript reads no global number
    batch, sequence, projections = qkv.shape
    q, k, v = qkv.view(batch, sequence, 3, heads, projections // (3 * heads)).transpose(1, 3).unbind(2)
    # each of q, k, v is (batch, heads, sequence, width / heads)
    return scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, sequence, projections // 3)


def forward_loss(parameters: dict[str, torch.Tensor], x, labels):
    p = parameters  # weights go transposed to linear, which takes (out, in)
    width = x.shape[-1:]
    qkv = linear(layer_norm(x, width, p["scale1"], p["shift1"]), p["w_qkv"].T, p["b_qkv"])
    y = x + linear(attention(qkv), p["w_out"].T, p["b_out"])  # (batch, sequence, width)
    u = linear(layer_norm(y, width, p["scale2"], p["shift2"]), p["w1"].T, p["b1"])  # (batch, sequence, hidden)
    z = y + linear(gelu(u, approximate="tanh"), p["w2"].T, p["b2"])
    logits = linear(z.mean(dim=1), p["w_head"].T, p["b_head"])  # (batch, classes)
    return cross_entropy(logits, labels)


def run(parameters, x, labels, *, loss=forward_loss):
    leaves = {name: p.detach().requires_grad_() for name, p in parameters.items()}
    value = loss(leaves, x, labels)
    gradients = torch.autograd.grad(value, list(leaves.values()))
    updated = [torch.sub(p, gradient, alpha=RATE) for p, gradient in zip(parameters.values(), gradients)]
    return value.detach(), dict(zip(parameters, updated))
