"""What a compiler produces, and how long it takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Artifacts:
    """Texts by stage, in the pipeline's order, and exact counts.

    ``texts`` maps the compiler's own name of a stage (jaxpr, LLVM IR, PTX ...) to its text.
    ``counts`` maps a name to a whole number that is the same on every run (operations, fusions, graph breaks, bytes).
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Stages:
    """The wall seconds of one compilation, by stage and as a whole; empty where there is no compiler.

    seconds: by the compiler's own names of its stages, in the pipeline's order; no second is in two of them.
    total: wall seconds around all of it. cpu_seconds: of all threads and child processes in the meantime.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    total: float | None = None
    cpu_seconds: float | None = None

    @property
    def other(self) -> float | None:
        """Return the wall seconds that are in the whole and in none of its stages."""
        return None if self.total is None else self.total - sum(self.seconds.values())
