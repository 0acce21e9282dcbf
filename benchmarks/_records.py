"""What a measuring process records besides its numbers: installed packages, and why a benchmark case is empty.

asv's files of results hold only numbers. So each process that asv starts appends lines to
``.asv/records/<commit>/<environment>.jsonl`` below asv's directory. A line is repeated only if it is a backend's and
the backend's last line differs. Outside asv, nothing is written.
docs/site-data.md describes the lines; ``history/store/records.py`` has their types and reads them.
"""

import contextlib
import datetime
import functools
import hashlib
import json
import os
import platform
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jitkernels

from ._library import BACKENDS, compiler_of, distributions, load

SCHEMA = 1
LONGEST_NAME = 127  # characters of an environment's name; asv replaces longer ones by a hash
LONGEST_REASON = 600  # characters, so that one write appends a whole line
_settled: list[tuple[bool, int]] = []  # of the running setup: had a series settled, and how many calls had it


def recorded(method):
    """Return a benchmark's setup that records the outcome of its first call. asv calls it before each timed call, so later
    calls test only one attribute. A call through ``super()`` belongs to the first one."""

    @functools.wraps(method)
    def setup(self, *parameters):
        if self.is_recorded:
            return method(self, *parameters)
        self.is_recorded = True
        _settled.clear()
        line = _case_line(self, "", parameters)
        with _reasons(line):
            answer = method(self, *parameters)
        _record_backend(self, parameters)
        for has_settled, calls in _settled:
            _append("settled" if has_settled else "unsettled", line, calls=calls)
        return answer

    return setup


def explained(method):
    """Return a benchmark's ``track_`` method or teardown that records the reason if it raises."""
    figure = "" if method.__name__ == "teardown" else f".{method.__name__}"

    @functools.wraps(method)
    def track(self, *parameters):
        with _reasons(_case_line(self, figure, parameters)):
            return method(self, *parameters)

    return track


def note_settled(has_settled: bool | None, calls: int) -> None:
    """Let the running setup record whether a series of calls had settled. None: too short to tell."""
    if has_settled is not None:
        _settled.append((has_settled, calls))


@contextlib.contextmanager
def _reasons(line: dict[str, Any]):
    try:
        yield
    except NotImplementedError as skip:
        _append("empty", line, reason=_short(str(skip)))
        raise
    except Exception as error:
        _append("failed", line, reason=_short(_last_line(error)))
        raise


def _record_backend(benchmark, parameters) -> None:
    """Record the case's backend and the machine. Record nothing if another process computed the figures, so that this one
    has not loaded the backend, or if the case sets the number of threads itself."""
    row = BACKENDS.get(parameters[0]) if parameters else None
    compiler = row and compiler_of(row)
    if row is None or not compiler or "threads" in benchmark.param_names or not _file():
        return
    machine = load("machine")
    line = {
        "backend": row.name,
        "packages": {**compiler.versions(), **_installed(distributions(row))},
        "python": platform.python_version(),
        "processor": machine.processor(),
        "cores": machine.cores(),
        "threads": compiler.threads(),
        "device": compiler.device,
        "interpreted": compiler.interpreted,
        "library": jitkernels.__version__,
    }
    if hasattr(machine, "identity"):  # older versions of the library do not name the hardware
        line["machine"] = machine.identity()
    _append("backend", line)


def _installed(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of the distributions that are installed."""
    from importlib import metadata  # here: discovery need not import it, which takes a tenth of a second

    versions = {}
    for name in names:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def _case_line(benchmark, method: str, parameters) -> dict[str, Any]:
    """Return the fields that name the benchmark case. method: "" or that of the figure, after a point."""
    cls = type(benchmark)
    module = cls.__module__.partition(".")[2] or cls.__module__
    line = {"benchmark": f"{module}.{cls.__qualname__}{method}", "cell": list(parameters)}
    machine = load("machine")
    return {**line, "machine": machine.identity()} if hasattr(machine, "identity") else line


def _last_line(error: Exception) -> str:
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__


def _short(reason: str) -> str:
    return reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}..."


def _file() -> Path | None:
    """Return the file of this process's lines; None outside asv."""
    directory, commit, environment = (os.environ.get(f"ASV_{name}") for name in ("CONF_DIR", "COMMIT", "ENV_NAME"))
    if not (directory and commit and environment):
        return None
    if len(environment) > LONGEST_NAME:
        environment = f"env-{hashlib.md5(environment.encode()).hexdigest()}"  # as asv names its file
    return Path(directory) / ".asv" / "records" / commit / f"{environment}.jsonl"


def _append(kind: str, line: dict[str, Any], **more: str | int) -> None:
    """Append a line, unless the file has it. Of a backend's lines the last one counts, so only that one is compared.

    A full disk loses the line, but not the measurement."""
    file = _file()
    if file is None:
        return
    text = f"{json.dumps({'schema': SCHEMA, 'said': kind, **line, **more})[:-1]}, "  # the time is added last
    start = text if kind != "backend" else text[: text.index('"packages"')]
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        known = file.read_text().splitlines() if file.exists() else []
        own = [each for each in known if each.startswith(start)]
        if not own or not own[-1].startswith(text):
            with file.open("ab", buffering=0) as records:  # one write, so that lines of several processes do not mix
                records.write(f'{text}"at": "{now}"}}\n'.encode())
    except OSError as error:
        print(f"{file} takes no record: {error.strerror}", file=sys.stderr)
