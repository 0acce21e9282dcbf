"""Files that compilers write ahead of time, compared with just-in-time compilation."""

import functools
import os

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels.case import DEFAULT_SEED

from .._launch import NO_CLOCK
from .._library import load
from .exact import _Exact, figure, part, require
from .lives import temporary_directory


class _AheadOfTime(_Exact):
    """Files that compilers write ahead of time: the cost to build, ship, load and call them, compared with the
    just-in-time compiler. Each step has its own process. A program with a wrong answer has no figures."""

    is_measured = True
    params = [
        [  # append-only
            *("c", "numba", "numba_parallel"),
            "jax",
            *("tensorflow_graph", "tensorflow_xla"),
            *("torch_script", "torch_inductor"),
            "triton",
        ],
        [20],
        [  # append-only; forms, of which a backend has some
            *("shared_object", "extension_module", "disk_cache"),
            *("stablehlo", "executable", "saved_model"),
            *("script_file", "package", "cubin"),
        ],
    ]
    param_names = ["backend", "size", "form"]

    def figures(self, backend, size, form):
        row = part(_forms(self.kernel, backend, size), backend, "form", form)
        require(row["status"], row["reason"])
        return {**row, "other_shape": row["other_shape"] and row["other_shape"] == "yes"}

    def pick(self, key, backend):
        """Raises SkipNotImplemented if the file was built but not run: asv accepts no other skip after setup."""
        if self.row[key] is None:
            raise SkipNotImplemented(self.row["reason"])
        return self.row[key]

    track_build_seconds = figure("build_seconds", "seconds")
    track_bytes = figure("bytes", "bytes")
    # From the files to a callable, in a process that has imported what loading needs.
    track_load_seconds = figure("load_seconds", "seconds")
    # Including what is still compiled, and what the runtime sets up at its first use.
    track_first_call_seconds = figure("first_call_seconds", "seconds")
    track_warm_over_jit = figure("ratio", "of the just-in-time program's")  # seconds of a warm call
    track_first_calls_spread = figure("first_calls_spread", "of the median call")  # the largest of the first ten calls
    # 1 if the file's program accepts another shape and gives the right answer.
    track_other_shape = figure("other_shape", "1 where it is right", "equal", exact=True, checks=True)


@functools.cache
def _forms(kernel, backend, size):
    """Return the rows of ``jitkernels aot`` by form, with a turn of the just-in-time compiler if a figure needs a clock.

    A new Python is started if an import is measured, a variable must be set before it, or a fork would have Triton's
    interpreter. Other processes are forked.
    """
    aot, process = load("aot", "Comparison"), load("process", "Forked")

    def start(task, form):
        is_new = task in ("clock", "just_in_time") or form.is_cache or backend == "triton"
        return process.Started if is_new else process.Forked

    turns = 0 if os.environ.get(NO_CLOCK) else 1
    with temporary_directory() as directory:
        rows = aot.Comparison(kernel, size, backend, DEFAULT_SEED, directory, turns, start).rows()
        return {row["form"]: row for row in rows}
