"""convnet_train in PyTorch: a user compiles ``forward_loss``, and the compiler compiles its backward pass too.
Differentiation and the update stay outside, as in a training loop with an optimiser.
"""

import contextlib

import torch
import torch.nn.functional as F  # noqa: N812  # the name that everyone gives it

RATE = 0.01


def forward_loss(parameters: dict[str, torch.Tensor], x, labels):
    p = parameters
    h = F.max_pool2d(F.relu(F.conv2d(x, p["w1"], p["b1"], stride=4, padding=2)), 3, 2)
    h = F.max_pool2d(F.relu(F.conv2d(h, p["w2"], p["b2"], padding=2)), 3, 2)
    h = F.relu(F.conv2d(h, p["w3"], p["b3"], padding=1))
    h = F.relu(F.conv2d(h, p["w4"], p["b4"], padding=1))
    h = F.max_pool2d(F.relu(F.conv2d(h, p["w5"], p["b5"], padding=1)), 3, 2)
    h = F.relu(F.linear(h.flatten(1), p["w6"], p["b6"]))
    h = F.relu(F.linear(h, p["w7"], p["b7"]))
    return F.cross_entropy(F.linear(h, p["w8"], p["b8"]), labels)


def exact(device):
    """Within this context, convolutions have all 24 bits of float32; on a GPU cuDNN's default is TF32."""
    if device.type == "cpu":
        return contextlib.nullcontext()
    return torch.backends.cudnn.flags(enabled=True, allow_tf32=False)


def forward(parameters, x, labels, *, loss=forward_loss):
    """The loss, and the leaf tensors to differentiate it by. The caller's own tensors do not change."""
    leaves = {name: p.detach().requires_grad_() for name, p in parameters.items()}
    return loss(leaves, x, labels), leaves


def run(parameters, x, labels, *, loss=forward_loss):
    with exact(x.device):
        value, leaves = forward(parameters, x, labels, loss=loss)
        gradients = torch.autograd.grad(value, list(leaves.values()))
    updated = [torch.sub(p, gradient, alpha=RATE) for p, gradient in zip(parameters.values(), gradients)]
    return value.detach(), dict(zip(parameters, updated))
