"""jitkernels list | check | time | compare | show | patterns | aot | chart | pi

Exit codes: 0: ok. 1: a check failed, a backend of ``check -b`` cannot run, or a file cannot be written. 2: usage. 130:
Ctrl-C. 141: a closed pipe. 143: SIGTERM. Without a command it prints the help and exits with 0. ``--json`` prints only JSON
on standard output. JITKERNELS_DEVICE selects the device, JITKERNELS_THREADS the number of threads.
"""

import argparse
import contextlib
import errno
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from jitkernels import settings
from jitkernels.case import DEFAULT_SEED
from jitkernels.command.arguments import number
from jitkernels.command.output import CLOSED, INTERRUPTED, OK, USAGE, fail
from jitkernels.version import __version__

ENVIRONMENT = (
    f"{settings.DEVICE}={'|'.join(settings.DEVICES)} picks the device. "
    f"{settings.THREADS}=N is the number of threads of every backend that has threads; without it, one for each core."
)
FUNCTIONS = "functions named after backends (softmax_numba), inputs(size, rng); also sizes, reference, rtol, atol, static"
CHARTS = (  # a copy of the catalogue's names, which a test compares: importing that takes a tenth of ``list``
    "seconds, error, tradeoff, lives, stages, ahead_of_time, counts, speedup, break_even, pi, roofline; "
    "without it, pi for a kernel that estimates it, else seconds"
)


ROWS = "Measured rows can be drawn again: jitkernels time ... --json > rows.json, then --rows rows.json."
PI = (
    "Ranges of the stream go to workers of a Dask cluster: without --scheduler, to processes of this machine (pip install "
    "'jitkernels[numba,fleet]'). Each counted range is a line of the ledger, and the same command continues a stopped run. "
    "At the end a random 1 % of the points is counted again on another backend. --verify checks a ledger line by line and "
    "counts up to 1 % again, for a minute. " + ENVIRONMENT
)
FULL = (errno.ENOSPC, errno.EDQUOT)  # the disk, or the user's quota of it
NO_TEMPORARY = "No usable temporary directory"  # the beginning of tempfile's message, which has no class of its own


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print one line; argparse would print the usage too."""
        self.exit(USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. A full disk prints one line on standard error, a closed pipe nothing."""
    _require_errors()
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that child processes end too
    try:
        try:
            return _run(arguments)
        finally:
            print(end="", flush=True)  # here, so that an error sets the exit code; when Python exits it is too late
    except BrokenPipeError:
        _discard_output()
        return CLOSED
    except OSError as error:
        if error.errno not in FULL:
            raise
        _discard_output()
        return fail(f"cannot write {error.filename or 'the output'}: {error.strerror}")


def _require_errors() -> None:
    """Redirect a closed standard error (``2>&-``) to the null device, also for child processes."""
    if sys.stderr is None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.set_inheritable(2, True)  # dup2 does nothing if the null device was opened as 2
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115  # for as long as the process runs


def _discard_output() -> None:
    """Redirect standard output to the null device, so that Python's flush at exit succeeds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    """Run one command and return its exit code. A user's mistake prints one line on standard error and exits with 2."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if "run" not in options:
        parser.print_help()
        return OK
    try:
        settings.device()
        settings.threads()
        # By name, because each command imports only what it needs: pi alone a lock, chart and compare what draws.
        return int(pkgutil.resolve_name(f"jitkernels.command.{options.run}")(options))
    except ValueError as error:  # an unknown name or an impossible number
        parser.error(str(error))
    except FileNotFoundError as error:
        if not str(error.strerror).startswith(NO_TEMPORARY):
            raise
        return fail(str(error.strerror))
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="jitkernels", description="Kernels for Python's just-in-time compilers.", epilog=ENVIRONMENT)
    parser.add_argument("--version", action="version", version=f"jitkernels {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND")

    def add(name: str, run: str, text: str, *parents: _Parser, epilog: str | None = None) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, parents=parents, epilog=epilog)
        command.set_defaults(run=run)
        return command

    backends = _shared("-b", dest="backends", metavar="BACKEND", action="append", help="default: all; repeat for several")
    sizes = _shared("-n", dest="sizes", metavar="SIZE", type=number, action="append", help="1e6, 1_000_000; repeat for more")
    seed = _shared("--seed", type=number, default=DEFAULT_SEED, help=f"default: {DEFAULT_SEED}")
    as_json = _shared("--json", action="store_true", help="print JSON alone on standard output")
    every = [backends, sizes, seed, as_json]

    add("list", "commands.list_cases", "list which kernels run on which backends here, and why others do not", as_json)
    check = add("check", "commands.check", "run kernels and check their answers", *every, epilog=ENVIRONMENT)
    check.add_argument("kernel", nargs="?", metavar="KERNEL", help="one kernel instead of all")
    _describe_time(add("time", "commands.time", "time kernels, after a check of their answers", *every, epilog=ENVIRONMENT))
    _describe_show(add("show", "commands.show", "print what a compiler made of a kernel"))

    text = "observe what compilers do when a function is called again"
    patterns = add("patterns", "commands.observe", text, backends, as_json)
    patterns.add_argument("kernel", nargs="?", metavar="KERNEL", help="one kernel instead of all that have call patterns")
    patterns.add_argument("-s", dest="spellings", metavar="SPELLING", action="append", help="repeat for several")

    text = "compare compiling ahead of time with compiling just in time"
    aot = add("aot", "commands.compile_ahead", text, backends, as_json)
    aot.add_argument("kernel", nargs="?", metavar="KERNEL", help="one kernel instead of a short list")
    aot.add_argument("-n", dest="size", metavar="SIZE", type=number, help="1e6, 1_000_000; default: the kernel's own")
    aot.add_argument("-o", dest="out", metavar="DIRECTORY", help="keep the files here; must be empty")

    text = "compare your own functions, checked and timed"
    _describe_compare(add("compare", "compare.compare", text, sizes, as_json, epilog=ENVIRONMENT))
    text = "measure a kernel and draw it"
    _describe_chart(add("chart", "chart.draw", text, backends, sizes, seed, epilog=f"{ENVIRONMENT} {ROWS}"))
    _describe_pi(add("pi", "pi.pi", "count philox_pi on many processes, with a ledger", as_json, epilog=PI))
    return parser


