"""Files that compilers write ahead of time, against what they compile just in time."""

import functools
import tempfile
from pathlib import Path

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels.case import DEFAULT_SEED

from . import _forked
from ._exact import _Exact, exact

AHEAD = ("build_seconds", "bytes", "load_seconds", "first_call_seconds", "ratio", "first_calls_spread")  # keys of rows


class _AheadOfTime(_Exact):
    """The files that compilers write ahead of time: what they cost to build, to ship, to load and to call, each step in a
    process of its own, beside the just-in-time compiler's. A program that did not give the right answer has no figures."""

    measured = True
    params = [
        [  # append-only
            "c",
            "numba",
            "numba_parallel",
            "jax",
            "tensorflow_graph",
            "tensorflow_xla",
            "torch_script",
            "torch_inductor",
            "triton",
        ],
        [20],
        [  # append-only; forms, whichever the backend has
            "shared_object",
            "extension_module",
            "disk_cache",
            "stablehlo",
            "executable",
            "saved_model",
            "script_file",
            "package",
            "cubin",
        ],
    ]
    param_names = ["backend", "size", "form"]

    def figures(self, backend, size, form):
        rows = _forms(self.kernel, backend, size)
        if form not in rows:
            raise NotImplementedError(f"{backend} has no form {form}; it has {', '.join(rows)}")
        row = rows[form]
        _forked.require(row["status"], row["reason"])
        figures = {key: row[key] for key in AHEAD if row[key] is not None}
        if row["other_shape"] is not None:
            figures["other_shape"] = row["other_shape"] == "yes"
        return {**figures, "unrun": row["reason"]}

    def figure(self, name):
        """SkipNotImplemented where the file was built and not run: after setup asv knows no other skip."""
        if name not in self.row:
            raise SkipNotImplemented(self.row["unrun"])
        return self.row[name]

    def track_build_seconds(self, backend, size, form):
        return self.figure("build_seconds")

    track_build_seconds.unit = "seconds"
    track_build_seconds.direction = "lower"

    def track_bytes(self, backend, size, form):
        return self.figure("bytes")

    track_bytes.unit = "bytes"
    track_bytes.direction = "lower"

    def track_load_seconds(self, backend, size, form):
        """From the files to something that can be called, in a process that has imported what loading needs."""
        return self.figure("load_seconds")

    track_load_seconds.unit = "seconds"
    track_load_seconds.direction = "lower"

    def track_first_call_seconds(self, backend, size, form):
        """With what is still compiled, and what the runtime sets up at its first use."""
        return self.figure("first_call_seconds")

    track_first_call_seconds.unit = "seconds"
    track_first_call_seconds.direction = "lower"

    def track_warm_over_jit(self, backend, size, form):
        """Seconds of a warm call over those of the just-in-time compiler's program."""
        return self.figure("ratio")

    track_warm_over_jit.unit = "of the just-in-time program's"
    track_warm_over_jit.direction = "lower"

    def track_first_calls_spread(self, backend, size, form):
        """The largest of the first ten calls over their median: how predictable they are."""
        return self.figure("first_calls_spread")

    track_first_calls_spread.unit = "of the median call"
    track_first_calls_spread.direction = "lower"

    @exact("1 where it is right", "equal")
    def track_other_shape(self, backend, size, form):
        """Whether the file's program takes another shape, and gives the right answer."""
        return self.figure("other_shape")


@functools.cache
def _forms(kernel, backend, size):
    """The rows of ``jitkernels aot`` by form, of one turn with the just-in-time compiler. Processes are started where an
    import is measured, or a variable must stand before it, and where a fork would have Triton's interpreter; the others are
    forked."""
    from jitkernels.measure.aot import Comparison  # here, so that discovery does without them
    from jitkernels.measure.process import Forked, Started

    def start(task, form):
        return Started if task in ("clock", "just_in_time") or form.is_cache or backend == "triton" else Forked

    with tempfile.TemporaryDirectory(prefix="jitkernels-aot-", ignore_cleanup_errors=True) as directory:
        comparison = Comparison(kernel, size, backend, DEFAULT_SEED, Path(directory), 1, start)
        return {row["form"]: row for row in comparison.rows()}
