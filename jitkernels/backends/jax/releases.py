"""The differences between releases of JAX since 0.4.20. The other modules are written for today's release.

Each function tests for a feature; the number beside it is the first release that has it.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.experimental

from jitkernels.errors import Unavailable

enable_x64: Callable[[bool], Any] = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64  # 0.8.0


def keywords_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments of ``jax.jit`` for these options of the compiler (0.4.36). An older release uses its
    own options, as for its users."""
    return {"compiler_options": options} if "compiler_options" in inspect.signature(jax.jit).parameters else {}


def trace(jitted: Any, static: Sequence[str], arguments: Sequence[Any]) -> Any:
    """Return ``jitted.trace(*arguments)`` (0.4.30)."""
    return jitted.trace(*arguments) if hasattr(jitted, "trace") else _Trace(jitted, static, arguments)


class _Trace:
    """``jaxpr``, and ``lower``, which traces again."""

    def __init__(self, jitted: Any, static: Sequence[str], arguments: Sequence[Any]) -> None:
        self.lower = lambda: jitted.lower(*arguments)
        places = list(inspect.signature(jitted).parameters)
        self.jaxpr = jax.make_jaxpr(jitted.__wrapped__, static_argnums=tuple(map(places.index, static)))(*arguments)


def require_stages() -> None:
    """Raise Unavailable if tracing and lowering are one call that cannot be timed apart."""
    if not hasattr(jax.jit(abs), "trace"):
        raise Unavailable(f"JAX {jax.__version__} traces and lowers in one call: its stages cannot be timed apart")


def costs(compiled: Any) -> dict[str, float]:
    """Return XLA's own estimate of a program. Before 0.5.0 it is in a list of one."""
    analysis: Any = compiled.cost_analysis()
    return dict(analysis[0] if isinstance(analysis, list) else analysis)
