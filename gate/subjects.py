"""What is compared: two commits, built, and the cells of their suites."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gate.builds import Environment, Side, prepare
from gate.commits import Commit
from gate.errors import InfrastructureError
from gate.measure import Cell, cells_of
from gate.workers import Worker


@dataclass(frozen=True)
class Subjects:
    """``known``: cells of HEAD's suite, which measures both. ``former``: of BASE's. ``versions``: of what measures them.
    ``seconds``: for making all this."""

    environment: Environment
    sides: tuple[Side, Side]
    known: dict[str, Cell]
    former: dict[str, Cell]
    versions: dict[str, str]
    seconds: float


def made(repository: Path, base: Commit, head: Commit, directory: Path, told: Callable[[str], None]) -> Subjects:
    """Build both commits below ``directory``, and find what there is to measure."""
    begin = time.monotonic()
    directory.mkdir(parents=True)
    told("the environment, and both builds")
    environment = Environment(repository, directory / "log.txt")
    sides = prepare(repository, base, head, directory, environment)
    known = cells_of(_discovered(environment, sides[1], sides[1].suite))
    former = cells_of(_discovered(environment, sides[0], directory / "base" / "benchmarks"))
    return Subjects(environment, sides, known, former, environment.versions(), time.monotonic() - begin)


def _discovered(environment: Environment, side: Side, root: Path) -> dict[str, dict]:
    """The attributes of each benchmark of the suite ``root``, over the library of ``side``."""
    with Worker(side, environment, environment.log.parent, root, None) as worker:
        said = worker.answer()
    if said is None:
        raise InfrastructureError(f"the suite of {side.commit.short} can't be imported; {environment.log} says why")
    return said["benchmarks"]
