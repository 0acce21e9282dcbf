"""The command line: ``python -m gate BASE HEAD`` and ``python -m gate calibrate``. The exit code is the verdict."""

import argparse
import json
import os
import re
import sys
import traceback
from pathlib import Path
from typing import TextIO

from benchmarks import _selection
from duet import SideError, rounds
from duet.lock import BusyError, only_measurement
from gate import builds, calibration, commits, evidence, faults, judge, report, rulers, scope, trial
from gate.commits import Commit
from gate.errors import INFRASTRUCTURE, MEANINGS, USAGE, UsageError
from gate.verdict import Verdict
from jitkernels import files, settings

DIRECTORY = Path(".asv/gate")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code: see ``--help``."""
    words = sys.argv[1:] if arguments is None else arguments
    command = calibrate if words[:1] == ["calibrate"] else judge_commits
    try:
        check_settings()
        return command(words)
    except (UsageError, BusyError, SideError) as error:
        report_error(f"gate: {error}")
        return INFRASTRUCTURE if isinstance(error, SideError) else USAGE
    except KeyboardInterrupt:
        report_error("gate: stopped; no file is half written, and asv's results were not touched")
        return 130
    except Exception as error:  # Python's own exit code would be that of a regression
        if isinstance(error, OSError) and error.errno in rounds.FULL:
            report_error(f"gate: {error.strerror}: {error.filename or DIRECTORY}")
        else:
            report_error(traceback.format_exc())
        return INFRASTRUCTURE


def check_settings() -> None:
    """Raise UsageError if a variable of the library has no valid value."""
    try:
        settings.device(), settings.threads()
    except ValueError as error:
        raise UsageError(str(error)) from error


def judge_commits(words: list[str]) -> int:
    """Measure BASE and HEAD, judge, and report."""
    options = judge_parser().parse_args(words)
    repository = commits.repository(Path.cwd())
    base, head = commits.pair(repository, options.base, options.head)
    for file in filter(None, (options.report, options.json)):
        check_writable(file)
    if commits.has_uncommitted_changes(repository, head):
        print(f"gate: {head.short} is measured as it was committed; changes since then are not", file=sys.stderr)
    with only_measurement(repository):
        verdict = measured(repository, base, head, options)
    report_progress("")
    write_out(verdict, options)
    return verdict.exit_code


def write_out(verdict: Verdict, options: argparse.Namespace) -> None:
    """Write the files first, then print: what cannot be printed does not lose the verdict."""
    if options.json:
        options.json.write_text(json.dumps(report.as_json(verdict), allow_nan=False, indent=1), encoding="utf-8")
    if options.report:
        options.report.write_text(report.markdown(verdict), encoding="utf-8")
    else:
        print_lines(sys.stdout, [report.markdown(verdict)])
    print_lines(sys.stderr, [f"gate: {line}" for line in report.closing(verdict, options.report)])


def print_lines(stream: TextIO | None, lines: list[str]) -> None:
    """Print into a stream that may be closed, or a closed pipe. Codes replace the characters that its encoding lacks."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        for line in lines:
            print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
    except BrokenPipeError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Have what was and will be printed into the stream go nowhere. Otherwise Python's exit fails and changes the code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def measured(repository: Path, base: Commit, head: Commit, options: argparse.Namespace) -> Verdict:
    """Return the verdict. Nothing is built if nothing that is measured can have changed."""
    conditions = trial.conditions(options.bench, options.processes, options.budget * 60)
    report_progress("what the change can touch")
    changed = commits.changed_files(repository, base, head)
    what = scope.of_commits(repository, (base.hash, head.hash), changed, options.all)
    if what.is_empty and not options.bench:
        return Verdict(base, head, conditions, {}, 0.0, trial.now(), [], what)
    lines = calibration.load(repository / calibration.FILE)  # before HEAD's code can write into it
    noise = evidence.noise_of(lines, conditions)
    directory = repository / DIRECTORY / f"{base.short}-{head.short}"
    for left in (repository / DIRECTORY).glob("*/"):  # by a gate that was killed, or by calibration
        rulers.remove_builds(left)
    try:
        subjects = builds.build(repository, base, head, directory, report_progress)
        return rulers.judged(subjects, directory, conditions, noise, report_progress, what)
    finally:
        rulers.remove_builds(directory)


