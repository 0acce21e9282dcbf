"""``make history``: commits of this library in turn with the machine's anchor. docs/history.md describes it.

Exit status: 0 done; 1 some commits could not be built; 2 invalid arguments, or not possible here; 3 the disk is full, or a
file cannot be written; 130 stopped.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from asv.config import Config

import duet
from benchmarks import _selection
from duet.builds import asv_environment, side
from history.commits import choose
from history.commits.run import CommitHistory, Conditions, Lines
from history.releases.conditions import StopError, alone, require_free
from history.store import duets
from history.store.results import Unread
from jitkernels import machine

DATA_SET = Path("results")
DIRECTORY = Path(".asv/history")
BYTES = 1_000_000_000  # of builds and caches at a time


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        with alone():
            lost = measure(options)
    except KeyboardInterrupt:
        print("\nstopped: what is measured is kept, and the same command goes on from here")
        return 130
    except StopError as stop:
        print(stop, file=sys.stderr)
        return stop.status
    except (ValueError, duet.SideError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error}; what is measured is kept, and the same command goes on from here", file=sys.stderr)
        return 3
    print(f"\n{lost} commits could not be built" if lost else "\nall commits have their points")
    return 1 if lost else 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="measure commits in turn with the machine's anchor")
    commits = "names, or a range of those that change the library; HEAD by default"
    parser.add_argument("commits", nargs="*", default=["HEAD"], metavar="COMMIT|RANGE", help=commits)
    parser.add_argument("--anchor", metavar="COMMIT", help="replace the anchor; the first one is the newest of the commits")
    parser.add_argument("--bench", metavar="REGEX", action="append", help="of the benchmark cases; repeat for several")
    return parser


def measure(options: argparse.Namespace) -> int:
    """Measure the commits; return how many could not be built."""
    repository = Path.cwd()
    commits = choose.chosen(repository, " ".join(options.commits))
    wanted = choose.chosen(repository, options.anchor)[-1] if options.anchor else None
    expressions = [expression(each) for each in options.bench or ()] or _selection.HISTORY
    require_free(BYTES, "the history")
    shutil.rmtree(DIRECTORY, ignore_errors=True)  # of a run that was killed
    DIRECTORY.mkdir(parents=True)
    report("asv's environment, and the benchmark cases")
    run, everything = prepared(repository, expressions, bool(options.bench))
    anchor = run.anchor()
    if anchor is None or wanted not in (None, anchor):
        new = wanted or commits[-1]
        before = (anchor and (anchor, run.conditions.requirements)) or last_anchor(everything)
        if before:
            link(run, *before, new)
        anchor = new
    return run.measure(commits if anchor in commits else [anchor, *commits], anchor)


def prepared(repository: Path, expressions: list[str], is_part: bool) -> tuple[CommitHistory, Lines]:
    """Return the history to measure, and the stored lines of this machine in all environments.

    is_part: the expressions are the user's, so that only exact figures that they find are measured.
    """
    directory = DIRECTORY.resolve()
    executable, requirements = asv_environment(repository, directory / "log.txt")
    suite = choose.chosen(repository, "HEAD")[0]
    head = side("suite", repository, suite, directory, executable)
    cases = duet.discover(head, directory / "log.txt")
    names = _selection.selected(list(cases), expressions)
    names += [name for name, case in cases.items() if case.is_exact and not is_part]
    if not names:
        raise ValueError(f"no benchmark case matches {' or '.join(expressions)}")
    here = machine.identity(), machine.processor(), machine.cores()
    conditions = Conditions(suite, *here, head.versions(())["python"], requirements)
    file = Path(Config.load("asv.conf.json").results_dir, conditions.machine, duets.FILE)
    everything = stored(file.parent, DATA_SET / conditions.machine)
    own = [line for line in everything if line["requirements"] == requirements and line["python"] == conditions.python]
    selected = {name: cases[name] for name in dict.fromkeys(names)}
    run = CommitHistory(repository, executable, head.suite, selected, conditions, directory, file, own, report)
    return run, everything


def stored(*directories: Path) -> Lines:
    """Return the lines that a machine's directories have, oldest first."""
    unread: list[Unread] = []
    lines = [line for directory in directories if directory.is_dir() for line in duets.lines(directory, unread)]
    for each in unread:
        report(f"left out {each.file}: {each.reason}")
    return sorted(lines, key=lambda line: line["at"])


def last_anchor(lines: Lines) -> tuple[str, dict[str, str]] | None:
    """Return the newest anchor of another environment, and what that requires."""
    anchors = [line for line in lines if line["said"] == "duet" and line.get("is_anchor")]
    return (anchors[-1]["commit"], anchors[-1]["requirements"]) if anchors else None


def link(run: CommitHistory, old: str, requirements: dict[str, str], new: str) -> None:
    """Measure the new anchor in turn with the old one, if the old one's environment can be made."""
    try:
        executable, _ = asv_environment(run.repository, run.directory / "log.txt", requirements)
        run.replace_anchor(old, new, executable, requirements)
    except duet.SideError as error:
        report(f"the anchor {old[:8]} cannot be measured any more, so a new chain begins with {new[:8]}: {error}")


def expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from error
    return text


def report(step: str) -> None:
    print(step, flush=True)


if __name__ == "__main__":
    sys.exit(main())
