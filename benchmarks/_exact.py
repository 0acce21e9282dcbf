"""Benchmarks whose figures are exact: the same on every run of the same versions, however busy the machine is.

Nothing here is timed by asv, so cells may share a process: the first cell of a class and a backend works out the figures of
all sizes and leaves them to the others in the directory that asv makes for those that share a ``setup_cache``; and what no
clock of our own measures either is worked out for all classes of a run at once (``_together``).
"""

import functools
import itertools
import json
import os
import traceback
from pathlib import Path

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels import kernels
from jitkernels.backends import caches

from . import _together
from ._costs import Stopwatch
from ._suite import BACKENDS, _prepared, _Shared


class _Exact(_Shared):
    """A leaf says what it works out for a cell (``figures``); its ``track_`` methods pick from ``self.row``."""

    timeout = 900  # seconds for one process, which may work out all sizes
    measured = False  # whether figures are seconds or memory, which want the machine to themselves

    def setup(self, *cell):
        # here and not in the track_ methods, because a skip counts in setup alone
        outcome = self._outcome(cell)
        if "skipped" in outcome:
            raise NotImplementedError(outcome["skipped"])
        if "failed" in outcome:
            raise RuntimeError(outcome["failed"])
        self.row = outcome["row"]

    def figures(self, *cell):
        """The cell's row: numbers by name. NotImplementedError, asv's word for a skip, with the reason where it has none."""
        raise NotImplementedError(f"{type(self).__name__} says nothing of its figures")

    def _outcome(self, cell):
        if not Path("cache.pickle").exists():  # asv's, beside which it runs us
            return _tried(self, cell)
        recorded = self._recorded(cell[0])
        if not recorded.exists():
            self._work_out_together(cell[0])
        if not recorded.exists():
            self._work_out(cell[0], "figures")
        return json.loads(recorded.read_text())[_key(cell)]

    def _recorded(self, backend):
        return Path(f"{type(self).__module__}.{type(self).__qualname__}.{backend}.json")

    def _begun(self, backend):
        return self._recorded(backend).with_suffix(".begun")

    def _work_out(self, backend, part):
        """Leave the figures of all of the backend's cells. part: of the account of costs that this is."""
        self._begun(backend).touch()
        watch = Stopwatch()
        outcomes = {_key(cell): _tried(self, cell) for cell in itertools.product([backend], *self.params[1:])}
        written = self._recorded(backend).with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(outcomes))
        written.replace(self._recorded(backend))
        watch.lap(part)
        watch.save("exact", benchmark=f"{type(self).__module__.rpartition('.')[2]}.{type(self).__qualname__}")

    def _work_out_together(self, backend):
        """The same for all classes of the run. One that was begun and left nothing, because its process died, is left to a
        cell of its own."""
        if self.measured or self._begun(backend).exists():
            return
        watch = Stopwatch()
        found = [leaf() for leaf in _together.classes(type(self).__module__, backend) if issubclass(leaf, _Exact)]
        left = [leaf for leaf in found if not leaf.measured and not leaf._begun(backend).exists()]
        if len(left) > 1:
            tasks = [functools.partial(leaf._work_out, backend, "beside") for leaf in left]
            _together.side_by_side(tasks, enough=self.timeout / 3)
            watch.lap("figures")
            watch.save("exact")


def _tried(benchmark, cell):
    """What came of working out a cell: its row, or why there is none."""
    try:
        return {"row": benchmark.figures(*cell)}
    except NotImplementedError as skip:
        return {"skipped": str(skip)}
    except Exception:  # kept for the one cell that it concerns
        return {"failed": traceback.format_exc()}


def _alone(case):
    """The case as in a process that compiled nothing: Dynamo makes a symbol of the second size that it meets, and
    TorchScript goes on with what it saw first. Other compilers' programs are of types, or of one size."""
    if case.backend.dialect == "torch" and case.compiler.programs():
        with caches.restored():
            case.forget()
    return case


def _key(cell):
    return json.dumps(cell)


class _Accuracy(_Exact):
    """How near the answer is, tracked as errors: smaller is better."""

    params = [BACKENDS, [1_000, 10_000, 100_000, 1_000_000, 10_000_000]]

    def figures(self, backend, points):
        return _prepared(self.kernel, backend, self.affordable(backend, points)).metrics()

    def track_error(self, backend, points):
        return self.row["error"]

    track_error.unit = "absolute error"
    track_error.direction = "lower"
    track_error.judged_by = "track_z"  # an error of a random estimate is neither better nor worse than another one

    def track_z(self, backend, points):
        return self.row["z"]

    track_z.unit = "standard errors"
    track_z.direction = "lower"
    track_z.limit = 5.0  # further off is no accident: one in two million


class _Error(_Exact):
    """How near an array is to the float64 reference: the largest difference of an entry, over the largest entry."""

    def figures(self, backend, size):
        return _alone(_prepared(self.kernel, backend, self.affordable(backend, size))).metrics()

    def track_error(self, backend, size):
        return self.row["error"]

    track_error.unit = "of the largest entry"
    track_error.direction = "lower"


