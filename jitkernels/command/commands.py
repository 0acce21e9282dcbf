"""One function for each command: its options in, rows or an artifact out, and its exit code."""

import argparse
import itertools
import json
import sys
import tempfile
from pathlib import Path

from jitkernels import kernels, settings
from jitkernels.availability import unavailable
from jitkernels.backends import caches, forms
from jitkernels.backends.table import broken, catalogue, find_backend
from jitkernels.case import DEFAULT_SEED
from jitkernels.command import arguments, output, tables
from jitkernels.command.output import FAILED, OK
from jitkernels.kernel import valid_seed, whole_number
from jitkernels.measure import aot, lives, patterns, process, ranking, timing
from jitkernels.measure.rows import Row


def list_cases(options: argparse.Namespace) -> int:
    """Show which kernel runs on which backend here, and which plugins are broken."""
    rows: list[Row] = []
    for kernel, backend in itertools.product(map(kernels.load, kernels.names()), catalogue().values()):
        reason = unavailable(kernel, backend, settings.device())
        rows.append({"kernel": kernel.name, "backend": backend.name, "available": reason is None, "reason": reason})
    for key, plugins in (("kernel", kernels.broken()), ("backend", broken())):
        blank: Row = {"kernel": None, "backend": None, "available": False}
        rows += [{**blank, key: name, "reason": reason} for name, reason in plugins.items()]
    output.print_rows(rows, tables.listing, options.json)
    return OK


def check(options: argparse.Namespace) -> int:
    """Check cases' answers. A backend that the user has named must run here."""
    sizes = arguments.sizes([options.kernel] if options.kernel else kernels.names(), options.sizes)
    request = timing.Request(sizes, arguments.backends(options.backends), valid_seed(options.seed))
    rows = output.collect(timing.checks(request), len(sizes) * len(request.backends))
    output.print_rows(rows, tables.checks, options.json)
    return output.exit_code(rows, is_named=bool(options.backends))


def time(options: argparse.Namespace) -> int:
    """Time cases, and compare them."""
    chosen = tuple(life for life in lives.LIVES if getattr(options, life))
    processes = whole_number(options.processes, "processes", 1, ranking.MOST)
    sizes, backends = arguments.sizes(options.kernels, options.sizes), arguments.backends(options.backends)
    rows = output.timings(timing.Request(sizes, backends, valid_seed(options.seed), chosen, processes))
    output.print_rows(rows, tables.timings, options.json)
    return output.exit_code(rows)


def show(options: argparse.Namespace) -> int:
    """Print one stage of a compiler's output for a kernel; its counts go to standard error."""
    spec, backend = kernels.load(options.kernel), find_backend(options.backend)
    size = spec.default_size if options.size is None else spec.valid_size(options.size)
    case = {"kernel": spec.name, "backend": backend.name, "size": size, "seed": DEFAULT_SEED}
    with tempfile.TemporaryDirectory(prefix="jitkernels-show-", ignore_cleanup_errors=True) as directory:
        # in empty caches: what comes from a user's cache is not compiled, and leaves nothing to show
        answer = process.ask_once("tasks.artifacts", case, caches.variables(Path(directory)))
    if answer["status"] != "ok":
        return output.fail(f"{spec.name} on {backend.name}: {answer['status']}: {answer['reason']}")
    texts: dict[str, str] = answer["figures"]["texts"]
    if not texts:
        return output.fail(f"{backend.name} compiles nothing, so there is nothing to show")
    stage = options.stage or list(texts)[-1]
    if stage not in texts:
        raise ValueError(f"{backend.name} has no stage {stage!r}; known: {', '.join(texts)}")
    print(texts[stage])
    print(f"counts: {json.dumps(answer['figures']['counts'])}", file=sys.stderr)
    if others := ", ".join(other for other in texts if other != stage):
        print(f"other stages: {others}", file=sys.stderr)
    return OK


def observe(options: argparse.Namespace) -> int:
    """Show what compilers do when a function is called again."""
    names = [options.kernel] if options.kernel else [name for name in kernels.names() if kernels.load(name).patterns]
    calls, backends = patterns.call_patterns(names, options.spellings or ()), arguments.backends(options.backends)
    steps = (row for name in backends for row in patterns.rows(name, calls))
    rows = output.collect(steps, len(calls) * len(backends))
    output.print_rows(rows, tables.observations, options.json)
    return FAILED if any(row["as_expected"] is False for row in rows) else OK


def compile_ahead(options: argparse.Namespace) -> int:
    """Measure files that compilers write ahead of time."""
    backends = arguments.backends(options.backends or list(dict.fromkeys(form.backend for form in forms.FORMS)))
    total = sum(len(forms.forms_of(name)) for name in backends)  # raises if a backend has none
    names = [options.kernel] if options.kernel else forms.DEFAULT_KERNELS
    sizes = arguments.sizes(names, None if options.size is None else [options.size])
    steps = aot.rows(timing.Request(sizes, backends, DEFAULT_SEED), Path(options.out) if options.out else None)
    rows = output.collect(steps, len(sizes) * total)
    output.print_rows(rows, tables.forms, options.json)
    return output.exit_code(rows)
