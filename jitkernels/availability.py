"""Reasons why a case cannot run here, as far as known without importing a framework or allocating memory."""

import functools
import importlib.util
import os
import sys

from jitkernels import machine, source
from jitkernels.backends import toolchain
from jitkernels.backends.table import FRAMEWORKS, Backend, Framework
from jitkernels.kernel import RUN, Kernel


def absent(kernel: Kernel, backend: Backend, spelling: str = RUN) -> str | None:
    """Return why the kernel is not written for this backend; None if it is."""
    if kernel.function:
        return None
    if not source.path(kernel.name, backend.dialect).exists():
        default = backend.framework.absent or f"{kernel.name} is not written in {backend.dialect}"
        return kernel.absent.get(backend.dialect, default)
    return kernel.spelling(spelling).absent.get(backend.dialect)


def unavailable(kernel: Kernel, backend: Backend, device: str) -> str | None:
    """Return why this case cannot run here, or None. No framework is imported, so some reasons stay unknown."""
    if reason := absent(kernel, backend):
        return reason
    framework = backend.framework
    if device not in framework.devices:
        return f"{backend.name} has no {device} mode; it runs on the {' and the '.join(framework.devices)}"
    if kernel.function and device in framework.interpreted_on:
        return f"{backend.name} has no compiler for the {device}: its interpreter's time would tell nothing"
    for package in framework.packages:
        if not _installed(package):
            return f"{package} is not installed: pip install {_requirement(framework)}"
    if kernel.arguments and not _installed("numpy"):
        return f"{kernel.name} works on arrays, and numpy is not installed: pip install 'jitkernels[numpy]'"
    return disabled(backend) or _clash(backend) or toolchain.missing(backend.toolchain)


def too_large(kernel: Kernel, size: int) -> str | None:
    """Return why a case of this size does not fit into free memory; None if it may fit."""
    needed, free = kernel.bytes_needed(size), machine.available_bytes()
    if needed <= free:
        return None
    subject = f"arguments of size {size}" if kernel.function else f"{size} {kernel.unit}"
    return f"{subject} need at least {needed / 1e9:.3g} GB of memory, and {free / 1e9:.3g} GB are available"


def disabled(backend: Backend) -> str | None:
    """Return why this would be another compiler, or none, with the user's environment variables; None if it would not."""
    values = {variable: os.environ.get(variable, "") for variable in backend.disabled_by}
    reasons = (f"{name}={value}" for name, value in values.items() if value.lower() in backend.disabled_by[name])
    return next((f"{reason} makes it another compiler or none: unset that variable" for reason in reasons), None)


def _clash(backend: Backend) -> str | None:
    library, earlier = backend.clash or ("", "")
    if earlier not in sys.modules or library in sys.modules or not _installed(library):
        return None
    return (
        f"it imports {library}, which aborts a process that imported {earlier} before: "
        f"import {library} first, or give {backend.name} a process of its own"
    )


def _requirement(framework: Framework) -> str:
    """Return what pip must install: an extra of this package; for a plugin's framework, its own distributions."""
    if framework in FRAMEWORKS:
        return f"'jitkernels[{framework.dialect}]'"
    return " ".join(framework.distributions or framework.packages)


@functools.cache
def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