def exact(unit, direction="lower"):
    """Give a ``track_`` method its unit, and say that its values are to be compared exactly."""

    def marked(track):
        track.unit, track.direction, track.exact = unit, direction, True
        return track

    return marked


class _Counts(_Exact):
    """Counts of what the compiler made."""

    def figures(self, backend, size):
        return dict(_alone(_prepared(self.kernel, backend, size)).artifacts().counts)

    def count(self, name, backend):
        """The count of this name; where the compiler has none, SkipNotImplemented: after setup asv knows no other skip."""
        if name not in self.row:
            raise SkipNotImplemented(f"{backend} has no count {name}; it has {', '.join(self.row) or 'none'}")
        return self.row[name]


class _Made(_Exact):
    """What a compiler makes of a kernel, counted stage by stage: where a release changed what it makes slower, or faster."""

    params = [
        [  # append-only
            "c",
            "numba",
            "numba_parallel",
            "jax",
            "tensorflow_graph",
            "tensorflow_xla",
            "torch_script",
            "torch_dynamo",
            "torch_aot",
            "torch_inductor",
            "triton",
        ],
        [1_000],
        [  # append-only; whichever the compiler has
            "jaxpr_operations",
            "graph_operations",
            "fx_operations",
            "aten_operations",
            "hlo_instructions",
            "fusions",
            "kernels",
            "llvm_instructions",
            "ptx_instructions",
            "sass_instructions",
            "code_bytes",
            "widest_vector_bits",
            "stack_loads",
            "stack_stores",
            "registers",
            "spilled_bytes",
        ],
    ]
    param_names = ["backend", "points", "count"]

    def figures(self, backend, size, count):
        counts = _counted(self.kernel, backend, size)
        if count not in counts:
            raise NotImplementedError(f"{backend} has no count {count}; it has {', '.join(counts) or 'none'}")
        return {"count": counts[count]}

    @exact("of the count's own unit", "equal")
    def track_count(self, backend, size, count):
        return self.row["count"]


class _Fusions(_Counts):
    """Parts that XLA makes one loop, or one call of a library, of."""

    @exact("fusions")
    def track_fusions(self, backend, size):
        return self.count("fusions", backend)


class _Fused(_Fusions):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    @exact("bytes")
    def track_bytes_accessed(self, backend, size):
        """Bytes that the operations read and write, by XLA's own estimate; a fused one counts once."""
        return self.count("bytes_accessed", backend)

    @exact("kernels")
    def track_kernels(self, backend, size):
        """Loops that Inductor writes itself; a library's product is none."""
        return self.count("kernels", backend)


class _Trained(_Counts):
    """Of the forward pass and its gradient, which is what torch's compiler is given."""

    @exact("graphs")
    def track_graphs(self, backend, size):
        return self.count("graphs", backend)

    @exact("breaks")
    def track_graph_breaks(self, backend, size):
        return self.count("graph_breaks", backend)

    @exact("kernels")
    def track_kernels(self, backend, size):
        return self.count("kernels", backend)


class _CallPattern(_Exact):
    """What a compiler does when its user calls a function again."""

    def figures(self, backend, spelling, pattern):
        return _observed(self.kernel, backend, spelling, pattern)

    @exact("exceptions")
    def track_raises(self, backend, spelling, pattern):
        """1 where the compiler raises instead of answering."""
        return self.row["outcome"] == "raised"

    @exact("programs")
    def track_programs(self, backend, spelling, pattern):
        """Compiled for three calls."""
        return self.row["programs"]

    @exact("graph breaks")
    def track_graph_breaks(self, backend, spelling, pattern):
        """Where the compiler left a part of the function to Python."""
        return self.row["graph_breaks"]


class _Effect(_CallPattern):
    """What is left of an effect, of the three that three calls have where nothing is compiled."""

    @exact("printed lines", "equal")
    def track_printed(self, backend, spelling, pattern):
        return self.row["printed"]

    @exact("entries of the list", "equal")
    def track_held(self, backend, spelling, pattern):
        return len(self.row["held"])


@functools.cache
def _counted(kernel: str, backend: str, size: int):
    return dict(_prepared(kernel, backend, size).artifacts().counts)


def _observed(kernel: str, backend: str, spelling: str, pattern: str):
    """The observation; NotImplementedError where there is none, an error where an answer was wrong."""
    from jitkernels.measure import patterns  # here, so that discovery does without it

    if pattern not in kernels.load(kernel).patterns[spelling]:
        raise NotImplementedError(f"{spelling} of {kernel} is not observed under the pattern {pattern}")
    row = patterns.observe(kernel, backend, spelling, pattern)
    if row["outcome"] == "unavailable":
        raise NotImplementedError(row["reason"])
    assert row["outcome"] in ("ok", "raised"), row["reason"]
    return row
