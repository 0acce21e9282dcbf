"""layer_norm in PyTorch."""

from torch.nn.functional import layer_norm


def run(x, scale, offset):
    return layer_norm(x, x.shape[1:], scale, offset, 1e-5)
