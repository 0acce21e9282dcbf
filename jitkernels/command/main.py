"""jitkernels list | check | time | show | patterns | aot | chart

Exit codes: 0 ok, 1 a check failed, 2 usage. ``--json`` prints JSON alone on standard output. JITKERNELS_DEVICE picks the
device, JITKERNELS_THREADS the number of threads.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NoReturn

from jitkernels import __version__, kernels, settings
from jitkernels.backends.table import BACKENDS, find_backend
from jitkernels.case import DEFAULT_SEED, absent, unavailable
from jitkernels.kernel import Kernel, valid_seed, whole_number

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
MOST_PROCESSES = 100  # of one cell: a slip of the finger ends before the week does
ENVIRONMENT = (
    f"{settings.DEVICE}={'|'.join(settings.DEVICES)} picks the device; "
    f"{settings.THREADS}=N has every backend that has threads use N of them, where it would take one for each core."
)
CHARTS = (  # the catalogue's names, which a test compares: to import it takes as long as a tenth of ``list``
    "seconds, error, tradeoff, lives, stages, ahead_of_time, counts, speedup, break_even, pi; "
    "without it, pi for a kernel that estimates it, else seconds"
)
Row = dict[str, Any]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, instead of the usage and a line."""
        self.exit(USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a person's mistake ends in one line on standard error, with 2."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        settings.device()
        settings.threads()
        status: int = options.run(options)
        return status
    except ValueError as error:  # what prepare, the tables and the sizes raise for a name or number that can't be
        parser.error(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="jitkernels", description="Kernels for Python's just-in-time compilers.", epilog=ENVIRONMENT)
    parser.add_argument("--version", action="version", version=f"jitkernels {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="which kernel runs on which backend here, and why not")
    listing.set_defaults(run=_list)

    check = commands.add_parser("check", help="run cells and check their answers", epilog=ENVIRONMENT)
    check.add_argument("kernel", nargs="?", metavar="KERNEL", help="one kernel instead of all")
    check.set_defaults(run=_check)

    time = commands.add_parser("time", help="time kernels' cells, each checked first", epilog=ENVIRONMENT)
    time.add_argument("kernels", metavar="KERNEL", nargs="+")
    time.add_argument("--cold", action="store_true", help="also the first call with empty caches, and its stages")
    time.add_argument("--cached", action="store_true", help="also the first call of a new process with filled caches")
    time.add_argument("--retrace", action="store_true", help="also the first call with a new shape, dtype ...")
    time.add_argument("--memory", action="store_true", help="also the peaks of memory, compiling and running")
    time.add_argument("--processes", metavar="N", default="1", help="samples from N processes a cell, taken in turn")
    time.set_defaults(run=_time)

    show = commands.add_parser("show", help="print what a compiler made of a kernel")
    show.add_argument("kernel", metavar="KERNEL")
    show.add_argument("backend", metavar="BACKEND")
    show.add_argument("stage", nargs="?", metavar="STAGE", help="one stage's text; without it, the last one's")
    show.add_argument("-n", dest="size", metavar="SIZE", help="the size to compile for")
    show.set_defaults(run=_show)

    patterns = commands.add_parser("patterns", help="what compilers do when a function is called again, one way or another")
    patterns.add_argument("kernel", nargs="?", metavar="KERNEL", help="one kernel instead of all that have call patterns")
    patterns.add_argument("-s", dest="spellings", metavar="SPELLING", action="append", help="repeat for several")
    patterns.set_defaults(run=_patterns)

    aot = commands.add_parser("aot", help="compiled ahead of time against just in time: build, ship, load and call")
    aot.add_argument("kernel", nargs="?", metavar="KERNEL", help="one kernel instead of a short list")
    aot.add_argument("-n", dest="size", metavar="SIZE", help="1e6, 1_000_000; without it, the kernel's own")
    aot.add_argument("-o", dest="out", metavar="DIRECTORY", help="keep the files there")
    aot.set_defaults(run=_aot)

    chart = commands.add_parser(
        "chart",
        help="measure a kernel and draw it",
        epilog=f"{ENVIRONMENT} What was measured can be drawn again, another way: jitkernels time ... --json > rows.json, "
        "then --rows rows.json.",
    )
    chart.add_argument("kernel", metavar="KERNEL")
    chart.add_argument("chart", nargs="?", metavar="CHART", help=CHARTS)
    chart.add_argument("--out", required=True, metavar="FILE.{svg,png,html}", help="where to; the ending says in what")
    chart.add_argument("--rows", metavar="FILE.json", help="draw what jitkernels time --json printed, and measure nothing")
    chart.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="of an svg or png; html follows its reader's"
    )
    chart.set_defaults(run=_chart)

    for command in (check, time, patterns, aot, chart):
        command.add_argument("-b", dest="backends", metavar="BACKEND", action="append", help="repeat for several")
    for command in (check, time, chart):
        command.add_argument("-n", dest="sizes", metavar="SIZE", action="append", help="1e6, 1_000_000; repeat for several")
        command.add_argument("--seed", default=str(DEFAULT_SEED), help=f"default {DEFAULT_SEED}")
    for command in (listing, check, time, patterns, aot):
        command.add_argument("--json", action="store_true", help="JSON alone on standard output")
    return parser


def _list(options: argparse.Namespace) -> int:
    device = settings.device()
    rows = []
    for name in kernels.names():
        for backend in BACKENDS.values():
            reason = unavailable(kernels.load(name), backend, device)
            rows.append({"kernel": name, "backend": backend.name, "available": reason is None, "reason": reason})
    _print(rows, "listing", options.json)
    return OK


def _check(options: argparse.Namespace) -> int:
    names = [options.kernel] if options.kernel else kernels.names()
    cells = _cells(names, options.sizes)
    backends, seed = _backends(options.backends), _seed(options.seed)
    rows = list(_progress(_checked(cells, backends, seed), len(cells) * len(backends)))
    rows.sort(key=lambda row: names.index(row["kernel"]))  # measured backend by backend, read kernel by kernel
    _print(rows, "checks", options.json)
    return _verdict(rows)


def _checked(cells: list[tuple[str, int]], backends: list[str], seed: int) -> Iterator[Row]:
    """One process a backend, for all kernels: to import a framework takes longer than most checks."""
    from jitkernels.measure import worker  # here, so that ``list`` starts without it

    for backend in backends:
        for answer in worker.ask({"task": "check", "backend": backend, "cells": cells, "seed": seed}):
            versions = answer.pop("versions", {})
            version = ", ".join(f"{package} {version}" for package, version in versions.items()) or None
            blank = {"kernel": answer["kernel"], "backend": backend, "size": answer["size"], "seed": seed}
            yield {**blank, "device": settings.device(), "version": version, "value": None, "error": None, **answer}


def _time(options: argparse.Namespace) -> int:
    from jitkernels.measure import break_even, speedup, timing
    from jitkernels.measure import modes as ladder

    lives = options.cold, options.cached, options.retrace, options.memory
    cells = tuple(_cells(options.kernels, options.sizes))
    processes = whole_number(_number(options.processes), "processes", 1, MOST_PROCESSES)
    request = timing.Request(cells, tuple(_backends(options.backends)), _seed(options.seed), *lives, processes)
    rows = list(_progress(timing.rows(request), len(request.backends) * len(cells)))
    rows.sort(key=lambda row: options.kernels.index(row["kernel"]))
    for figures in (speedup, break_even, ladder):
        figures.add(rows)
    _print(rows, "timings", options.json)
    return _verdict(rows)


def _show(options: argparse.Namespace) -> int:
    from jitkernels.measure import worker

    spec, backend = kernels.load(options.kernel), find_backend(options.backend)
    size = spec.valid_size(_number(options.size)) if options.size else spec.default_size
    request = {"task": "artifacts", "backend": backend.name, "cells": [(spec.name, size)], "seed": DEFAULT_SEED}
    answer = next(worker.ask(request))
    if answer["status"] != "ok":
        print(f"jitkernels: {spec.name} on {backend.name}: {answer['status']}: {answer['reason']}", file=sys.stderr)
        return FAILED
    texts: dict[str, str] = answer["texts"]
    if not texts:
        print(f"jitkernels: {backend.name} compiles nothing, so there is nothing to show", file=sys.stderr)
        return FAILED
    stage = options.stage or list(texts)[-1]
    if stage not in texts:
        raise ValueError(f"{backend.name} has no stage {stage!r}; known: {', '.join(texts)}")
    print(texts[stage])
    others = ", ".join(other for other in texts if other != stage)
    print(f"counts: {json.dumps(answer['counts'])}" + (f"\nother stages: {others}" if others else ""), file=sys.stderr)
    return OK


def _patterns(options: argparse.Namespace) -> int:
    from jitkernels.measure import patterns

    names = [options.kernel] if options.kernel else [name for name in kernels.names() if kernels.load(name).patterns]
    cells, backends = patterns.cells(names, options.spellings or ()), _backends(options.backends)
    rows = list(_progress((row for name in backends for row in patterns.ask(name, cells)), len(cells) * len(backends)))
    rows.sort(key=lambda row: names.index(row["kernel"]))
    _print(rows, "observations", options.json)
    return FAILED if any(row["as_expected"] is False for row in rows) else OK


def _aot(options: argparse.Namespace) -> int:
    from jitkernels.backends import forms as aot
    from jitkernels.measure import aot as ahead

    backends = _backends(options.backends) if options.backends else list(dict.fromkeys(form.backend for form in aot.FORMS))
    total = sum(len(aot.forms(backend)) for backend in backends)
    cells = _cells([options.kernel] if options.kernel else aot.DEFAULT_KERNELS, [options.size] if options.size else None)
    request = ahead.Request(tuple(cells), tuple(backends), DEFAULT_SEED, Path(options.out) if options.out else None)
    rows = list(_progress(ahead.rows(request), len(cells) * total))
    _print(rows, "forms", options.json, "jitkernels.command.aot_tables")
    return _verdict(rows)


def _chart(options: argparse.Namespace) -> int:
    from jitkernels.charts import timings
    from jitkernels.command import chart as command

    spec, out = kernels.load(options.kernel), command.valid_out(options.out)
    command.check_name(options.chart, options.rows is not None)
    backends, seed = _backends(options.backends), _seed(options.seed)
    sizes = _sizes(options.sizes, spec) if options.sizes else None
    if options.rows:
        rows = timings.read(Path(options.rows), spec.name)
        rows = [row for row in rows if row["backend"] in backends and (sizes is None or row["size"] in sizes)]
    else:
        rows = _measured(spec, sizes or command.sizes(spec), backends, seed, command.LIVES.get(options.chart, ()))
    try:
        said = command.draw(out, options.chart, spec, rows, options.theme)
    except command.NothingToDrawError as error:
        print(f"jitkernels: {error}", file=sys.stderr)
        return FAILED
    print("\n\n".join(filter(None, (said, f"written: {out}"))))
    return OK if options.rows else _verdict(rows)


def _measured(spec: Kernel, sizes: list[int], backends: list[str], seed: int, lives: Sequence[str]) -> list[Row]:
    """The rows of ``jitkernels time``, one kernel's."""
    from jitkernels.measure import break_even, timing

    cells = tuple((spec.name, size) for size in sizes)
    request = timing.Request(cells, tuple(backends), seed, **dict.fromkeys(lives, True))
    rows = list(_progress(timing.rows(request), len(backends) * len(cells)))
    break_even.add(rows)
    return rows


def _print(rows: list[Row], table: str, as_json: bool, module: str = "jitkernels.command.tables") -> None:
    """table: the function of ``module`` that draws the rows."""
    if as_json:
        print(json.dumps(rows, indent=1, allow_nan=False))
        return
    from jitkernels.command import tables

    for part in getattr(importlib.import_module(module), table)(rows):
        tables.show(part)
    for line in sorted({f"on {row['processor']}, {row['device']}" for row in rows if "processor" in row}):
        print(line)


def _progress(rows: Iterable[Row], total: int) -> Iterable[Row]:
    """``rows``, with a bar on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        return rows
    from rich.console import Console
    from rich.progress import track

    return track(rows, "measuring", total, console=Console(stderr=True), transient=True)


def _verdict(rows: list[Row]) -> int:
    """1 where a row is wrong or failed, or is missing though JITKERNELS_REQUIRE names it."""
    for row in rows:
        line = BACKENDS[row["backend"]]
        missing = row["status"] == "unavailable" and not absent(kernels.load(row["kernel"]), line)
        if (missing and settings.is_required(line.name, line.dialect)) or row["status"] in ("wrong", "failed"):
            return FAILED
    return OK


def _backends(names: list[str] | None) -> list[str]:
    return [find_backend(name).name for name in names] if names else list(BACKENDS)


def _cells(names: Sequence[str], sizes: list[str] | None) -> list[tuple[str, int]]:
    """Each kernel with each size, or with its own default."""
    return [(spec.name, size) for spec in map(kernels.load, names) for size in _sizes(sizes, spec)]


def _sizes(texts: list[str] | None, spec: Kernel) -> list[int]:
    return [spec.valid_size(_number(text)) for text in texts] if texts else [spec.default_size]


def _seed(text: str) -> int:
    return valid_seed(_number(text))


def _number(text: str) -> object:
    """1e6 and 1_000_000 as ints, exactly; any other text as it is, for the range check to name."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    whole = number.is_finite() and number.adjusted() < 30 and number == number.to_integral_value()  # 1e999 fills memory
    return int(number) if whole else text


if __name__ == "__main__":
    sys.exit(main())
