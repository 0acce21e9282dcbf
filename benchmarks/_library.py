"""What the suite uses of the library besides its public names.

HEAD's suite measures older commits too: those of ``asv run`` over a range, and the gate's base. So a module that some
versions of jitkernels lack is loaded in the function that uses it. A version that lacks it skips the benchmark, with the
reason.
"""

import importlib
import os
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

try:
    from jitkernels.backends import caches as caches
    from jitkernels.backends.table import BACKENDS as BACKENDS
except ImportError:  # where both were from the first commit to b623357
    from jitkernels import caches as caches  # type: ignore[no-redef]
    from jitkernels.backends import BACKENDS as BACKENDS

PACKAGES = ("jitkernels.measure", "jitkernels.backends", "jitkernels")  # packages that have had modules, the newest first


def load(name: str, *attributes: str) -> Any:
    """Return the library's module of this name, in whichever package this version has it.

    Raises NotImplementedError (asv's skip) if there is no such module, or it lacks an attribute.
    """
    for package in PACKAGES:
        home = f"{package}.{name}"
        try:
            module = importlib.import_module(home)
        except ModuleNotFoundError as error:
            if error.name not in (home, package):
                raise  # the module exists, but an import of it is missing
            continue
        if lacking := [attribute for attribute in attributes if not hasattr(module, attribute)]:
            raise NotImplementedError(f"this version of jitkernels has no {name}.{lacking[0]}")
        return module
    raise NotImplementedError(f"this version of jitkernels has no {name}")


def compiler_of(row: Any) -> Any:
    """Return the compiler of a backend, a row of the table; None if this process has not loaded its framework.

    Up to b623357 a framework was driven by a module, whose functions take the mode and the device.
    """
    device = os.environ.get("JITKERNELS_DEVICE") or "cpu"  # as prepare has checked
    module = sys.modules.get(getattr(row, "module", f"jitkernels.backends.{row.dialect}"))
    if module is None:
        return None
    if hasattr(row, "framework"):
        return load("compiler", "class_of").class_of(row.framework)(row, device)
    return SimpleNamespace(
        versions=module.versions,
        threads=lambda: module.threads(row.mode),
        interpreted=module.interpreted(row.mode, device),
        device=device,
    )


def distributions(row: Any) -> tuple[str, ...]:
    """Return pip's names of all packages whose versions affect a backend's speed. row: of the table."""
    return tuple(row.framework.versioned if hasattr(row, "framework") else row.packages)


def jit(case: Any) -> Any:
    """Return the case's function as its user decorates it."""
    mode = (case.backend.mode,) if isinstance(case.compiler, ModuleType) else ()
    return case.compiler.jit(case.source.run, *mode, case.source.static)
