"""``python -m gate BASE HEAD``: measure both, judge, report; the exit code is the verdict."""

import argparse
import json
import re
import sys
from pathlib import Path

from gate import commits, judge, report, suite
from gate.errors import MEANINGS, GateError


def main(arguments: list[str] | None = None) -> int:
    """The exit code: see ``--help``."""
    options = parsed(arguments)
    try:
        base, head = commits.pair(Path.cwd(), options.base, options.head)
        for file in filter(None, (options.report, options.json)):
            writable(file)
        return judged(options, base, head)
    except GateError as error:
        print(f"gate: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("gate: stopped; nothing is left half done, and asv's results were not touched", file=sys.stderr)
        return 130


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    codes = "\n".join(f"  {code}  {meaning}" for code, meaning in MEANINGS.items())
    parser = argparse.ArgumentParser(
        prog="python -m gate", description="May HEAD land? Measures it against BASE, in processes that alternate.",
        epilog=f"exit codes:\n{codes}", formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("base", metavar="BASE", help="a commit, by any name that git knows")
    parser.add_argument("head", metavar="HEAD", help="the commit that wants to land")
    parser.add_argument(
        "--bench",
        action="append",
        metavar="REGEX",
        type=expression,
        help="cells to measure, as asv's; default: what is measured of every commit",
    )
    parser.add_argument("--report", metavar="FILE.md", type=Path, help="the report; standard output otherwise")
    parser.add_argument("--json", metavar="FILE", type=Path, help="the same for programs")
    parser.add_argument(
        "--budget", metavar="MINUTES", type=minutes, default=12.0, help="for measuring (default: %(default)g)"
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        type=enough,
        default=judge.LEAST,
        help=f"a side and cell in the first look (default and least: {judge.LEAST})",
    )
    return parser.parse_args(arguments)


def expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from error
    return text


def minutes(text: str) -> float:
    number = float(text)
    if not 0 < number < 24 * 60:
        raise argparse.ArgumentTypeError("minutes, more than 0 and less than a day")
    return number


def enough(text: str) -> int:
    if int(text) < judge.LEAST:
        raise argparse.ArgumentTypeError(f"{judge.LEAST} at least: with fewer nothing can be told")
    return int(text)


def writable(file: Path) -> None:
    """Said now, not after ten minutes."""
    from gate.errors import UsageError

    if not file.parent.is_dir():
        raise UsageError(f"there is no directory {file.parent}")


def judged(options: argparse.Namespace, base: commits.Commit, head: commits.Commit) -> int:
    from gate.trial import Trial

    trial = Trial(
        Path.cwd(), base, head, options.bench or [suite.PER_COMMIT], options.processes, options.budget * 60, told=progress
    )  # fmt: skip
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


def progress(line: str) -> None:
    """On a terminal in place, elsewhere not at all."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
