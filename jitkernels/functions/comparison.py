"""Measure a user's own functions, each on its compiler, checked against one of them."""

import functools
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitkernels import machine, settings
from jitkernels.functions import arguments, definition, transport
from jitkernels.functions.arguments import Options
from jitkernels.functions.inputs import specification
from jitkernels.functions.labels import Function, backend_of
from jitkernels.measure import lives, process, timing
from jitkernels.measure.rows import PROCESS, Row

Progress = Callable[..., Iterable[Row]]  # (steps, total=how many)
REGISTER = "jitkernels.functions.definition:register"  # called by each child
TIMEOUT = 300.0  # seconds: torch.compile's longest first calls take a minute


def measure(
    functions: Mapping[str, Function],
    inputs: Function,
    sizes: Sequence[int],
    reference: str | None,
    options: Options,
    progress: Progress | None,
) -> tuple[list[Row], str]:
    """Write the functions to a file and measure them in processes that read it. Return the rows and the reference."""
    by_label = arguments.functions_by_label(functions)
    truth, each_size = arguments.reference(by_label, reference), arguments.sizes(sizes)
    smallest = min(each_size)
    arguments.require_static(options.static, by_label.values())
    addresses, problems = _addresses(by_label, arguments.values(inputs, smallest, options.seed))
    if truth in problems:
        raise ValueError(f"the reference {truth} cannot be called: {problems[truth]}")
    described = definition.Definition(
        functions=addresses,
        inputs=transport.address(inputs),
        arguments=specification(inputs, smallest, options.seed),
        reference=truth,
        size=smallest,
        options=options,
        path=sys.path,
        dtypes=transport.dtypes(),
    )
    with tempfile.TemporaryDirectory(prefix="jitkernels-compare-") as directory:
        name = described.write(Path(directory))
        cases = tuple((name, size) for size in each_size)
        backends = tuple(backend_of(label).name for label in addresses)
        start = functools.partial(process.Started, is_quiet=True, timeout=options.timeout, register=REGISTER)
        request = timing.Request(cases, backends, options.seed, options.lives, options.processes, tuple(addresses), start)
        failed = [_failed(label, why, name, size, options.seed) for label, why in problems.items() for size in each_size]
        steps = (progress or _bar)(_steps(request, failed), total=len(failed) + request.steps)
        rows = [step for step in steps if PROCESS not in step]
    order = {label: place for place, label in enumerate(by_label)}
    rows.sort(key=lambda row: (row["size"], order[row["label"]]))
    _name_reference(rows, truth)
    return rows, truth


def _addresses(
    by_label: Mapping[str, Function], values: Sequence[Any]
) -> tuple[dict[str, transport.Address], dict[str, str]]:
    """Return how another process finds each function, and why it could not call one with these values."""
    addresses: dict[str, transport.Address] = {}
    problems: dict[str, str] = {}
    for label, function in by_label.items():
        try:
            arguments.require_call(function, values)
            addresses[label] = transport.address(function)
        except ValueError as error:
            problems[label] = str(error)
    return addresses, problems


def _bar(steps: Iterable[Row], total: int) -> Iterable[Row]:
    """Show a bar on a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        return steps
    from rich.console import Console
    from rich.progress import track

    return track(steps, "measuring", total, console=Console(stderr=True), transient=True)


def _steps(request: timing.Request, failed: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of functions that cannot be called, and the steps of ``jitkernels time`` with the functions' labels."""
    for step in itertools.chain(failed, lives.steps(request)):
        yield {"label": step["spelling"], **{key: value for key, value in step.items() if key not in ("kernel", "spelling")}}


def _failed(label: str, why: str, kernel: str, size: int, seed: int) -> Row:
    """Return the row of a function that cannot be called."""
    case = {"kernel": kernel, "backend": backend_of(label).name, "size": size, "seed": seed, "spelling": label}
    here = {"device": settings.device(), "processor": machine.processor()}
    return timing.row_of([{**case, **here, "status": "failed", "reason": why}])


def _name_reference(rows: Iterable[Row], truth: str) -> None:
    """Name the reference as the cause in each row whose process gave no answer, for the reason that the reference's gave
    none: it is called there too."""
    reasons = {row["size"]: row["reason"] for row in rows if row["label"] == truth and row["status"] == "failed"}
    for row in rows:
        is_mute = row["label"] != truth and (row["reason"] or "").startswith((process.ENDED, process.SILENT))
        if is_mute and row["reason"] == reasons.get(row["size"]):
            row["reason"] = f"its answer cannot be checked, because the reference {truth} has none at this size"
