"""Figures that asv tracks and does not time: most are exact, the same on every run of the same versions.

Cases of a class share the work: the first case of a backend computes the figures of all, and leaves them to the others in
the directory that asv makes for classes with the same ``setup_cache``. Figures without a clock do not depend on a busy
machine, so several processes compute those of all classes of a run at once. ``history/slices.py`` writes a list of the run's
cases. The first case spends at most a third of its timeout on this; the next case computes the rest.
"""

import functools
import importlib
import itertools
import json
import math
import os
import re
import time
import traceback
from pathlib import Path

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels import machine

from .._launch import CASES
from .._library import caches, load
from .benchmark import BACKENDS, _Shared, prepared

MOST = 4  # processes at a time, on any number of cores: a compiler and its framework take a gigabyte


def figure(key, unit, direction="lower", **attributes):
    """Return a ``track_`` method that picks a figure of the case's row.

    direction: which figure is better, "lower" or "higher"; "equal": a change is worse; "any": a change is neither.
    attributes: others that the gate reads: ``exact``; ``limit``; ``judged_by``; ``checked``: True if the answer's check
    bounds it; ``checks``: True if its row also checks answers that no error is of; ``tolerance``: the fraction by which
    equal programs differ; ``never_zero``: True if 0 means that the count failed.
    """

    def track(self, backend, *parameters):
        return self.pick(key, backend)

    vars(track).update(unit=unit, direction=direction, **attributes)
    return track


def part(whole, backend, kind, name):
    """Return the stage, count or form of this name. SkipNotImplemented if the backend has none: asv accepts no other skip
    after setup."""
    if name not in whole:
        raise SkipNotImplemented(f"{backend} has no {kind} {name}; it has {', '.join(whole) or 'none'}")
    return whole[name]


def require(status, reason):
    """Raise NotImplementedError (asv's skip) if a case cannot run here, AssertionError if its answer is wrong, RuntimeError
    if it failed."""
    if status == "unavailable":
        raise NotImplementedError(reason)
    assert status != "wrong", reason
    if status != "ok":
        raise RuntimeError(reason)


class _Exact(_Shared):
    """A subclass's ``figures`` computes a case's row, from which its ``track_`` methods pick."""

    timeout = 900  # seconds for one process, which may compute all sizes
    is_measured = False  # True if figures are seconds or memory, which must not be measured beside other work

    def setup(self, *parameters):
        # not in the track_ methods, because asv accepts a skip only in setup
        status, answer = self._outcome(parameters)
        require(status, answer)
        self.row = answer

    def figures(self, *parameters):
        """Return the case's row: numbers by name. NotImplementedError (asv's skip) if it has none."""
        raise NotImplementedError(f"{type(self).__name__} has no figures")

    def pick(self, key, backend):
        """Return a figure of the row."""
        return self.row[key]

    def _outcome(self, parameters):
        if not Path("cache.pickle").exists():  # asv's own file in the shared directory
            return self._try(parameters)
        file = self._file(parameters[0])
        if not file.exists():
            self._work_out_together(parameters[0])
        if not file.exists():
            self._work_out(parameters[0])
        return json.loads(file.read_text())[json.dumps(parameters)]

    def _try(self, parameters):
        """Return a status with the case's row, or with the reason for its absence."""
        try:
            return "ok", self.figures(*parameters)
        except NotImplementedError as skip:
            return "unavailable", str(skip)
        except AssertionError:
            return "wrong", traceback.format_exc()
        except Exception:  # stored for this case alone
            return "failed", traceback.format_exc()

    def _file(self, backend, suffix="json"):
        return Path(f"{type(self).__module__}.{type(self).__qualname__}.{backend}.{suffix}")

    def _is_pending(self, backend):
        """True if the figures may be computed beside others, and no process has begun with them."""
        return not self.is_measured and not self._file(backend, "started").exists()

    def _work_out(self, backend):
        """Write the figures of all cases of the backend to a file."""
        self._file(backend, "started").touch()
        outcomes = {json.dumps(each): self._try(each) for each in itertools.product([backend], *self.params[1:])}
        written = self._file(backend, str(os.getpid()))
        written.write_text(json.dumps(outcomes))
        written.replace(self._file(backend))

    def _work_out_together(self, backend):
        """Do the same for all classes of the run. If a class's process dies, there is no file, and its next case works
        alone."""
        if not self._is_pending(backend):
            return
        exact = [leaf for leaf in classes(type(self).__module__, backend) if issubclass(leaf, _Exact)]
        pending = [leaf for leaf in (cls() for cls in exact) if leaf._is_pending(backend)]
        if len(pending) > 1:
            tasks = [functools.partial(leaf._work_out, backend) for leaf in pending]
            side_by_side(tasks, enough=self.timeout / 3)


def classes(module, backend):
    """Yield each class of the run's list that has cases of the backend. module: of one class, as imported by asv."""
    file, package = os.environ.get(CASES), module.rpartition(".")[0]
    lines = Path(file).read_text().splitlines() if file and Path(file).exists() else []
    cases = [re.match(r"(\w+)\.(\w+)\.\w+\('(\w+)'", line) for line in lines]
    for kernel, name in dict.fromkeys((case[1], case[2]) for case in cases if case and case[3] == backend):
        yield getattr(importlib.import_module(f"{package}.{kernel}" if package else kernel), name)


def side_by_side(tasks, enough=math.inf, clock=time.monotonic):
    """Do each task in a fork of this process, MOST at a time, and wait for all started ones.

    A task that dies does not affect the others. enough: seconds, by ``clock``, after which no task starts.
    """
    try:
        fork = load("process", "fork").fork
    except NotImplementedError:  # an older library: each benchmark computes its own figures
        return
    running: set[int] = set()
    begin = clock()
    for task in tasks:
        if len(running) >= min(machine.cores(), MOST):
            running.discard(os.wait()[0])
        if clock() - begin > enough:
            break
        running.add(fork(task))
    while running:
        running.discard(os.wait()[0])


class _Accuracy(_Exact):
    """The error of the answer: smaller is better."""

    params = [BACKENDS, [1_000, 10_000, 100_000, 1_000_000, 10_000_000]]

    def figures(self, backend, points):
        return prepared(self.kernel, backend, self.affordable(backend, points)).metrics()

    # Errors of a random estimate cannot be compared; z can.
    track_error = figure("error", "absolute error", judged_by="track_z")
    track_z = figure("z", "standard errors", limit=5.0)  # a larger z is not chance: one in two million


class _Error(_Exact):
    """The error of an array: the largest difference of an entry from the float64 reference, over the largest entry."""

    def figures(self, backend, size):
        return as_first(prepared(self.kernel, backend, self.affordable(backend, size))).metrics()

    track_error = figure("error", "of the largest entry", checked=True)


def as_first(case):
    """Return the case as in a process that has compiled nothing. Otherwise Dynamo makes the second size a symbol, and
    TorchScript keeps what it saw first. Programs of other compilers depend only on types, or on one size."""
    if case.backend.dialect == "torch" and case.compiler.programs():
        restored = getattr(caches, "restored", None) or caches.kept  # type: ignore[attr-defined]  # the name in older libraries
        with restored():
            case.forget()
    return case
