"""The environments of a compiler's releases that duets need at a time, and the suite that runs in them."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import _selection as selection
from duet import BenchmarkCase, Side, discover
from duet.builds import unpack
from history.errors import require_free
from history.releases.conditions import require_index
from history.releases.environment import CannotMeasureError, ReleaseEnvironment
from history.releases.table import Compiler, Release, Table

DIRECTORY = Path(".asv/release-duets")  # of a run: the suite, and caches by environment


@dataclass
class Environments:
    """commit: of this library, which is installed in each. lock: a file descriptor, which asv inherits. keep: they stay on
    disk."""

    table: Table
    commit: str
    lock: int
    keep: bool = False
    _by_version: dict[str, ReleaseEnvironment | None] = field(default_factory=dict, init=False)  # None: not installable

    def python(self, compiler: Compiler, release: Release) -> str | None:
        """Return the Python of a release's environment, which is created the first time; None if it cannot be installed."""
        if release.version not in self._by_version:
            require_free(compiler.space(release), "the next release")
            environment = ReleaseEnvironment(release, self.table.python, self.commit, self.lock)
            try:
                environment.create()
            except CannotMeasureError as error:
                require_index(release, self.table.python)
                print(f"    {release} is left out: {error}", flush=True)
                self._by_version[release.version] = None
            else:
                self._by_version[release.version] = environment
        known = self._by_version[release.version]
        return str(known.path / "bin" / "python") if known else None

    def is_lost(self, release: Release) -> bool:
        """True if the release could not be installed."""
        return self._by_version.get(release.version, ...) is None

    def lost(self) -> int:
        """Return how many releases could not be installed."""
        return sum(environment is None for environment in self._by_version.values())

    def remove_all_but(self, *releases: Release) -> None:
        """Remove the environments and caches of other releases."""
        others = self._by_version.keys() - {release.version for release in releases}
        for version, environment in [(each, self._by_version[each]) for each in others]:
            if environment:
                del self._by_version[version]
                shutil.rmtree(DIRECTORY / f"{version}.caches", ignore_errors=True)
                if not self.keep:
                    environment.remove()


@contextmanager
def suite(commit: str, compiler: Compiler) -> Iterator[dict[str, BenchmarkCase]]:
    """Have the suite of a commit in DIRECTORY, and yield the benchmark cases of a compiler's duets by name."""
    directory = DIRECTORY.resolve()
    shutil.rmtree(directory, ignore_errors=True)  # of a run that was killed
    directory.mkdir(parents=True)
    try:
        unpack(Path.cwd(), commit, directory, "benchmarks")
        everything = discover(Side("suite", sys.executable, None, directory / "benchmarks"), directory / "log.txt")
        yield {name: everything[name] for name in selection.of_release_duet(everything, compiler.backends)}
    finally:
        shutil.rmtree(directory, ignore_errors=True)
