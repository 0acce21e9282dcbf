"""``python -m gate calibrate``: how often the gate is wrong here."""

import argparse
import json
import sys
from pathlib import Path

from benchmarks import _selection as suite
from gate import asked, calibration, commits, evidence, faults, judge, rules
from gate.alone import alone
from gate.errors import UsageError
from gate.trial import BUDGET


def command(words: list[str]) -> int:
    """0 when all runs that were asked for have ended, whatever they found."""
    options = parsed(words)
    if options.json:
        asked.writable(options.json)
    repository = commits.repository(Path.cwd())
    if options.runs:
        with alone(repository):
            run(options, repository)
    lines = calibration.stored(repository / calibration.FILE)
    if not lines:
        raise UsageError(f"no run is stored in {calibration.FILE}; --runs N makes some")
    said = [evidence.summary(group) for group in evidence.groups(lines)]
    print(*map(evidence.text, said), sep="\n\n")
    if options.json:
        options.json.write_text(json.dumps({"schema": 1, "groups": said}, allow_nan=False, indent=1), encoding="utf-8")
    return 0


def parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m gate calibrate", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="How often is the gate wrong here? Judges HEAD against itself, as it is and with something wrong on "
        f"purpose,\nadds a line a run to {calibration.FILE}, and sums up what is there. Stopped, it goes on.",
    )  # fmt: skip
    parser.add_argument("--runs", metavar="N", type=asked.count, help="to make now; without it, what is stored is summed up")
    parser.add_argument(
        "--bench", action="append", metavar="REGEX", type=asked.expression,
        help="cells to measure, as asv's; default: what is measured of every commit",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", type=Path, help="the sums for programs")
    parser.add_argument(
        "--budget", metavar="MINUTES", type=asked.minutes, default=BUDGET, help="for one verdict (default: %(default)g)"
    )
    parser.add_argument(
        "--slow", metavar="CELL", help="what is made slower; default: a warm time of 1 ms or more, another one each run"
    )
    parser.add_argument(
        "--sizes", metavar="PER CENT", type=asked.sizes, default=calibration.SIZES,
        help="slowdowns of consecutive runs, in turn; 0: nothing is done to HEAD (default: 0,5,10,20,50)",
    )  # fmt: skip
    return parser.parse_args(words)


def run(options: argparse.Namespace, repository: Path) -> None:
    """As often as is asked for, after the runs of the same kind that are stored."""
    file = repository / calibration.FILE
    head = commits.commit(repository, "HEAD")
    where = rules.here(options.bench or [suite.PER_COMMIT], judge.LEAST, options.budget * 60)
    before = [line for line in calibration.stored(file) if where == {name: line[name] for name in where}]
    course = calibration.Calibration(repository, head, where, options.sizes, options.slow, asked.progress)
    course.prepare()
    for number in range(len(before), len(before) + options.runs):
        line = course.run(number, before[-1]["cells"] if before else {})
        calibration.keep(file, line)
        before.append(line)
        print(sentence(number + 1, line), file=sys.stderr)


def sentence(number: int, line: calibration.Line) -> str:
    """What one run was, and what it said."""
    done = [f"{name} {described(fault)}" for name, fault in line["injected"].items()] or ["nothing was done to HEAD"]
    found = [f"{name} {kind}" for kind in ("believed", "lost", "too_little") for name in line[kind]] or ["nothing found"]
    return f"run {number}, {line['seconds'] / 60:.1f} minutes: {'; '.join(done)}: {'; '.join(found)}"


def described(fault: dict) -> str:
    if fault["kind"] == faults.SLOWER:
        return f"slower by {100 * (fault['factor'] - 1):.3g} %"
    return fault["kind"]