def judge_parser() -> argparse.ArgumentParser:
    codes = "\n".join(f"  {code}  {meaning}" for code, meaning in MEANINGS.items())
    parser = argparse.ArgumentParser(
        prog="python -m gate",
        description="May HEAD land? Measures it against BASE, in processes that alternate.",
        epilog=f"exit codes:\n{codes}\n\nHow often is it wrong? `python -m gate calibrate --help`",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base", metavar="BASE", help="a commit, by any name that git knows")
    parser.add_argument("head", metavar="HEAD", help="the commit that wants to land")
    parser.add_argument("--report", metavar="FILE.md", type=Path, help="the report; standard output otherwise")
    many = f"most processes for a side and benchmark case in the first look (default and minimum: {judge.LEAST})"
    parser.add_argument("--processes", metavar="N", type=processes, default=judge.LEAST, help=many)
    everything = "judge by all exact figures and a selection of all kernels' times, whatever the change touches"
    parser.add_argument("--all", action="store_true", help=everything)
    return with_common_options(parser)


def with_common_options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    bench = "benchmark cases to measure, as in asv; default: those that the change can touch"
    parser.add_argument("--bench", action="append", default=[], metavar="REGEX", type=expression, help=bench)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the result as JSON too")
    budget = "minutes for measuring times, by each suite that judges (default: %(default)g)"
    parser.add_argument("--budget", metavar="MINUTES", type=minutes, default=judge.BUDGET, help=budget)
    return parser


def calibrate(words: list[str]) -> int:
    """Judge HEAD against itself --runs times, sum up all stored runs, and return 0."""
    options = calibration_parser().parse_args(words[1:])
    if options.json:
        check_writable(options.json)
    repository = commits.repository(Path.cwd())
    if options.runs:
        with only_measurement(repository):
            add_runs(options, repository)
    lines = calibration.load(repository / calibration.FILE)
    if not lines:
        raise UsageError(f"no run is stored in {calibration.FILE}; --runs N adds some")
    groups = [evidence.summary(group) for group in evidence.groups(lines)]
    print_lines(sys.stdout, ["\n\n".join(map(evidence.markdown, groups))])
    if options.json:
        options.json.write_text(json.dumps({"schema": 1, "groups": groups}, allow_nan=False, indent=1), encoding="utf-8")
    return 0


def calibration_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gate calibrate",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="How often is the gate wrong here? Judges HEAD against itself, unchanged and with faults put in,\n"
        f"adds a line per run to {calibration.FILE}, and sums up all stored runs. A stopped command can go on.",
    )
    parser.add_argument(
        "--runs", metavar="N", type=positive, help="runs to add; without it, only the stored runs are summed up"
    )
    slow = "the benchmark case to slow down; default: a warm time of 1 ms or more, a different one in each run"
    parser.add_argument("--slow", metavar="CASE", help=slow)
    kernel = "judge a change of this kernel alone, of all its files or of one dialect's; repeat for several, in turn"
    parser.add_argument("--kernel", metavar="NAME[/DIALECT]", action="append", default=[], help=kernel)
    many = "slowdowns of consecutive runs, in turn; 0: no fault, as in a first run without --slow (default: 0,5,10,20,50)"
    parser.add_argument("--sizes", metavar="PER CENT", type=sizes, default=calibration.SIZES, help=many)
    return with_common_options(parser)


def add_runs(options: argparse.Namespace, repository: Path) -> None:
    """Add runs after the stored ones of the same machine and method."""
    file = repository / calibration.FILE
    head = commits.commit(repository, "HEAD")
    if options.kernel and options.bench:
        raise UsageError("--kernel and --bench exclude each other")
    bench = [] if options.kernel else options.bench or [_selection.PER_COMMIT]
    conditions = trial.conditions(bench, judge.LEAST, options.budget * 60)
    stored = [line for line in calibration.load(file) if conditions == {name: line[name] for name in evidence.SAMPLED}]
    directory = repository / DIRECTORY / "calibration"
    subjects = builds.build(repository, head, head, directory, report_progress)
    how = options.sizes, options.slow, report_progress, options.kernel
    course = calibration.Calibration(subjects, directory, conditions, *how)
    for number in range(len(stored), len(stored) + options.runs):
        previous = {name: cell for line in stored for name, cell in line["cells"].items()}
        line = course.run(number, previous)
        files.append(file, json.dumps(line, allow_nan=False) + "\n")
        stored.append(line)
        report_progress("")
        print(sentence(number + 1, line), file=sys.stderr)


def sentence(number: int, line: evidence.Line) -> str:
    """Return a run's faults and findings."""
    injected = [f"{name} {described(fault)}" for name, fault in line["injected"].items()] or ["nothing was done to HEAD"]
    kinds: tuple[evidence.Found, ...] = ("believed", "lost", "too_little")
    findings = [f"{name} {kind}" for kind in kinds for name in line[kind]] or ["nothing found"]
    return f"run {number}, {line['seconds'] / 60:.1f} minutes: {'; '.join(injected)}: {'; '.join(findings)}"


def described(fault: faults.Fault) -> str:
    return f"slower by {100 * (fault['factor'] - 1):.3g} %" if fault["kind"] == faults.SLOWER else str(fault["kind"])


def report_error(text: str) -> None:
    """Print what ended the gate. The exit code is the same if standard error is closed, or on a full disk."""
    try:
        report_progress("")
        print_lines(sys.stderr, [text.rstrip("\n")])
    except OSError:
        silence(sys.stderr)


def report_progress(step: str) -> None:
    """Show a step: on a terminal in place (an empty step clears the line), elsewhere as a line. BrokenPipeError: nobody
    reads any more, which ends the gate."""
    if sys.stderr is None:  # closed by the shell's 2>&-
        return
    if sys.stderr.isatty():
        print(f"\r\033[K{step}", end="", file=sys.stderr, flush=True)
    elif step:
        print(f"gate: {step}", file=sys.stderr, flush=True)


def check_writable(file: Path) -> None:
    """Raise UsageError, before anything is measured, if the file cannot be written."""
    if not file.parent.is_dir():
        raise UsageError(f"there is no directory {file.parent}")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise UsageError(f"{file} cannot be written")


def expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from error
    return text


def minutes(text: str) -> float:
    if not 0 < float(text) < 24 * 60:
        raise argparse.ArgumentTypeError("must be more than 0 minutes and less than a day")
    return float(text)


def positive(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)


def processes(text: str) -> int:
    if int(text) < judge.LEAST:
        raise argparse.ArgumentTypeError(f"must be {judge.LEAST} or more: fewer processes cannot be judged")
    return int(text)


def sizes(text: str) -> tuple[float, ...]:
    """Return slowdowns as fractions. text: per cent, separated by commas."""
    numbers = tuple(float(part) / 100 for part in text.split(","))
    if not all(0 <= number <= 10 for number in numbers):
        raise argparse.ArgumentTypeError("must be numbers from 0 to 1000 (per cent), separated by commas")
    return numbers
