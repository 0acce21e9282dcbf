"""What a compiler produced, and how long it took."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Artifacts:
    """Texts by stage, in the pipeline's order, and exact counts.

    ``texts`` maps a stage's name, as the compiler's own users say it, to what stands there (jaxpr, LLVM IR, PTX ...).
    ``counts`` maps a name to a whole number that is the same on every run (operations, fusions, graph breaks, bytes).
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Stages:
    """One compilation in wall seconds by stage, and its whole; nothing at all where there is no compiler.

    seconds: by the compiler's own names of its stages, in the pipeline's order; no second is in two of them.
    total: wall seconds around all of it. cpu_seconds: of all threads and child processes in the meantime.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    total: float | None = None
    cpu_seconds: float | None = None

    @property
    def other(self) -> float | None:
        """Wall seconds that are in the whole and in none of its stages."""
        return None if self.total is None else self.total - sum(self.seconds.values())
