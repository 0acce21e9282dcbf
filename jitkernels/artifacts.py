"""What a compiler produced."""

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
