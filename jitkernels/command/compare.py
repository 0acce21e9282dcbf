"""``jitkernels compare FILE.py``: measure the functions of a user's file.

A function of the file takes part if ``@jitkernels.variant("numba: tiled")`` marks it, or if its name is a backend's or ends
with one ("softmax_numba"). The file must define ``inputs(size, rng)``. If it defines ``sizes``, ``reference``, ``rtol``,
``atol`` or ``static``, they are arguments of ``compare``.
"""

import argparse
import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from jitkernels.backends.table import catalogue
from jitkernels.command import chart, output
from jitkernels.command.output import FAILED, OK
from jitkernels.functions import failures, labels, report, transport
from jitkernels.measure.rows import REQUESTED

SETTINGS = ("reference", "rtol", "atol", "static")


def compare(options: argparse.Namespace) -> int:
    """Compare the functions of a file. FAILED, with one line after the table, if the page cannot be written."""
    failure = ""
    with contextlib.redirect_stdout(sys.stderr):  # a user's file may print, and --json prints JSON alone
        outcome = _outcome(options)
        if options.html:
            try:
                outcome.to_html(options.html)
            except OSError as error:
                failure = f"cannot write {options.html}: {error.strerror}"
    if options.json:
        output.print_json(outcome.as_json())
    else:
        for part in outcome.parts():
            output.print_part(part)
    if failure:
        return output.fail(failure)
    return OK if outcome.ok else FAILED


def _outcome(options: argparse.Namespace) -> report.Report:
    """Measure the functions of the file. Raises ValueError for what cannot be compared, or a page that cannot be written."""
    file = Path(options.file)
    module = _module(file)
    functions = functions_of(module)
    for line in _left_out(module):
        print(line, file=sys.stderr)
    if not functions:
        advice = "name one after a backend, as softmax_numba, or mark it with jitkernels.variant"
        raise ValueError(f"{file} has no functions: {advice}")
    if not hasattr(module, "inputs"):
        raise ValueError(f"{file} defines no inputs(size, rng) at its top level, above any call of jitkernels.compare")
    settings = {name: getattr(module, name) for name in SETTINGS if hasattr(module, name)}
    if options.reference:
        settings["reference"] = options.reference
    sizes: Any = options.sizes or getattr(module, "sizes", None)
    if sizes is None:
        raise ValueError(f"{file} defines no sizes, and there is no -n SIZE")
    if options.html:
        if Path(options.html).suffix != ".html":
            raise ValueError(f"--html must end in .html, got {options.html!r}")
        chart.valid_out(options.html)
    outcome = report.compare(
        functions,
        module.inputs,
        sizes,
        **settings,
        lives=[life for life in REQUESTED if getattr(options, life)],
        processes=options.processes,
        timeout=options.timeout,
        progress=output.with_progress,
    )
    outcome.title, outcome.with_stages = file.stem, options.stages
    return outcome


def _left_out(module: ModuleType) -> Iterator[str]:
    """Yield a line for each function that is named after a dialect (norm_torch), but not after a backend."""
    for dialect in dict.fromkeys(row.dialect for row in catalogue().values()):
        backends = [backend for backend, row in catalogue().items() if row.dialect == dialect]
        for name in _named(module) if dialect not in backends and not hasattr(module, labels.VARIANTS) else ():
            if name == dialect or name.endswith(f"_{dialect}"):
                others = ", ".join(name.removesuffix(dialect) + backend for backend in backends)
                yield f"not compared: {name} (call it {others})"


def _named(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Return the module's functions by name, without conversions, such as torch's ``from_numpy``."""
    conversions = {f"{word}_{label}" for word in ("from", "to", "as") for label in catalogue()}
    functions = {name: value for name, value in vars(module).items() if callable(value) and not inspect.isclass(value)}
    return {name: value for name, value in functions.items() if name not in conversions}


def functions_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Return a module's functions by label: the marked ones, or without any, those named after backends.

    ValueError if two are named after one backend.
    """
    marked: dict[str, Callable[..., Any]] = getattr(module, labels.VARIANTS, {})
    # The longest label first: softmax_numba_parallel belongs to numba_parallel.
    known = sorted((*catalogue(), labels.ARRAY_API), key=len, reverse=True)
    by_label: dict[str, Callable[..., Any]] = {}
    for name, function in ({} if marked else _named(module)).items():
        label = next((label for label in known if name == label or name.endswith(f"_{label}")), None)
        if label and by_label.setdefault(label, function) is not function:
            advice = f"mark both with jitkernels.variant, as '{label}' and '{label}: other'"
            raise ValueError(f"{name} is a second function named after {label}: {advice}")
    return marked or by_label


def _module(file: Path) -> ModuleType:
    if file.suffix != ".py" or not file.is_file():
        raise ValueError(f"there is no file {file}: give a .py file with the functions")
    try:
        return transport.execute(file.resolve())
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise ValueError(f"{file} cannot be imported: {failures.describe(error, str(file.resolve()))}") from error
