"""``make releases`` and ``make new-releases``: the ladder of releases. docs/releases.md says what it is.

    python history/releases/command.py write                          asv.releases.json, from the table
    python history/releases/command.py run [-c COMPILER]...           measure
    python history/releases/command.py new [--patch FILE]             add what the package index has since

Exit status: 0 done; 1 some releases could not be measured, and their points say why; 2 not understood, or not possible
here; 3 the package index cannot be reached; 4 not enough disk; 130 stopped.
"""

import argparse
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from asv.config import Config

from history.bench import machine
from history.releases.new import leave_branch, leave_patch, look
from history.releases.results import Stored
from history.releases.run import Ladder, StopError, alone, require_disk, selected
from history.releases.table import CONFIGURATION, TABLE, Table, configuration, read


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return int(options.do(options))
    except KeyboardInterrupt:
        print("\nstopped: finished cells are kept; the same command goes on from here, as long as HEAD is the same commit")
        return 130
    except StopError as stop:
        print(stop, file=sys.stderr)
        return stop.status
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(error, file=sys.stderr)
        return 3


def interrupt(*_: object) -> None:
    """kill is heeded like Ctrl-C."""
    raise KeyboardInterrupt


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(description="the ladder of compilers' releases")
    verbs = top.add_subparsers(required=True)
    verb = verbs.add_parser("write", help=f"write {CONFIGURATION} from {TABLE}")
    verb.set_defaults(do=write)
    verb = verbs.add_parser("run", help="measure releases that have no point yet")
    verb.add_argument("-c", "--compiler", action="append", metavar="NAME", help="this compiler alone; repeat for several")
    verb.add_argument("--since", metavar="VERSION", help="from this release on")
    verb.add_argument("--only", metavar="VERSION[,VERSION]", help="these releases alone")
    verb.add_argument("--commit", default="HEAD", help="of this library; HEAD without it")
    verb.add_argument("--keep", action="store_true", help="leave environments on disk")
    verb.add_argument("--again", action="store_true", help="measure anew what has its point")
    verb.set_defaults(do=run)
    verb = verbs.add_parser("new", help="add releases that the package index has since, as a commit on a branch")
    verb.add_argument("--patch", type=Path, metavar="FILE", help="write the change here, and touch nothing else")
    verb.add_argument("--branch", metavar="NAME", help="its name; new-releases-DATE without it")
    verb.set_defaults(do=new)
    return top


def write(options: argparse.Namespace) -> int:
    CONFIGURATION.write_text(configuration(read(TABLE.read_text())))
    return 0


def run(options: argparse.Namespace) -> int:
    table = read(TABLE.read_text())
    if CONFIGURATION.read_text() != configuration(table):
        raise ValueError(f"{CONFIGURATION} is not that of {TABLE}: python history/releases/command.py write")
    compilers = [table.compiler(name) for name in options.compiler or table.compilers]
    if len(compilers) > 1 and (options.since or options.only):
        raise ValueError("a version is one compiler's: name the compiler too")
    chosen = {compiler.name: selected(compiler, options.since, options.only) for compiler in compilers}
    require_python(table)
    require_disk(compilers, options.keep)
    commit = revision(options.commit)
    stored = Stored(Path(Config.load(str(CONFIGURATION)).results_dir), machine(), commit)
    with alone() as lock:
        ladder = Ladder(table, stored, lock, options.keep, options.again)
        failed = sum(ladder.climb(compiler, chosen[compiler.name]) for compiler in compilers)
    print(f"\n{failed} releases could not be measured" if failed else "\nall releases have their points")
    return 1 if failed else 0


def new(options: argparse.Namespace) -> int:
    found, texts = look()
    if not found:
        print("no release is newer than the table")
        return 0
    print(*(f"{release}, published {release.published}" for release in found), sep="\n")
    print(leave_patch(texts, options.patch) if options.patch else leave_branch(texts, found, options.branch))
    return 0


def require_python(table: Table) -> None:
    if not shutil.which(f"python{table.python}"):
        raise ValueError(f"the ladder's environments have Python {table.python}, and there is no python{table.python} here")


def revision(name: str) -> str:
    answer = subprocess.run(["git", "rev-parse", "--verify", f"{name}^{{commit}}"], capture_output=True, text=True)
    if answer.returncode:
        raise ValueError(f"{name} is no commit of this repository")
    return answer.stdout.strip()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    sys.exit(main())