def _shared(*names: str, **options: Any) -> _Parser:
    """Return a parser with one option that several commands have."""
    parent = _Parser(add_help=False)
    parent.add_argument(*names, **options)
    return parent


def _describe_time(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("kernels", metavar="KERNEL", nargs="+", help="softmax, or softmax=1e6 for a size of its own")
    add("--cold", action="store_true", help="also the first call with empty caches, and its stages")
    add("--cached", action="store_true", help="also the first call of a new process with filled caches")
    add("--retrace", action="store_true", help="also the first call with a new shape, value, dtype or constant")
    add("--memory", action="store_true", help="also the peaks of memory, while compiling and while running")
    add("--processes", metavar="N", type=number, default=1, help="take samples from N processes a case, in turn")


def _describe_compare(parser: argparse.ArgumentParser) -> None:
    add, yes_or_no = parser.add_argument, argparse.BooleanOptionalAction
    add("file", metavar="FILE.py", help=FUNCTIONS)
    add("--reference", metavar="LABEL", help="its answers are the truth; default: numpy or python")
    add("--cold", action=yes_or_no, default=True, help="also the first call with empty caches, and its stages")
    add("--cached", action=yes_or_no, default=False, help="also the first call of a new process with filled caches")
    add("--retrace", action=yes_or_no, default=False, help="also the first call with a new shape, value or dtype")
    add("--memory", action=yes_or_no, default=False, help="also the peaks of memory")
    add("--stages", action="store_true", help="show the stages of the first call")
    add("--processes", metavar="N", type=number, default=5, help="processes for each function; five tell two apart")
    add("--timeout", metavar="SECONDS", type=float, default=300.0, help="time limit of each answer of a process")
    add("--html", metavar="FILE.html", help="write a page with the answer, the table and charts")


def _describe_pi(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--points", metavar="POINTS", type=number, help="1e13; at most 2^62")
    parser.add_argument("--seed", type=number, help=f"default: {DEFAULT_SEED}")
    several = "default: c; repeat for several; ranges alternate between them"
    parser.add_argument("-b", "--backend", metavar="BACKEND", action="append", help=several)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=number, help="processes of this machine; default: one for each core")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler: tls://HOST:8786, here tcp://127.0.0.1:8786")
    parser.add_argument("--ledger", metavar="FILE.jsonl", help="default: pi-POINTS-SEED.jsonl")
    parser.add_argument("--seconds", metavar="SECONDS", type=number, help="about as long as a range takes; default: 20")
    parser.add_argument("--verify", metavar="LEDGER", help="check this ledger instead")


def _describe_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernel", metavar="KERNEL")
    parser.add_argument("backend", metavar="BACKEND")
    parser.add_argument("stage", nargs="?", metavar="STAGE", help="print this stage; default: the last one")
    parser.add_argument("-n", dest="size", metavar="SIZE", type=number, help="the size to compile for")


def _describe_chart(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernel", metavar="KERNEL")
    parser.add_argument("chart", nargs="?", metavar="CHART", help=CHARTS)
    parser.add_argument("--out", required=True, metavar="FILE.{svg,png,html}", help="the file; its ending is the format")
    parser.add_argument("--rows", metavar="FILE.json", help="draw what time --json or aot --json printed")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="for svg, png; html follows its reader")


if __name__ == "__main__":
    sys.exit(main())
