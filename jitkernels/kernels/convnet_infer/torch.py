"""convnet_infer in PyTorch: a user compiles ``logits``, the model as a function of its parameters."""

import contextlib

import torch
import torch.nn.functional as F  # noqa: N812  # the name that everyone gives it


def logits(parameters: dict[str, torch.Tensor], x):
    p = parameters
    h = F.max_pool2d(F.relu(F.conv2d(x, p["w1"], p["b1"], stride=4, padding=2)), 3, 2)
    h = F.max_pool2d(F.relu(F.conv2d(h, p["w2"], p["b2"], padding=2)), 3, 2)
    h = F.relu(F.conv2d(h, p["w3"], p["b3"], padding=1))
    h = F.relu(F.conv2d(h, p["w4"], p["b4"], padding=1))
    h = F.max_pool2d(F.relu(F.conv2d(h, p["w5"], p["b5"], padding=1)), 3, 2)
    h = F.relu(F.linear(h.flatten(1), p["w6"], p["b6"]))
    h = F.relu(F.linear(h, p["w7"], p["b7"]))
    return F.linear(h, p["w8"], p["b8"])


def exact(device):
    """Within this context, convolutions have all 24 bits of float32; on a GPU cuDNN's default is TF32."""
    if device.type == "cpu":
        return contextlib.nullcontext()
    return torch.backends.cudnn.flags(enabled=True, allow_tf32=False)


def run(parameters, x, *, model=logits):
    with exact(x.device):
        return model(parameters, x)
