"""The device that kernels run on: the one place that reads ``JITKERNELS_DEVICE``."""

import os

VARIABLE = "JITKERNELS_DEVICE"
DEVICES = ("cpu", "gpu")


def chosen() -> str:
    """The device asked for: ``"cpu"`` (the default) or ``"gpu"``; ValueError for any other word."""
    device = os.environ.get(VARIABLE) or "cpu"
    if device not in DEVICES:
        raise ValueError(f"unknown device {device!r} in {VARIABLE}; known: {', '.join(DEVICES)}")
    return device
