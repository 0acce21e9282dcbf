"""``make history``: measure commits of this library in turn with the machine's anchor (docs/history.md).

Exit status: that of history/errors.py; 1 if some commits could not be built.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import _selection
from duet import SideError
from duet.builds import asv_environment
from duet.lock import only_measurement
from history import head
from history.commits import choose
from history.commits.run import CommitHistory, report
from history.errors import exit_status, require_free
from history.store import duets
from history.store.duets import CommitLine
from history.store.lines import matching, of_this_machine
from history.store.results import RESULTS

DIRECTORY = Path(".asv/history")
BYTES = 1_000_000_000  # most bytes of builds and caches at a time


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure commits in turn with the machine's anchor")
    commits = "names, or a range: its commits that change the library; default: HEAD"
    parser.add_argument("commits", nargs="*", default=["HEAD"], metavar="COMMIT|RANGE", help=commits)
    parser.add_argument("--anchor", metavar="COMMIT", help="replace the anchor; the first is the newest commit")
    parser.add_argument("--bench", metavar="REGEX", action="append", help="only these benchmark cases; repeat for several")
    parser.add_argument("--again", action="store_true", help="measure these commits anew even where they have results")
    options = parser.parse_args(arguments)
    return exit_status(lambda: run(options))


def run(options: argparse.Namespace) -> int:
    """Measure the commits; return the exit status."""
    repository = Path.cwd()
    commits = choose.commits(repository, " ".join(options.commits))
    anchor = choose.commits(repository, options.anchor)[-1] if options.anchor else None
    expressions = [expression(each) for each in options.bench or ()] or _selection.HISTORY
    with only_measurement():
        require_free(BYTES, "the history")
        history, lines = build_history(repository, expressions, bool(options.bench))
        former = history.anchor()
        anchor = anchor or former or commits[-1]
        if anchor != former and (last := last_anchor(history, lines)):
            link(history, *last, anchor, lines)
        if options.again:
            history.forget(commits)
        lost = history.measure(commits if anchor in commits else [anchor, *commits], anchor)
    print(f"\n{lost} commits could not be built" if lost else "\nall commits have their points")
    return 1 if lost else 0


def build_history(repository: Path, expressions: list[str], is_part: bool) -> tuple[CommitHistory, list[CommitLine]]:
    """Return the history to measure, and the stored lines of this machine in all environments.

    is_part: True if the user gave the expressions, so that they select the exact figures too.
    """
    built = head.build(repository, DIRECTORY.resolve())
    names = _selection.selected(list(built.cases), expressions)
    names += [name for name, case in built.cases.items() if case.is_counted and not is_part]
    if not names:
        raise ValueError(f"no benchmark case matches {' or '.join(expressions)}")
    here = built.conditions
    file = RESULTS / here["machine"] / duets.FILE
    lines = of_this_machine(duets.lines)
    of_environment = matching(lines, python=here["python"], requirements=here["requirements"])
    selected = {name: built.cases[name] for name in dict.fromkeys(names)}
    return CommitHistory(repository, built, selected, file, of_environment), lines


def last_anchor(history: CommitHistory, lines: list[CommitLine]) -> tuple[str, dict[str, str]] | None:
    """Return the anchor of this environment, or else the newest one of another, with the requirements of its environment."""
    if anchor := history.anchor():
        return anchor, history.head.conditions["requirements"]
    anchors = [line for line in lines if line["said"] == "duet" and line.get("is_anchor")]
    return (anchors[-1]["commit"], anchors[-1]["requirements"]) if anchors else None


def link(history: CommitHistory, old: str, requirements: dict[str, str], new: str, lines: list[CommitLine]) -> None:
    """Measure the new anchor in turn with the old one, if the old one's environment can be made.

    lines: the stored ones. All their cases with a curve are measured, not only the selected ones.
    """
    of_old = [line for line in lines if line["said"] == "duet" and old in (line["base"], line["commit"])]
    curves = {case for line in of_old if line["role"] == duets.ANCHOR for case in line["cells"]}
    try:
        executable, _ = asv_environment(history.repository, history.directory / "log.txt", requirements)
        history.replace_anchor(old, new, executable, requirements, curves)
    except SideError as error:
        report(f"the anchor {old[:8]} can no longer be measured, so a new chain begins with {new[:8]}: {error}")


def expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is not a regular expression: {error}") from error
    return text


if __name__ == "__main__":
    sys.exit(main())
