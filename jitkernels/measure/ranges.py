"""Count ranges of philox_pi's blocks in a worker process."""

import socket
import time

from jitkernels import kernels, machine, settings
from jitkernels.availability import unavailable
from jitkernels.backends.table import find_backend
from jitkernels.case import prepare
from jitkernels.errors import Unavailable
from jitkernels.kernels.philox_pi import BLOCKS, MOST_BLOCKS
from jitkernels.measure.rows import Row
from jitkernels.version import __version__

KERNEL = "philox_pi"
CHECKERS = ("c", "numba", "jax", "tensorflow_xla", "torch_inductor", "numpy", "python")  # the quickest first
PARTS = 32  # parts of a range: one takes half a second to count again
TRIAL_SECONDS = 0.3  # seconds of one call: enough to know the speed to a few per cent


def count(first: int, last: int, seed: int, backend: str) -> Row:
    """Count the hits of blocks ``first`` up to, and without, ``last``. Return the fields of a line of the ledger.

    Inside ``seconds``: the counting, and a compilation if the process has no program yet.
    """
    begin = time.perf_counter()
    case = prepare(KERNEL, backend, 1, spelling=BLOCKS)
    step = -(-(last - first) // PARTS)
    starts = range(first, last, step)
    parts = [int(case.with_inputs(start, min(start + step, last), seed).value()) for start in starts]
    return {
        **{"first": first, "last": last, "seed": seed, "hits": sum(parts), "step": step, "parts": parts},
        **{"backend": backend, "seconds": time.perf_counter() - begin},
        **{"host": socket.gethostname(), "machine": machine.identity()},
        **{"version": __version__, "versions": case.compiler.versions()},
    }


def count_again(first: int, last: int, seed: int, backend: str) -> Row:
    """Do the same on this machine's quickest other backend. Raises Unavailable if there is none."""
    kernel, device = kernels.load(KERNEL), settings.device()
    names = [name for name in CHECKERS if name != backend and not unavailable(kernel, find_backend(name), device)]
    if not names:
        raise Unavailable(f"no backend other than {backend} runs here, so nothing can be counted again")
    return count(first, last, seed, names[0])


def speed(backend: str) -> float:
    """Return how many blocks a second this backend counts, without its compilation."""
    blocks, passed = 2**8, 0.0
    count(0, blocks, 0, backend)
    while passed < TRIAL_SECONDS and blocks < MOST_BLOCKS:
        blocks *= 4
        passed = count(0, blocks, 0, backend)["seconds"]
    return blocks / passed
