"""``make releases`` and ``make new-releases``: the ladder of releases. docs/releases.md describes it.

    python -m history.releases.command write                   write asv.releases.json from the table
    python -m history.releases.command run [-c COMPILER]...    measure
    python -m history.releases.command new [--patch FILE]      add the releases that the package index has since

Exit status: that of history/errors.py; 1 if some releases could not be measured, and their points say why.
"""

import argparse
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from asv.config import Config

from duet.lock import only_measurement
from history.errors import exit_status
from history.git import commit
from history.releases.conditions import require_disk
from history.releases.new import commit_to_branch, look_up, write_patch
from history.releases.results import ReleaseResults
from history.releases.run import LadderRun
from history.releases.table import CONFIGURATION, TABLE, WRITE, configuration, read
from jitkernels.machine import identity


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    return exit_status(lambda: int(options.verb(options)))


def interrupt(*_: object) -> None:
    """Treat SIGTERM as Ctrl-C."""
    raise KeyboardInterrupt


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(description="the ladder of compilers' releases")
    verbs = top.add_subparsers(required=True)
    verb = verbs.add_parser("write", help=f"write {CONFIGURATION} from {TABLE}")
    verb.set_defaults(verb=write)
    verb = verbs.add_parser("run", help="measure releases that have no point yet")
    verb.add_argument("-c", "--compiler", action="append", metavar="NAME", help="only this compiler; repeat for several")
    verb.add_argument("--since", metavar="VERSION", help="from this release on")
    verb.add_argument("--only", metavar="VERSION[,VERSION]", help="only these releases")
    verb.add_argument("--commit", default="HEAD", help="of this library; HEAD by default")
    verb.add_argument("--keep", action="store_true", help="leave environments on disk")
    verb.add_argument("--again", action="store_true", help="measure releases again that have a point")
    verb.set_defaults(verb=run)
    verb = verbs.add_parser("new", help="add releases that the package index has since, as a commit on a branch")
    verb.add_argument("--patch", type=Path, metavar="FILE", help="write the change to this file, and change nothing else")
    verb.add_argument("--branch", metavar="NAME", help="of the branch; new-releases-DATE by default")
    verb.set_defaults(verb=new)
    return top


def write(options: argparse.Namespace) -> int:
    CONFIGURATION.write_text(configuration(read(TABLE.read_text())))
    return 0


def run(options: argparse.Namespace) -> int:
    table = read(TABLE.read_text())
    if CONFIGURATION.read_text() != configuration(table):
        raise ValueError(f"{CONFIGURATION} is not that of {TABLE}: {WRITE}")
    compilers = [table.compiler(name) for name in options.compiler or table.compilers]
    if len(compilers) > 1 and (options.since or options.only):
        raise ValueError("a version belongs to one compiler: name the compiler too")
    releases = [compiler.selected(options.since, options.only) for compiler in compilers]
    if not shutil.which(f"python{table.python}"):
        raise ValueError(f"the ladder's environments have Python {table.python}, and there is no python{table.python} here")
    require_disk(compilers, options.keep)
    results_dir = Path(Config.load(str(CONFIGURATION)).results_dir)
    results = ReleaseResults(results_dir, identity(), commit(Path(), options.commit))
    with only_measurement() as lock:
        ladder = LadderRun(table, results, lock, options.keep, options.again)
        failed = sum(map(ladder.measure_compiler, compilers, releases))
    print(f"\n{failed} releases could not be measured" if failed else "\nall releases have their points")
    return 1 if failed else 0


def new(options: argparse.Namespace) -> int:
    releases, texts = look_up()
    if not releases:
        print("no release is newer than the table")
        return 0
    print(*(f"{release}, published {release.published}" for release in releases), sep="\n")
    patch, branch = options.patch, options.branch
    print(write_patch(texts, patch) if patch else commit_to_branch(texts, releases, branch))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    sys.exit(main())
