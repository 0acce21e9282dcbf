"""Both commits' libraries side by side, over one environment of compilers.

asv installs a commit into its environment anew whenever it turns to the other one. The library is plain Python, so here each
commit lies in a directory of its own, which PYTHONPATH puts before the environment: turning costs nothing, and both
sides have the very same compilers.
"""

import contextlib
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from gate.commits import Commit, unpack
from gate.errors import InfrastructureError


@dataclass(frozen=True)
class Side:
    """``name``: "base" or "head". ``suite``: the benchmarks that measure it. ``library``: what PYTHONPATH is."""

    name: str
    commit: Commit
    library: Path
    suite: Path


class Environment:
    """The Python that has the compilers which asv.conf.json pins: asv's own environment, made by asv where it is missing."""

    def __init__(self, repository: Path, log: Path) -> None:
        self.log = log
        self.project, self.name, self.python, self.pinned = _of_asv(repository, log)

    def install(self, source: Path, library: Path) -> None:
        """Build the files in ``source`` and install them, without what they need, into the directory ``library``."""
        wheels = library.with_name(f"{library.name}.wheels")
        pip = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        self._run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(source)])
        built = [str(wheel) for wheel in wheels.glob("*.whl")]
        self._run([*pip, "install", "--no-deps", "--no-index", "--target", str(library), *built])

    def versions(self) -> dict[str, str]:
        """What is installed of what asv.conf.json pins, and Python itself."""
        program = (
            "import importlib.metadata as m, json, platform, sys\n"
            "have = {d.name.lower().replace('_', '-'): d.version for d in m.distributions()}\n"
            "print(json.dumps({'python': platform.python_version(), **{n: have[n] for n in sys.argv[1:] if n in have}}))"
        )
        names = [name.removeprefix("pip+").lower().replace("_", "-") for name in self.pinned]
        command = [self.python, "-c", program, *names]
        answer = subprocess.run(command, capture_output=True, text=True)
        if answer.returncode:
            raise InfrastructureError(f"{self.python} does not say what is installed: {answer.stderr.strip()[-200:]}")
        return json.loads(answer.stdout)

    def _run(self, command: list[str]) -> None:
        with self.log.open("a") as log:
            if subprocess.run(command, stdout=log, stderr=log).returncode:
                raise InfrastructureError(f"`{' '.join(command[2:6])} ...` failed; {self.log} says why")


def prepare(repository: Path, base: Commit, head: Commit, directory: Path, environment: Environment) -> tuple[Side, Side]:
    """Both libraries, built and installed below ``directory``. HEAD's suite measures both: one ruler."""
    for name, commit in (("base", base), ("head", head)):
        (directory / name).mkdir(parents=True)
        unpack(repository, commit, directory / name)
        environment.install(directory / name, directory / f"{name}.library")
    suite = directory / "head" / "benchmarks"
    return tuple(
        Side(name, commit, directory / f"{name}.library", suite) for name, commit in (("base", base), ("head", head))
    )


def machine() -> str:
    """The machine's name, as asv files its results under it; the host's where asv was not told one."""
    from asv.machine import Machine, MachineCollection  # here: asv takes a second
    from asv.util import UserError

    name = Machine.get_unique_machine_name()
    try:
        return str(MachineCollection.load(name)["machine"])
    except UserError:
        return name


def _of_asv(repository: Path, log: Path) -> tuple[str, str, str, list[str]]:
    """asv's environment for asv.conf.json as it stands: the names of project and environment, its python, what is pinned."""
    from asv import environment  # here: asv takes a second, which a question about the usage need not wait for
    from asv.config import Config

    with log.open("a") as sink, contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), _inside(repository):
        try:
            conf = Config.load("asv.conf.json")
            found = list(environment.get_environments(conf, None))
            if len(found) != 1:
                raise InfrastructureError(f"asv.conf.json makes {len(found)} environments here; one is needed")
            found[0].create()
            return conf.project, found[0].name, found[0].find_executable("python"), sorted(conf.matrix.get("req", {}))
        except InfrastructureError:
            raise
        except Exception as error:
            line = (str(error) or type(error).__name__).splitlines()[0]
            raise InfrastructureError(f"asv's environment could not be made: {line}; {log} says more") from error


@contextlib.contextmanager
def _inside(directory: Path):
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)
