"""Measure one side alone, as its users run it: no core is chosen, and threads and memory are the user's."""

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from duet.cases import BenchmarkCase, Launch
from duet.process import Child
from duet.samples import Measurement
from duet.sides import Side

Measure = Callable[[BenchmarkCase, Mapping[str, str]], Measurement]


@contextlib.contextmanager
def alone(side: Side, cases: Iterable[BenchmarkCase], directory: Path, launch: Launch, samples: int) -> Iterator[Measure]:
    """Start a process for each of the launch's groups, which imports what its cases share, and yield a function.

    The function measures a case in a fork of its group's process. Its second argument adds environment variables for that
    fork. All forks of a process share its memory layout, so enter the block again for each further process of a case.
    directory: must exist; gets ``log.txt`` and caches. samples: of a fork, not the suite's number. Raises SideError.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        groups[launch.group(case.name)].append(case.name)
    with contextlib.ExitStack() as stack:
        children = {
            group: stack.enter_context(Child(side, directory / "log.txt", launch.variables(names, directory / "caches")))
            for group, names in groups.items()
        }
        for child in children.values():
            child.first_answer()  # all imports are done, so from now on only measurements run

        def measure(case: BenchmarkCase, variables: Mapping[str, str]) -> Measurement:
            child = children[launch.group(case.name)]
            child.request_case(case, attributes={"repeat": samples}, variables={**variables})
            return Measurement.of(child.answer(), child.reason)

        yield measure
