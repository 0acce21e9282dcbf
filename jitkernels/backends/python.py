"""The interpreter: nothing is compiled, nothing is asynchronous."""

import dis
import io
import platform
from collections.abc import Callable, Sequence
from typing import Any

from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.source import Source


def versions() -> dict[str, str]:
    return {platform.python_implementation().lower(): platform.python_version()}


def threads(mode: str) -> int:
    return 1


def limit(mode: str, count: int) -> None:
    """One thread, whatever is asked for."""


def interpreted(mode: str, device: str) -> bool:
    return False  # the interpreter is what this backend is, not a stand-in


def start(mode: str, device: str) -> None:
    """Nothing to start."""


def compile(source: Source, mode: str, device: str) -> Callable[..., Any]:
    assert source.run is not None
    return source.run


def put(value: Any, device: str) -> Any:
    return value


def wait(result: Any) -> Any:
    return result


def fetch(result: Any) -> Any:
    return result


def forget() -> None:
    """Nothing was compiled."""


def programs() -> int:
    return 0


def from_disk() -> int:
    return 0


def jit(function: Callable[..., Any], mode: str, static: Sequence[str] = (), whole: bool = False) -> Any:
    return function


def breaks() -> int:
    return 0


def stages(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
    return Stages()


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The byte code of ``run``, nested functions too."""
    text = io.StringIO()
    dis.dis(source.run, file=text)
    operations = sum(1 for _ in dis.get_instructions(compile(source, mode, device)))
    return Artifacts({"bytecode": text.getvalue()}, {"bytecode_operations": operations})
