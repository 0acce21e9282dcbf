"""The ladder's run: release by release its environment, its cells, what came of it; the reference release in between."""

import fcntl
import math
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asv.util import load_json
from packaging.version import Version

from benchmarks import _selection as selection
from benchmarks._selection import OWN_CACHES, launched
from history import slices
from history.bench import all_cases, backend_of, by_backend, clock, is_number
from history.releases import index as release_index
from history.releases.environment import CannotMeasureError, Environment
from history.releases.results import BEGUN, Stored, mismatch, now
from history.releases.table import BASE, Compiler, Release, Table

TURN = 4  # releases from one turn of the reference to the next: a quarter to half an hour, in which a machine may drift
LOCK = Path(".asv/releases.lock")


class StopError(Exception):
    """Why the ladder cannot go on: one line, and the exit status."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


@dataclass
class Ladder:
    """keep: whether environments stay. again: whether releases that have their points are measured once more."""

    table: Table
    stored: Stored
    lock: int
    keep: bool = False
    again: bool = False

    def climb(self, compiler: Compiler, releases: list[Release]) -> int:
        """Measure a compiler's releases that are not measured yet; how many could not be."""
        todo = [release for release in releases if self.again or not self.is_measured(compiler, release)]
        print(f"{compiler.name}: {len(todo)} of {len(releases)} releases to measure", flush=True)
        for release in releases:
            before = self.outcome(release)
            if before and before["status"] == "failed" and release not in todo:
                print(f"    {release} failed before ({before['reason']}); AGAIN=1 tries it again")
        reference = compiler.release(pinned(compiler))
        failed, begin = 0, time.monotonic()
        for place, release in enumerate(todo):
            if place % TURN == 0:
                self.turn(compiler, reference)
            print(f"[{place + 1:2}/{len(todo)}] {release}, {clock(begin)} since the start", flush=True)
            require_free(space(compiler, release), "the next release")
            failed += not self.measure(compiler, release)
            if not self.keep and release != reference:
                self.environment(release).remove()
        if todo:
            self.turn(compiler, reference)
            if not self.keep:
                self.environment(reference).remove()
        return failed

    def is_measured(self, compiler: Compiler, release: Release) -> bool:
        """Whether a release has its point, with as many cells as are asked for today: one that was measured before some were
        added gets those."""
        outcome = self.outcome(release)
        if outcome is None or outcome["status"] != "ok":
            return outcome is not None
        return sum(outcome.get("cells", {}).values()) >= len(selection.of_release(all_cases(), compiler.backends))

    def measure(self, compiler: Compiler, release: Release) -> bool:
        """A release's cells, and what came of it beside them; False where it could not be measured."""
        environment, began = self.environment(release), now()
        told = {
            "compiler": compiler.name, "package": compiler.package, "release": release.version,
            "published": str(release.published), "requirements": release.requirements, "began": began,
        }  # fmt: skip
        try:
            installed = environment.make()
            self.stored.say_environment(environment.name, status=BEGUN, **told)
            cells = selection.of_release(all_cases(), compiler.backends)
            self.run(environment, cells)
            before = None if self.again else self.outcome(release)
            afresh = [*(before or {}).get("afresh", []), *self.run_afresh(environment, cells)]
            self.compare(compiler, environment, [cell for cell in cells if backend_of(cell) in compiler.backends])
        except CannotMeasureError as error:
            self.require_index(release)
            print(f"    failed: {error}", flush=True)
            self.stored.say_environment(environment.name, status="failed", reason=str(error), **told)
            return False
        counts = Counter(map(_word, self.values(environment.name, cells)))
        print(f"    {', '.join(f'{number} {word}' for word, number in sorted(counts.items()))}", flush=True)
        self.stored.say_environment(
            environment.name, status="ok", installed=installed, bytes=environment.bytes(), cells=dict(counts), afresh=afresh,
            **told,
        )  # fmt: skip
        return True

    def turn(self, compiler: Compiler, reference: Release) -> None:
        """The reference release's figures of now. Where they cannot be had the ladder goes on, and says so."""
        environment, began = self.environment(reference), now()
        print(f"    reference: {reference}", flush=True)
        try:
            environment.make()
            cells = selection.of_drift(all_cases(), compiler.backends)
            with self.stored.aside(environment.name):  # its own point is of another time
                self.run(environment, cells, anew=True)
                figures = self.stored.figures(environment.name, cells)
        except CannotMeasureError as error:
            self.require_index(reference)
            print(f"    no reference, so drift cannot be seen: {error}", flush=True)
            return
        self.stored.say_reference(
            compiler=compiler.name, release=reference.version, environment=environment.name, began=began, cells=figures
        )

    def run_afresh(self, environment: Environment, cells: list[str]) -> list[str]:
        """Those cells that failed with a program that another process left in the compiler's cache, and do not where each
        process compiles its own: a release can have a fault in its cache alone."""
        found = zip(cells, self.values(environment.name, cells), strict=True)
        failed = [cell for cell, value in found if value is None and launched(cell) != OWN_CACHES]
        if not failed:
            return []
        print("    once more, without the compiler's cache:", flush=True)
        self.run(environment, failed, share=False)
        return [cell for cell, value in zip(failed, self.values(environment.name, failed), strict=True) if is_number(value)]

    def run(self, environment: Environment, cells: list[str], anew: bool = False, share: bool = True) -> None:
        """Have asv measure the cells that have no number, or all; a backend at a time, because asv stores results when a run
        ends, and in the same way as commits are measured. share: as slices.runs has it."""
        known = {} if anew or self.again else self.stored.values(environment.name)
        todo = [cell for cell in cells if not is_number(known.get(cell))]
        for backend, slice_ in by_backend(todo):
            print(f"    {backend}: {len(slice_)} cells", flush=True)
            with tempfile.TemporaryDirectory(prefix="rung-", ignore_cleanup_errors=True) as directory:
                for options, variables in slices.runs(backend, slice_, Path(directory), slices.THREE_PROCESSES, share):
                    self.require_run(environment.run(*options, variables=variables), environment)

    def require_run(self, status: int, environment: Environment) -> None:
        """CannotMeasureError for a run of asv's that came to nothing."""
        if status not in (0, 2):  # 2: a cell failed, and has its record
            raise CannotMeasureError(f"asv ended with {status}: {environment.last_error()}")

    def compare(self, compiler: Compiler, environment: Environment, cells: list[str]) -> None:
        """CannotMeasureError, and nothing stored, where a process that measured had something else than was asked for."""
        packages = self.stored.packages(environment.name)
        heard = {backend: found for backend, found in packages.items() if backend in compiler.backends}
        if not heard and any(map(is_number, self.values(environment.name, cells))):
            raise CannotMeasureError("no process that measured said what it had")
        for backend, found in heard.items():
            wanted = {name: version for name, version in environment.release.requirements.items() if name in found}
            wrong = mismatch(wanted, found)
            if wrong or environment.release.package not in wanted:
                self.stored.forget(environment.name)
                raise CannotMeasureError(
                    f"{backend} was measured with something else: {wrong or environment.release.package}"
                )

    def values(self, environment: str, cells: list[str]) -> Iterator[float | None]:
        found = self.stored.values(environment)
        return (found.get(cell, math.nan) for cell in cells)

    def outcome(self, release: Release) -> dict[str, Any] | None:
        return self.stored.outcome(self.environment(release).name)

    def environment(self, release: Release) -> Environment:
        return Environment(release, self.table.python, self.stored.commit, self.lock)

    def require_index(self, release: Release) -> None:
        """A release that the package index has failed by itself; without an index nothing can be said of it."""
        try:
            release_index.has(release.package, release.version, self.table.python)
        except OSError as error:
            raise StopError(f"{release} could not be installed, and {error}", 3) from error


