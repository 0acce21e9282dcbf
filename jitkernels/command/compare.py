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

from jitkernels.backends.table import catalogue, frameworks
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
    """Yield a line for each function of the file that is named after a backend or dialect, and does not take part."""
    are_marked, words = hasattr(module, labels.VARIANTS), _words()
    own = {name: value for name, value in _named(module).items() if getattr(value, "__module__", "") == module.__name__}
    taken = [id(function) for function in functions_of(module).values()]
    for name in (name for name, function in own.items() if id(function) not in taken and not name.startswith("_")):
        if word := next((word for word in sorted(words, key=len, reverse=True) if f"_{word}_" in f"_{name}_"), None):
            advice = f"mark it, as jitkernels.variant('{words[word][0]}: ...')"
            if f"_{name}".endswith(f"_{word}") and not are_marked:
                advice = f"call it {', '.join(name.removesuffix(word) + backend for backend in words[word])}"
            yield f"not compared: {name} ({advice})"


def _words() -> dict[str, list[str]]:
    """Return the backends that a word in a function's name can mean."""
    rows = labels.backends()
    words = {row.dialect: [each.name for each in rows if each.dialect == row.dialect] for row in rows}
    return {**words, "pytorch": words["torch"], "tf": words["tensorflow"], **{row.name: [row.name] for row in rows}}


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
    for function in marked.values():
        named = getattr(module, getattr(function, "__name__", ""), None)
        if any(getattr(named, attribute, None) is function for attribute in transport.WRAPPED):
            advice = "put jitkernels.variant above it"
            raise ValueError(f"{function.__name__} was marked before another decorator changed it: {advice}")
    # The longest label first: softmax_numba_parallel belongs to numba_parallel.
    known = sorted((*(row.name for row in labels.backends()), labels.ARRAY_API), key=len, reverse=True)
    by_label: dict[str, Callable[..., Any]] = {}
    for name, function in ({} if marked else _named(module)).items():
        label = next((label for label in known if name == label or name.endswith(f"_{label}")), None)
        if label and by_label.setdefault(label, function) is not function:
            advice = f"rename it, or mark all that take part with jitkernels.variant, as '{label}' and '{label}: other'"
            raise ValueError(f"{name} is a second function named after {label}: {advice}")
    return marked or by_label


def _module(file: Path) -> ModuleType:
    if file.suffix != ".py" or not file.is_file():
        raise ValueError(f"there is no file {file}: give a .py file with the functions")
    if file.stem in {package for framework in frameworks() for package in framework.packages}:
        raise ValueError(f"{file} hides the package {file.stem}: rename it")
    try:
        return transport.execute(file.resolve())
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise ValueError(f"{file} cannot be imported: {failures.describe(error, str(file.resolve()))}") from error
