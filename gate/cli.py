"""``python -m gate BASE HEAD``: measure both, judge, report; the exit code is the verdict."""

import argparse
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from benchmarks import _selection as suite
from gate import asked, calibrate, commits, judge, report
from gate.alone import alone
from gate.errors import INFRASTRUCTURE, MEANINGS, GateError
from gate.trial import BUDGET, Trial


def main(arguments: list[str] | None = None) -> int:
    """The exit code: see ``--help``."""
    words = sys.argv[1:] if arguments is None else arguments
    return ending(calibrate.command, words[1:]) if words[:1] == ["calibrate"] else ending(command, words)


def ending(command: Callable[[list[str]], int], words: list[str]) -> int:
    """The command's exit code, or that of what ended it."""
    try:
        return command(words)
    except GateError as error:
        print(f"gate: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("gate: stopped; nothing is left half done, and asv's results were not touched", file=sys.stderr)
        return 130
    except Exception:  # Python's own exit code would be that of a regression
        traceback.print_exc()
        return INFRASTRUCTURE


def command(words: list[str]) -> int:
    options = parsed(words)
    repository = commits.repository(Path.cwd())
    base, head = commits.pair(repository, options.base, options.head)
    for file in filter(None, (options.report, options.json)):
        asked.writable(file)
    if commits.is_left_out(repository, head):
        print(f"gate: {head.short} is measured as it was committed; changes since then are not", file=sys.stderr)
    with alone(repository):
        return judged(options, repository, base, head)


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    codes = "\n".join(f"  {code}  {meaning}" for code, meaning in MEANINGS.items())
    parser = argparse.ArgumentParser(
        prog="python -m gate", description="May HEAD land? Measures it against BASE, in processes that alternate.",
        epilog=f"exit codes:\n{codes}\n\nHow often is it wrong? `python -m gate calibrate --help`",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("base", metavar="BASE", help="a commit, by any name that git knows")
    parser.add_argument("head", metavar="HEAD", help="the commit that wants to land")
    parser.add_argument(
        "--bench",
        action="append",
        metavar="REGEX",
        type=asked.expression,
        help="cells to measure, as asv's; default: what is measured of every commit",
    )
    parser.add_argument("--report", metavar="FILE.md", type=Path, help="the report; standard output otherwise")
    parser.add_argument("--json", metavar="FILE", type=Path, help="the same for programs")
    parser.add_argument(
        "--budget", metavar="MINUTES", type=asked.minutes, default=BUDGET, help="for measuring (default: %(default)g)"
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        type=asked.enough,
        default=judge.LEAST,
        help=f"a side and cell in the first look (default and least: {judge.LEAST})",
    )
    return parser.parse_args(arguments)


def judged(options: argparse.Namespace, repository: Path, base: commits.Commit, head: commits.Commit) -> int:
    bench = options.bench or [suite.PER_COMMIT]
    trial = Trial(repository, base, head, bench, options.processes, options.budget * 60, told=asked.progress)
    trial.prepare()
    code = trial.run()
    text = report.markdown(trial, code)
    if options.report:
        options.report.write_text(text, encoding="utf-8")
    else:
        print(text)
    if options.json:
        options.json.write_text(json.dumps(report.as_json(trial, code), allow_nan=False, indent=1), encoding="utf-8")
    return code
