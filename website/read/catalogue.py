"""What the library's tables say about kernels, backends and releases. Results may name others."""

import functools
import tomllib
from pathlib import Path
from typing import Any

from jitkernels import availability, kernels
from jitkernels.backends.table import BACKENDS
from website.schema import index as schema

RELEASES = Path(__file__).parents[2] / "releases.toml"


def kernel(name: str) -> schema.Kernel:
    """Return a kernel's row of the index."""
    if name not in kernels.names():
        return {"name": name, "what": "not a kernel of this version", "remark": None, "size": "size", "unit": "size"}
    spec = kernels.load(name)
    return {"name": name, "what": spec.summary, "remark": spec.remark or None, "size": spec.unit, "unit": spec.unit}


def no_cost(name: str) -> str | None:
    """Return why a kernel has no roof; None if it has one, or if the reason is unknown."""
    return kernels.load(name).no_cost or None if name in kernels.names() else None


def backend(name: str) -> schema.Backend:
    """Return a backend's row of the index."""
    line = BACKENDS.get(name)
    if line is None:
        return {"name": name, "dialect": None, "what": "not a backend of this version", "eager": None}
    return {"name": name, "dialect": line.dialect, "what": line.what, "eager": line.eager}


def releases(compiler: str) -> list[str]:
    """Return the versions of a compiler that the table of releases has."""
    return [release["version"] for release in _compiler(compiler).get("releases", ())]


def notes(compiler: str) -> dict[str, str]:
    """Return what that table says about releases of a compiler, by version."""
    return dict(_compiler(compiler).get("notes", {}))


def causes(compiler: str) -> list[dict[str, Any]]:
    """Return what that table says of the causes of a compiler's steps."""
    return [cause for cause in _table().get("causes", ()) if cause["compiler"] == compiler]


def parts(compiler: str) -> tuple[list[str], list[str]]:
    """Return the files of a compiler that are exchanged to explain a step, and the names of what is switched off."""
    entry = _compiler(compiler)
    return list(entry.get("files", ())), list(entry.get("switches", {}))


def _compiler(name: str) -> dict[str, Any]:
    return dict(_table()["compilers"].get(name, {}))


@functools.cache
def _table() -> dict[str, Any]:
    return tomllib.loads(RELEASES.read_text(encoding="utf-8"))


def absent(kernel_name: str, backend_name: str) -> str | None:
    """Return why the kernel has no file for the backend; None if it has one, or if the reason is unknown."""
    line = BACKENDS.get(backend_name)
    if line is None or kernel_name not in kernels.names():
        return None
    return availability.absent(kernels.load(kernel_name), line)
