"""Measure one side alone, as its users run it: no core is chosen, and threads and memory are the user's.

A process starts for each of the launch's groups of cases and imports what they share. Then each case is measured in a fork,
one at a time. Leave the ``with`` block and enter another one for a further process of each case: forks of one process have
one memory layout.
"""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from duet.cases import BenchmarkCase, Launch
from duet.process import Child
from duet.rounds import TIMEOUT
from duet.samples import Measurement
from duet.sides import Side


class Alone(contextlib.ExitStack):
    """The processes of one side."""

    def __init__(self, side: Side, cases: Iterable[BenchmarkCase], directory: Path, launch: Launch, samples: int) -> None:
        """Start them, and wait until they have imported what they need. directory: exists; gets ``log.txt`` and caches.
        samples: of a process, in place of the suite's own number. Raises SideError."""
        super().__init__()
        self._launch, self._samples = launch, samples
        self._children: dict[str, Child] = {}
        groups: dict[str, list[str]] = defaultdict(list)
        for case in cases:
            groups[launch.group(case.name)].append(case.name)
        for group, names in groups.items():
            variables = launch.variables(names, directory / "caches")
            self._children[group] = self.enter_context(Child(side, directory / "log.txt", variables))
        for child in self._children.values():
            child.answer()

    def measure(self, case: BenchmarkCase, variables: Mapping[str, str]) -> Measurement:
        """Measure a case in a process of its own. variables: of its environment, beside the group's."""
        child = self._children[self._launch.group(case.name)]
        child.request(
            {
                "id": case.id,
                "attributes": {"repeat": self._samples},
                "turns": 0,
                "timeout": case.attributes.get("timeout") or TIMEOUT,
                "fault": None,
                "directory": None,
                "variables": dict(variables),
            }
        )
        return Measurement.of(child.answer())
