"""What a measuring process says of itself, because asv's files of results hold numbers only: what was installed, and why a
cell is empty.

Each process that asv starts appends to ``.asv/records/<commit>/<environment>.jsonl`` below asv's directory; a line that is
there is not repeated. Outside asv, nothing is written. docs/site-data.md says what a line holds, and who reads it.
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
from pathlib import Path

import jitkernels
from jitkernels import machine, settings
from jitkernels.backends.compiler import class_of
from jitkernels.backends.table import BACKENDS

SCHEMA = 1
LONGEST_NAME = 127  # of an environment, before asv files its results under a hash
LONGEST_REASON = 600  # characters: a line stays shorter than what one write appends as a whole
_settled: list[tuple[bool, int]] = []  # what the setup that runs has found, until it is written


def heard(method):
    """``method``, a benchmark's setup, whose first call says what came of it. Calls by way of ``super()`` are part of that
    one, and later ones, of which asv makes one before each timed call, find one attribute set."""

    @functools.wraps(method)
    def setup(self, *cell):
        if self.heard:
            return method(self, *cell)
        self.heard = True
        _settled.clear()
        with _explained(type(self), "", cell):
            answer = method(self, *cell)
        _say_backend(self, cell)
        for settled, calls in _settled:
            _say("settled" if settled else "unsettled", **_cell(type(self), "", cell), calls=calls)
        return answer

    return setup


def explained(method):
    """``method``, a benchmark's ``track_``, which says why where it raises."""

    @functools.wraps(method)
    def track(self, *cell):
        with _explained(type(self), f".{method.__name__}", cell):
            return method(self, *cell)

    return track


def settled(answer, calls):
    """Keep, for the setup that runs, whether a series of that many calls had settled. None, too short to tell, is none."""
    if answer is not None:
        _settled.append((answer, calls))


@contextlib.contextmanager
def _explained(cls, method, cell):
    try:
        yield
    except NotImplementedError as skip:
        _say("empty", **_cell(cls, method, cell), reason=_short(str(skip)))
        raise
    except Exception as error:
        _say("failed", **_cell(cls, method, cell), reason=_short(_last_line(error)))
        raise


def _say_backend(benchmark, cell):
    """What the cell's backend is here. Nothing where this process has not loaded it, because it found another one's figures,
    nor where the cell sets the number of threads itself."""
    line = BACKENDS.get(cell[0]) if cell else None
    if not line or line.module not in sys.modules or "threads" in benchmark.param_names or not _file():
        return
    chosen = settings.device()
    compiler = class_of(line.framework)(line, chosen)
    _say(
        "backend",
        backend=line.name,
        packages={**compiler.versions(), **_distributions(line.framework)},
        python=platform.python_version(),
        processor=machine.processor(),
        cores=machine.cores(),
        threads=compiler.threads(),
        device=chosen,
        interpreted=compiler.interpreted,
        library=jitkernels.__version__,
    )


def _distributions(framework):
    """What of the framework's distributions is installed, and its version."""
    from importlib import metadata  # here, so that discovery does without it: a tenth of a second

    found = {}
    for name in framework.versioned:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _cell(cls, method, cell):
    """Which cell a line is of: the benchmark as asv names it, as far as it is known, and its parameters."""
    module = cls.__module__.partition(".")[2] or cls.__module__
    return {"benchmark": f"{module}.{cls.__qualname__}{method}", "cell": list(cell)}


def _last_line(error):
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__


def _short(reason):
    return reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}..."


def _file():
    """Where this process's lines go; None outside asv."""
    directory, commit, environment = (os.environ.get(f"ASV_{name}") for name in ("CONF_DIR", "COMMIT", "ENV_NAME"))
    if not (directory and commit and environment):
        return None
    if len(environment) > LONGEST_NAME:
        environment = f"env-{hashlib.md5(environment.encode()).hexdigest()}"  # as asv names its file
    return Path(directory) / ".asv" / "records" / commit / f"{environment}.jsonl"


def _say(said, **what):
    """Append a line, unless it is there. A disk that takes none loses the line and not the measurement."""
    file = _file()
    if file is None:
        return
    line = json.dumps({"schema": SCHEMA, "said": said, **what})[:-1]  # the brace; the time comes last
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or f"{line}, " not in file.read_text():
            with file.open("ab", buffering=0) as records:  # one write, so that processes do not mix their lines
                records.write(f'{line}, "at": "{now}"}}\n'.encode())
    except OSError as error:
        print(f"{file} takes no record: {error.strerror}", file=sys.stderr)