def pinned(compiler: Compiler) -> str:
    """The compiler's release that asv.conf.json measures."""
    return str(load_json(str(BASE), js_comments=True)["matrix"]["req"][compiler.package][0])


def selected(compiler: Compiler, since: str | None, only: str | None) -> list[Release]:
    """Those of the compiler's releases that are asked for; ValueError, listing the known ones, for an unknown one."""
    if only:
        return [compiler.release(version) for version in only.split(",")]
    first = Version(compiler.release(since).version) if since else Version("0")
    return [release for release in compiler.releases if Version(release.version) >= first]


def needed_bytes(compilers: list[Compiler], keep: bool) -> int:
    """Of the disk, at most at a time: the reference's environment and another one, and what pip downloads for both, because
    it keeps that. keep: all environments."""
    if keep:
        return sum(space(compiler, release) for compiler in compilers for release in compiler.releases)
    usual = [compiler.bytes + compiler.downloads for compiler in compilers]
    largest = [max((space(compiler, release) for release in compiler.releases), default=0) for compiler in compilers]
    return max(map(sum, zip(usual, largest, strict=True)))


def space(compiler: Compiler, release: Release) -> int:
    """Bytes of a release's environment on disk, and of the files that it is installed from."""
    return (release.bytes or compiler.bytes) + (release.downloads or compiler.downloads)


def require_disk(compilers: list[Compiler], keep: bool) -> None:
    needed = needed_bytes(compilers, keep)
    print(f"disk: {needed / 1e9:.1f} GB needed, {shutil.disk_usage('.').free / 1e9:.1f} GB free", flush=True)
    require_free(needed, "the ladder")


def require_free(needed: int, what: str) -> None:
    """A disk that runs full would look like a release that cannot be installed."""
    free = shutil.disk_usage(".").free
    if free < needed:
        raise StopError(f"{what} needs {needed / 1e9:.1f} GB of disk, and {free / 1e9:.1f} GB are free", 4)


@contextmanager
def alone() -> Iterator[int]:
    """The lock, as a file's number; asv holds it too, so that what a killed ladder left running is noticed."""
    LOCK.parent.mkdir(exist_ok=True)
    number = os.open(LOCK, os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield number
    except BlockingIOError as error:
        raise StopError(f"another ladder, or what it started, is still running here: it holds {LOCK}", 2) from error
    finally:
        os.close(number)


def _word(value: float | None) -> str:
    return "failed" if value is None else "measured" if is_number(value) else "empty"
