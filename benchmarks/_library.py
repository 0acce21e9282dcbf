"""What the suite takes from the library beside its public names.

HEAD's suite measures older commits too: those of ``asv run`` over a range, and the gate's base. So what not every version
of jitkernels has is loaded in the function that uses it, and a version that lacks it skips the benchmark, with the reason.
"""

import importlib
from typing import Any

try:
    from jitkernels.backends import caches as caches
    from jitkernels.backends.table import BACKENDS as BACKENDS
except ImportError:  # the homes that both had from the first commit to b623357
    from jitkernels import caches as caches  # type: ignore[attr-defined,no-redef]
    from jitkernels.backends import BACKENDS as BACKENDS  # type: ignore[attr-defined,no-redef]

DISTRIBUTIONS = {  # what pip calls a dialect's framework and its compiler's parts
    "numpy": ("numpy",),
    "numba": ("numba", "llvmlite", "numpy"),
    "jax": ("jax", "jaxlib", "numpy"),
    "tensorflow": ("tensorflow", "tensorflow-cpu", "numpy"),
    "torch": ("torch", "triton", "numpy"),
    "triton": ("triton", "torch", "numpy"),
}
PACKAGES = ("jitkernels.measure", "jitkernels.backends", "jitkernels")  # where modules have had their home, the newest first


def load(name: str, *attributes: str) -> Any:
    """Return the library's module of this name, wherever this version of the library has it.

    Raises NotImplementedError, asv's word for a skip, where it has no such module, or the module lacks an attribute.
    """
    for package in PACKAGES:
        home = f"{package}.{name}"
        try:
            module = importlib.import_module(home)
        except ModuleNotFoundError as error:
            if error.name not in (home, package):
                raise  # the module is there, and what it imports is not
            continue
        if lacking := [attribute for attribute in attributes if not hasattr(module, attribute)]:
            raise NotImplementedError(f"this version of jitkernels has no {name}.{lacking[0]}")
        return module
    raise NotImplementedError(f"this version of jitkernels has no {name}")
