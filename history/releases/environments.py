"""The environments of releases: asv creates them; this module checks them, and removes those that a run no longer needs. It
also holds the suite that runs in them, and reads and writes their results and records."""

import contextlib
import functools
import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asv.config import Config
from asv.environment import get_environments
from packaging.utils import canonicalize_name

from benchmarks import _selection as selection
from duet import BenchmarkCase, Side, SideError, discover
from duet.builds import unpack
from history.errors import require_free
from history.releases import index
from history.releases.table import CONFIGURATION, Compiler, Release
from history.store import records
from history.store.lines import conditions
from history.store.records import ReleaseLine
from history.store.results import RESULTS, Measured, is_number, of_commit
from jitkernels.files import write
from jitkernels.machine import identity

ASV = [str(Path(sys.executable).with_name("asv")), "--config", str(CONFIGURATION)]
LOG = Path(".asv/releases.log")
DIRECTORY = Path(".asv/release-duets")  # for a run of duets: the suite, and caches by environment
PATIENCE = 10  # seconds for asv to end after SIGINT
LONGEST_REASON = 300  # characters


class CannotMeasureError(Exception):
    """asv could not install the release or run in its environment. The message is the reason."""


@dataclass
class ReleaseEnvironment:
    """A release's environment, with its results and records on this machine.

    commit: of this library, which is installed too. lock: the lock's file descriptor, which asv inherits.
    """

    release: Release
    python: str
    commit: str
    lock: int
    _log_start: int = field(default=0, init=False)  # where the last run's part of the log begins, in bytes

    @property
    def name(self) -> str:
        return self.release.environment_name(self.python)

    @functools.cached_property
    def path(self) -> Path:
        """The directory. asv names it by a hash."""
        (environment,) = get_environments(Config.load(str(CONFIGURATION)), [self.name], verbose=False)
        return Path(environment._path)

    @property
    def side(self) -> Side:
        """The release's side of a duet, with the suite that ``Environments.suite`` puts into DIRECTORY."""
        return Side(self.release.version, str(self.path / "bin" / "python"), None, DIRECTORY.resolve() / "benchmarks")

    def create(self) -> dict[str, str]:
        """Have asv create the environment, anew if it is incomplete, and return the installed versions.

        Raises CannotMeasureError if the release requires other versions.
        """
        required = self.release.requirements
        if self.path.exists() and (wrong := mismatch(required, self.installed())):
            print(f"    half installed: {wrong}; made anew", flush=True)
            self.remove()
        if self.run("--bench", "just-discover"):
            self.remove()
            raise CannotMeasureError(f"cannot be installed: {self.last_error()}")
        installed = self.installed()
        if wrong := mismatch(required, installed):
            self.remove()
            raise CannotMeasureError(f"not what was asked for: {wrong}")
        return installed

    def run(self, *arguments: str, variables: Mapping[str, str] | None = None) -> int:
        """Run ``asv run`` for the commit in this environment, and return its exit status. The log gets the output."""
        command = [*ASV, "run", f"{self.commit}^!", "--environment", self.name, "--show-stderr", *arguments]
        environment = {**os.environ, **(variables or {})}
        with LOG.open("a") as log:
            self._log_start = log.tell()
            with subprocess.Popen(
                command, stdout=log, stderr=log, env=environment, start_new_session=True, pass_fds=[self.lock]
            ) as process:
                try:
                    return process.wait()
                except BaseException:  # Ctrl-C ends this process, so asv and its benchmarks must end too
                    _end(process)
                    raise

    def installed(self) -> dict[str, str]:
        """Return versions by package, as the table spells it; {} if the environment's Python does not run."""
        try:
            _, installed = self.side.installed()
        except SideError:
            return {}
        spelling = {canonicalize_name(name): name for name in self.release.requirements}
        return {spelling.get(canonicalize_name(name), name): version for name, version in installed.items()}

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def last_error(self) -> str:
        """Return the last error of the last run: pip's, or else any."""
        text = LOG.read_bytes()[self._log_start :].decode(errors="replace")
        lines = [line.strip() for line in text.splitlines()]
        errors = [line for line in lines if line.startswith("ERROR")] or [line for line in lines if "Error" in line]
        return (errors or [f"{LOG} says why"])[-1][:LONGEST_REASON]

    def values(self, cases: Iterable[str]) -> dict[str, float | None]:
        """Return the value of each benchmark case: a number, NaN if it was skipped or has not run, None if it failed."""
        values = {name: measured.values[place] for name, measured, place in self._stored()}
        return {case: values.get(case, math.nan) for case in cases}

    def figures(self, cases: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return a value, the quartiles of its samples and their number, of the benchmark cases that have a number."""
        figures = {}
        for name, measured, place in self._stored():
            value = measured.values[place]
            if name in cases and is_number(value):
                low, high, samples = (measured.column(f"stats_{column}", place) for column in ("q_25", "q_75", "repeat"))
                figures[name] = {"value": value, "low": low, "high": high, "samples": samples}
        return figures

    def outcome(self) -> ReleaseLine | None:
        """Return the outcome of the last complete measurement."""
        outcome = records.load(records.beside(self.result_file)).outcome
        return outcome if outcome and outcome["status"] != records.BEGUN else None

    def add_outcome(self, line: Mapping[str, Any]) -> None:
        """Add an outcome beside the results. The environment need not exist."""
        records.append(records.beside(self.result_file), "environment", {**line, "commit": self.commit})

    def packages(self) -> dict[str, dict[str, str]]:
        """Return versions by backend and package, as the measuring processes recorded them."""
        return records.load(records.written(self.commit, self.name)).installed()

    def forget(self) -> None:
        """Remove the results, which were measured with wrong packages."""
        self.result_file.unlink(missing_ok=True)
        records.written(self.commit, self.name).unlink(missing_ok=True)

    @contextlib.contextmanager
    def preserved(self) -> Iterator[None]:
        """Restore the present results when the block ends."""
        file = self.result_file
        before = file.read_bytes() if file.exists() else None
        try:
            yield
        finally:
            if before is None:
                file.unlink(missing_ok=True)
            else:
                write(file, before)

    @property
    def result_file(self) -> Path:
        """The path of asv's file of results."""
        return RESULTS / identity() / f"{self.commit[:8]}-{self.name}.json"

    def _stored(self) -> Iterator[tuple[str, Measured, int]]:
        return of_commit(identity(), self.commit, self.name)


@dataclass
class Environments:
    """The environments of releases, and those of them that duets need at a time.

    python: its version X.Y. commit: of this library, which is installed in each. lock: the lock's file descriptor, which
    asv inherits. keep: leave the environments on disk. lost: versions of the present suite's compiler that could not be
    installed.
    """

    python: str
    commit: str
    lock: int
    keep: bool = False
    lost: set[str] = field(default_factory=set, init=False)
    _installed: dict[str, ReleaseEnvironment] = field(default_factory=dict, init=False)  # by version

    def of(self, release: Release) -> ReleaseEnvironment:
        """Return the environment of a release, which need not exist."""
        return ReleaseEnvironment(release, self.python, self.commit, self.lock)

    def remove(self, environment: ReleaseEnvironment) -> None:
        """Remove an environment, unless all are kept."""
        if not self.keep:
            environment.remove()

    @contextlib.contextmanager
    def suite(self, compiler: Compiler) -> Iterator[dict[str, BenchmarkCase]]:
        """Put the commit's suite into DIRECTORY, and yield the benchmark cases of a compiler's duets by name. At the end,
        remove the suite and all environments."""
        directory = DIRECTORY.resolve()
        shutil.rmtree(directory, ignore_errors=True)  # left by a run that was killed
        directory.mkdir(parents=True)
        self.lost = set()  # another compiler may have had the same versions, and its caller keeps the former set
        try:
            unpack(Path.cwd(), self.commit, directory, "benchmarks")
            cases = discover(Side("suite", sys.executable, None, directory / "benchmarks"), directory / "log.txt")
            yield {name: cases[name] for name in selection.of_release_duet(cases, compiler.backends)}
        finally:
            self.remove_all_but()
            shutil.rmtree(directory, ignore_errors=True)

    def side(self, compiler: Compiler, release: Release) -> Side | None:
        """Return the side of a release, and create its environment if needed; None if it cannot be installed."""
        if release.version not in self._installed and release.version not in self.lost:
            require_free(compiler.space(release), "the next release")
            environment = self.of(release)
            try:
                environment.create()
            except CannotMeasureError as error:
                index.require(release, self.python)
                print(f"    {release} is left out: {error}", flush=True)
                self.lost.add(release.version)
            else:
                self._installed[release.version] = environment
        installed = self._installed.get(release.version)
        return installed.side if installed else None

    def line(self, compiler: Compiler, base: Release, release: Release, side: Side) -> dict[str, Any]:
        """Return the fields of every line on two releases of a compiler. side: whose Python is recorded."""
        ends = {"compiler": compiler.name, "base": base.version, "release": release.version}
        return {"suite": self.commit, **conditions(side.versions(())["python"], release.requirements), **ends}

    def remove_all_but(self, *releases: Release) -> None:
        """Remove the environments and caches of other releases."""
        for version in self._installed.keys() - {release.version for release in releases}:
            shutil.rmtree(DIRECTORY / f"{version}.caches", ignore_errors=True)
            self.remove(self._installed.pop(version))


def mismatch(required: Mapping[str, str], installed: Mapping[str, str]) -> str | None:
    """Return in words how the installed versions differ from the required ones; None if they do not.

    A local version (2.13.0+cpu) counts as the same release.
    """
    wrong = [
        f"{name} {version} was asked for, and {installed.get(name, 'none')} is there"
        for name, version in required.items()
        if installed.get(name, "").partition("+")[0] != version
    ]
    return "; ".join(wrong) or None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a session: the process, and everything that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        os.killpg(process.pid, signal.SIGKILL)
