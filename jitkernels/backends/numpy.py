"""NumPy: whole-array operations that were compiled long ago; nothing is compiled here."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitkernels.artifacts import Artifacts
from jitkernels.backends.python import breaks, compile, forget, interpreted, jit, programs, put, stages, start, threads, wait
from jitkernels.source import Source

__all__ = [
    "artifacts", "breaks", "compile", "fetch", "forget", "interpreted", "jit", "programs", "put", "stages", "start",
    "threads", "versions", "wait",
]  # fmt: skip  # one line a name would be the longest thing in this file


def versions() -> dict[str, str]:
    return {"numpy": np.__version__}


def fetch(result: Any) -> Any:
    """NumPy scalars become Python's, in tuples, lists and dictionaries too; arrays stay."""
    if isinstance(result, dict):
        return {name: fetch(entry) for name, entry in result.items()}
    if isinstance(result, tuple | list):
        return type(result)(map(fetch, result))
    return result.item() if isinstance(result, np.generic) else result


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    return Artifacts()
