"""The base of all backends with torch's tensors, including Triton."""

from typing import Any

import numpy as np
import torch

from jitkernels.backends.compiler import Compiler, map_entries
from jitkernels.errors import Unavailable


class Tensors(Compiler):
    """A backend whose arguments and results are torch's tensors."""

    def limit(self, count: int) -> None:
        """The number takes effect at once, also in Inductor's code: its cache depends on the number, or the program reads it
        when it runs."""
        torch.set_num_threads(count)

    def put(self, value: Any) -> Any:
        """NumPy's arrays and numbers become tensors on the device, in torch's own memory, which is aligned to 64 bytes.
        Python's numbers stay, and ``run`` converts them if needed."""
        name = device_name(self.device)
        is_numpy_s = isinstance(value, np.ndarray | np.generic)
        return torch.from_numpy(np.asarray(value)).to(name, copy=True) if is_numpy_s else value

    @staticmethod
    def wait(result: Any) -> Any:
        """On the CPU a returned result is finished. On a GPU one wait is for all work on the device."""
        parts = [result]
        while parts:
            part = parts.pop()
            if isinstance(part, tuple | list | dict):
                parts += part.values() if isinstance(part, dict) else part
            elif getattr(part, "is_cuda", False):
                torch.cuda.synchronize(part.device)
                break
        return result

    @staticmethod
    def fetch(result: Any) -> Any:
        return map_entries(_fetched, result)


def device_name(device: str) -> str:
    """Return torch's name of the device; Unavailable if torch finds no such device."""
    if device == "cpu":
        return "cpu"
    if not torch.cuda.is_available():
        raise Unavailable("torch sees no GPU: this machine has none, or this build of torch is for the CPU")
    return "cuda"


def _fetched(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return value.item() if value.ndim == 0 else value.numpy(force=True)
