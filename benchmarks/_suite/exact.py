"""Figures that asv tracks and does not time: most are exact, the same on every run of the same versions.

Cases of a class share a process: the first one of a backend works out the figures of all and leaves them to the others, in
the directory that asv makes for classes with one ``setup_cache``. Where no clock of ours measures a figure either, several
processes work out those of all classes of a run at once: a busy machine changes none of them. ``history/slices.py`` leaves a
list of the run's cases. What a third of the first case's time is too short for, the next one has worked out.
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

from jitkernels import machine

from .. import _forked
from .._costs import Stopwatch
from .._launch import CASES
from .._library import caches, load
from .benchmark import BACKENDS, _Shared, prepared

MOST = 4  # processes at a time, however many cores there are: a compiler and its framework take a gigabyte


def figure(key, unit, direction="lower", **attributes):
    """Return a ``track_`` method, which picks a figure of the case's row.

    attributes: what else the gate reads: ``exact``, ``limit``, ``judged_by``, ``checked``: the answer's check bounds it;
    ``tolerance``: the fraction by which equal programs differ.
    """

    def track(self, backend, *parameters):
        return self.pick(key, backend)

    vars(track).update(unit=unit, direction=direction, **attributes)
    return track


class _Exact(_Shared):
    """A leaf's ``figures`` works out a case's row, from which its ``track_`` methods pick."""

    timeout = 900  # seconds for one process, which may work out all sizes
    is_measured = False  # True where figures are seconds or memory, which want the machine to themselves

    def setup(self, *parameters):
        # here and not in the track_ methods, because a skip counts in setup alone
        status, answer = self._outcome(parameters)
        _forked.require(status, answer)
        self.row = answer

    def figures(self, *parameters):
        """Return the case's row: numbers by name. NotImplementedError, asv's word for a skip, where it has none."""
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
            self._work_out(parameters[0], "figures")
        return json.loads(file.read_text())[json.dumps(parameters)]

    def _try(self, parameters):
        """Return a status with the case's row, or with the reason why there is none."""
        try:
            return "ok", self.figures(*parameters)
        except NotImplementedError as skip:
            return "unavailable", str(skip)
        except AssertionError:
            return "wrong", traceback.format_exc()
        except Exception:  # stored for the one case that it concerns
            return "failed", traceback.format_exc()

    def _file(self, backend, suffix="json"):
        return Path(f"{type(self).__module__}.{type(self).__qualname__}.{backend}.{suffix}")

    def _is_pending(self, backend):
        """True if the figures may be worked out beside others, and no process has started on them."""
        return not self.is_measured and not self._file(backend, "started").exists()

    def _work_out(self, backend, part):
        """Leave the figures of all cases of the backend in a file. part: of the account of costs that this is."""
        self._file(backend, "started").touch()
        watch = Stopwatch()
        outcomes = {json.dumps(each): self._try(each) for each in itertools.product([backend], *self.params[1:])}
        written = self._file(backend, str(os.getpid()))
        written.write_text(json.dumps(outcomes))
        written.replace(self._file(backend))
        watch.lap(part)
        watch.save("exact", benchmark=f"{self.kernel}.{type(self).__qualname__}")

    def _work_out_together(self, backend):
        """Do the same for all classes of the run. A class whose process dies leaves no file: its next case works alone."""
        if not self._is_pending(backend):
            return
        watch = Stopwatch()
        own = [leaf for leaf in classes(type(self).__module__, backend) if issubclass(leaf, _Exact)]
        pending = [leaf for leaf in (cls() for cls in own) if leaf._is_pending(backend)]
        if len(pending) > 1:
            tasks = [functools.partial(leaf._work_out, backend, "beside") for leaf in pending]
            side_by_side(tasks, enough=self.timeout / 3)
            watch.lap("figures")
            watch.save("exact")


def classes(module, backend):
    """Yield each class of the run's list that has cases of the backend. module: of one class, as asv has imported it."""
    file, package = os.environ.get(CASES), module.rpartition(".")[0]
    lines = Path(file).read_text().splitlines() if file and Path(file).exists() else []
    cases = [re.match(r"(\w+)\.(\w+)\.\w+\('(\w+)'", line) for line in lines]
    for kernel, name in dict.fromkeys((case[1], case[2]) for case in cases if case and case[3] == backend):
        yield getattr(importlib.import_module(f"{package}.{kernel}" if package else kernel), name)


def side_by_side(tasks, enough=math.inf, clock=time.monotonic):
    """Do each task in a fork of this process, MOST at a time, and wait for all that have started.

    A task that dies leaves the others alone. enough: seconds, by ``clock``; no task starts later.
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
    """How near the answer is, tracked as errors: smaller is better."""

    params = [BACKENDS, [1_000, 10_000, 100_000, 1_000_000, 10_000_000]]

    def figures(self, backend, points):
        return prepared(self.kernel, backend, self.affordable(backend, points)).metrics()

    # An error of a random estimate is neither better nor worse than another one: its z is.
    track_error = figure("error", "absolute error", judged_by="track_z")
    track_z = figure("z", "standard errors", limit=5.0)  # further off is no accident: one in two million


class _Error(_Exact):
    """How near an array is to the float64 reference: the largest difference of an entry, over the largest entry."""

    def figures(self, backend, size):
        return as_first(prepared(self.kernel, backend, self.affordable(backend, size))).metrics()

    track_error = figure("error", "of the largest entry", checked=True)


def as_first(case):
    """Return the case as in a process that compiled nothing: Dynamo makes a symbol of the second size that it meets, and
    TorchScript goes on with what it saw first. Programs of other compilers depend on types, or on one size."""
    if case.backend.dialect == "torch" and case.compiler.programs():
        restored = getattr(caches, "restored", None) or caches.kept  # type: ignore[attr-defined]  # the name in older libraries
        with restored():
            case.forget()
    return case
