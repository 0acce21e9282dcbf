"""How far apart the same code was seen to be, by cell, on this machine: ``.asv/gate/noise.json``.

Each run of the same code against itself, and each cell that a verdict found unchanged, adds one number: how far the ratio of
the two sides lay from 1. What 95 % of them stay below is the cell's noise; a change that is smaller is not reported.
"""

import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy

SCHEMA = 3  # another way of measuring has another noise
KEPT = 100  # numbers a cell: what is older was another machine, in effect
FEW = 10  # below this many the largest is taken


@dataclass
class Noise:
    """``seen``: distances from 1, as fractions, by cell."""

    file: Path
    seen: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def load(cls, file: Path) -> "Noise":
        """What is stored; nothing where there is no file, or none that can be read."""
        try:
            stored = json.loads(file.read_text())
            if stored["schema"] != SCHEMA:
                return cls(file)
            return cls(file, {str(cell): [float(number) for number in numbers] for cell, numbers in stored["seen"].items()})
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            return cls(file)

    def of(self, cell: str) -> float:
        """As a fraction; 0.0 for a cell that was never seen."""
        numbers = self.seen.get(cell, [])
        if not numbers:
            return 0.0
        return float(max(numbers) if len(numbers) < FEW else numpy.quantile(numbers, 0.95))

    def learn(self, cell: str, ratio: float) -> None:
        """Of two sides that are the same."""
        self.seen[cell] = [*self.seen.get(cell, []), math.exp(abs(math.log(ratio))) - 1][-KEPT:]

    def save(self) -> None:
        """All of it or nothing."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        whole = self.file.with_suffix(f".{os.getpid()}")
        whole.write_text(json.dumps({"schema": SCHEMA, "seen": self.seen}, allow_nan=False))
        whole.replace(self.file)
