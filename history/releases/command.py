"""``make releases`` and ``make new-releases``: the ladder of releases (docs/releases.md).

Exit status: that of history/errors.py; 1 if some releases could not be measured; their points say why.
"""

import argparse
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from duet.git import commit, git
from duet.lock import only_measurement
from history.errors import exit_status, require_free
from history.releases import index
from history.releases.duets import ReleaseDuets
from history.releases.environments import Environments
from history.releases.parts import Parts
from history.releases.run import LadderRun
from history.releases.table import CONFIGURATION, TABLE, WRITE, Compiler, Release, added, configuration, read
from history.store import release_lines
from history.store.lines import note_settings, of_this_machine
from history.store.results import RESULTS
from jitkernels.machine import identity

PARTS = "explain steps of 10 %% and more: which part carries them, and how compiled code differs"
Chosen = list[tuple[Compiler, list[Release]]]  # compilers to measure, each with its releases
Phase = Callable[[Compiler, list[Release]], set[str]]  # measures releases of a compiler; returns the versions that failed


def main(arguments: Sequence[str] | None = None) -> int:
    top = argparse.ArgumentParser(description="the ladder of compilers' releases")
    verbs = top.add_subparsers(required=True)
    verb = verbs.add_parser("write", help=f"write {CONFIGURATION} from {TABLE}")
    verb.set_defaults(verb=write)
    for name, phases, ending, text in (
        ("run", run, "all releases have their points", "measure releases without a point, then neighbours in duets"),
        ("duets", duets, "all duets are measured", "measure only duets"),
        ("parts", parts, "all steps are explained as far as they can be", PARTS),
    ):
        verb = verbs.add_parser(name, help=text)
        verb.add_argument("-c", "--compiler", action="append", metavar="NAME", help="only this compiler; repeat for several")
        verb.add_argument("--since", metavar="VERSION", help="from this release on")
        verb.add_argument("--only", metavar="VERSION[,VERSION]", help="only these releases")
        verb.add_argument("--commit", default="HEAD", help="of this library (default: HEAD)")
        verb.add_argument("--keep", action="store_true", help="leave environments on disk")
        verb.add_argument("--again", action="store_true", help="measure again what has been measured")
        verb.set_defaults(verb=measure, phases=phases, ending=ending)
    verbs.add_parser("new", help="add newer releases of the package index to the table").set_defaults(verb=new)
    options = top.parse_args(arguments)
    return exit_status(lambda: int(options.verb(options)))


def write(options: argparse.Namespace) -> int:
    CONFIGURATION.write_text(configuration(read(TABLE.read_text())))
    return 0


def measure(options: argparse.Namespace) -> int:
    """Run a command's phases, each for all chosen compilers. Return 1 if a release could not be measured."""
    python, chosen, hash_ = _chosen(options)
    note_settings()
    with only_measurement() as lock:
        phases: Iterator[Phase] = options.phases(Environments(python, hash_, lock, options.keep), options.again)
        failed = {(each[0].name, version) for phase in phases for each in chosen for version in phase(*each)}
    print(f"\n{len(failed)} releases could not be measured or installed" if failed else f"\n{options.ending}")
    return 1 if failed else 0


def run(environments: Environments, again: bool) -> Iterator[Phase]:
    yield LadderRun(environments, again).measure_compiler
    yield from duets(environments, again)


def duets(environments: Environments, again: bool) -> Iterator[Phase]:
    file = RESULTS / identity() / release_lines.DUETS
    yield ReleaseDuets(file, of_this_machine(release_lines.duets), environments, again).measure_compiler


def parts(environments: Environments, again: bool) -> Iterator[Phase]:
    file = RESULTS / identity() / release_lines.STEPS
    explained = [] if again else of_this_machine(release_lines.steps)
    yield Parts(file, of_this_machine(release_lines.duets), explained, environments).explain_compiler


def _chosen(options: argparse.Namespace) -> tuple[str, Chosen, str]:
    """Return the environments' version of Python, the chosen compilers with their releases, and the commit's hash. Raises
    ValueError, StopError."""
    table = read(TABLE.read_text())
    if CONFIGURATION.read_text() != configuration(table):
        raise ValueError(f"{CONFIGURATION} does not match {TABLE}: run {WRITE}")
    compilers = [table.compiler(name) for name in options.compiler or table.compilers]
    if len(compilers) > 1 and (options.since or options.only):
        raise ValueError("a version belongs to one compiler: name it with --compiler")
    chosen = [(compiler, compiler.selected(options.since, options.only)) for compiler in compilers]
    if not shutil.which(f"python{table.python}"):
        raise ValueError(f"the ladder's environments need Python {table.python}: no python{table.python} is found")
    require_disk(chosen, options.keep)
    return table.python, chosen, commit(Path(), options.commit)


def require_disk(chosen: Chosen, keep: bool) -> None:
    needed = needed_bytes(chosen, keep)
    print(f"disk: {needed / 1e9:.1f} GB needed, {shutil.disk_usage('.').free / 1e9:.1f} GB free", flush=True)
    require_free(needed, "the ladder")


def needed_bytes(chosen: Chosen, keep: bool) -> int:
    """Return the most bytes that the run needs on disk at a time: those of a compiler's two largest environments, among the
    chosen releases and the reference. keep: those of all."""
    spaces = []
    for compiler, releases in chosen:
        versions = {release.version: release for release in (*releases, compiler.reference())}
        spaces.append(sorted(map(compiler.space, versions.values()), reverse=True))
    return sum(map(sum, spaces)) if keep else max(sum(largest[:2]) for largest in spaces)


def new(options: argparse.Namespace) -> int:
    """Write the releases that are newer than the table into both files. Raises ValueError if these are not committed."""
    if git(Path(), "status", "--porcelain", "--", str(TABLE), str(CONFIGURATION)):
        raise ValueError(f"{TABLE} or {CONFIGURATION} has uncommitted changes: commit or undo them first")
    text = TABLE.read_text()
    table = read(text)
    releases = [release for compiler in table.compilers.values() for release in index.newer(compiler, table.python)]
    if not releases:
        print("no release is newer than the table")
        return 0
    TABLE.write_text(added(text, releases))
    print(*(f"{release}, published {release.published}" for release in releases), sep="\n")
    print(f"{TABLE} and {CONFIGURATION} have them")
    return write(options)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    sys.exit(main())
