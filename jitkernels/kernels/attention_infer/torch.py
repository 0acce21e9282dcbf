"""attention_infer in PyTorch. ``linear`` takes a weight as (out, in), so each weight is passed transposed; that copies
nothing.
"""

import torch
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention


def attention(qkv, heads: int = 4):  # a default, because TorchScript reads no global number
    batch, sequence, projections = qkv.shape
    q, k, v = qkv.view(batch, sequence, 3, heads, projections // (3 * heads)).transpose(1, 3).unbind(2)
    # each of q, k, v is (batch, heads, sequence, width / heads)
    return scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, sequence, projections // 3)


def run(parameters: dict[str, torch.Tensor], x):
    p = parameters
    width = x.shape[-1:]
    qkv = linear(layer_norm(x, width, p["scale1"], p["shift1"]), p["w_qkv"].T, p["b_qkv"])
    y = x + linear(attention(qkv), p["w_out"].T, p["b_out"])  # (batch, sequence, width)
    u = linear(layer_norm(y, width, p["scale2"], p["shift2"]), p["w1"].T, p["b1"])  # (batch, sequence, hidden)
    z = y + linear(gelu(u, approximate="tanh"), p["w2"].T, p["b2"])
    return linear(z.mean(dim=1), p["w_head"].T, p["b_head"])  # (batch, classes)
