"""Two commits as the sides of a duet: both libraries, built and installed over one environment of compilers.

asv installs a commit into its environment anew whenever it turns to the other one. The library is plain Python, so here each
commit has a directory of its own, which comes before the environment: turning costs nothing, and both sides have the very
same compilers.
"""

import contextlib
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duet
from benchmarks import _selection
from duet import BenchmarkCase, Side
from gate.commits import Commit, unpack
from gate.errors import InfrastructureError

PROJECT = "jitkernels"


class Launch(duet.Launch):
    """How the processes of this repository's suite begin: with the framework's modules imported, and caches by side."""

    def group(self, case: str) -> str:
        return f"{_selection.family(case) or 'no backend'} ({_selection.launched(case)})"

    def needs_threads(self, case: str) -> bool:
        return _selection.needs_threads(case)

    def variables(self, cases: Sequence[str], directory: Path) -> dict[str, str]:
        first, *others = dict.fromkeys(_selection.backend_of(case) for case in cases)
        return _selection.environments(first, directory, *others)[_selection.launched(cases[0])]


@dataclass(frozen=True)
class Subjects:
    """Two commits that are ready to be measured. ``cases``: of HEAD's suite, which measures both. ``former``: of BASE's.
    ``versions``: of Python and of what asv.conf.json pins. ``seconds``: that the builds took."""

    base: Commit
    head: Commit
    sides: tuple[Side, Side]
    cases: dict[str, BenchmarkCase]
    former: dict[str, BenchmarkCase]
    versions: dict[str, str]
    seconds: float


def build(repository: Path, base: Commit, head: Commit, directory: Path, report_progress: Callable[[str], None]) -> Subjects:
    """Build both commits below ``directory``, which must not exist, and find their benchmark cases. InfrastructureError."""
    begin = time.monotonic()
    directory.mkdir(parents=True)
    log = directory / "log.txt"
    report_progress("asv's environment")
    python, pinned = _asv_environment(repository, log)
    for name, commit in (("base", base), ("head", head)):
        report_progress(f"the build of {name.upper()}, {commit.short}")
        (directory / name).mkdir()
        unpack(repository, commit, directory / name)
        _install(python, directory / name, directory / f"{name}.library", log)
    suite = directory / "head" / "benchmarks"
    sides = tuple(Side(name, python, directory / f"{name}.library", suite) for name in ("base", "head"))
    report_progress("the benchmark cases of both suites")
    cases = duet.discover(sides[1], log)
    former = duet.discover(replace(sides[0], suite=directory / "base" / "benchmarks"), log)
    seconds = time.monotonic() - begin
    return Subjects(base, head, (sides[0], sides[1]), cases, former, sides[1].versions(pinned), seconds)


def _install(python: str, source: Path, library: Path, log: Path) -> None:
    """Build ``source`` and install it into the directory ``library``, without its dependencies."""
    wheels = library.with_name(f"{library.name}.wheels")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(source)], log)
    _run([*pip, "install", "--no-deps", "--no-index", "--target", str(library), *map(str, wheels.glob("*.whl"))], log)


def _run(command: list[str], log: Path) -> None:
    with log.open("a") as output:
        if subprocess.run(command, stdout=output, stderr=output).returncode:
            raise InfrastructureError(f"`{' '.join(command[2:6])} ...` failed; {log} says why")


def _asv_environment(repository: Path, log: Path) -> tuple[str, list[str]]:
    """Make asv's environment for asv.conf.json if it is missing; return its Python, and the names of what is pinned."""
    from asv import environment  # here: asv takes a second
    from asv.config import Config

    with log.open("a") as output, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            with contextlib.chdir(repository):
                conf = Config.load("asv.conf.json")
                environments = list(environment.get_environments(conf, None))
                if len(environments) == 1:
                    environments[0].create()
                    pinned = [name.removeprefix("pip+") for name in sorted(conf.matrix.get("req", {}))]
                    return environments[0].find_executable("python"), pinned
        except Exception as error:
            line = (str(error) or type(error).__name__).splitlines()[0]
            raise InfrastructureError(f"asv's environment could not be made: {line}; {log} says more") from error
    raise InfrastructureError(f"asv.conf.json makes {len(environments)} environments here; one is needed")
