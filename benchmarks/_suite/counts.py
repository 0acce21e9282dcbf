"""Exact counts: of what a compiler makes of a kernel, and of what it does when its user calls a function again."""

import functools

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels import kernels

from .._library import load
from .benchmark import prepared
from .exact import _Exact, as_first, figure

OBSERVED = ["numba", "jax", "tensorflow_graph", "tensorflow_xla", "torch_script", "torch_dynamo"]
"""Append-only. torch_aot and torch_inductor compile when torch_dynamo does, as the tests say."""


class _Counts(_Exact):
    """Counts of what the compiler made."""

    def figures(self, backend, size):
        return dict(as_first(prepared(self.kernel, backend, size)).artifacts().counts)

    def count(self, name, backend):
        """Return the count of this name. SkipNotImplemented where the compiler has none: after setup asv knows no other
        skip."""
        if name not in self.row:
            raise SkipNotImplemented(_lacks(backend, "count", name, self.row))
        return self.row[name]


class _Made(_Exact):
    """What a compiler makes of a kernel, counted stage by stage: where a release changed what it makes slower, or faster."""

    params = [
        [  # append-only
            *("c", "numba", "numba_parallel"),
            "jax",
            *("tensorflow_graph", "tensorflow_xla"),
            *("torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
            "triton",
        ],
        [1_000],
        [  # append-only; whichever the compiler has
            *("jaxpr_operations", "graph_operations", "fx_operations", "aten_operations"),
            *("hlo_instructions", "fusions", "kernels"),
            *("llvm_instructions", "ptx_instructions", "sass_instructions"),
            *("code_bytes", "widest_vector_bits", "stack_loads", "stack_stores", "registers", "spilled_bytes"),
        ],
    ]
    param_names = ["backend", "points", "count"]

    def figures(self, backend, size, count):
        counts = _artifact_counts(self.kernel, backend, size)
        if count not in counts:
            raise NotImplementedError(_lacks(backend, "count", count, counts))
        return {"count": counts[count]}

    @figure("of the count's own unit", "equal", exact=True)
    def track_count(self, backend, size, count):
        return self.row["count"]


@functools.cache
def _artifact_counts(kernel, backend, size):
    return dict(prepared(kernel, backend, size).artifacts().counts)


def _lacks(backend, kind, name, known):
    return f"{backend} has no {kind} {name}; it has {', '.join(known) or 'none'}"


class _Fusions(_Counts):
    """Parts that XLA makes one loop, or one call of a library, of."""

    @figure("fusions", exact=True)
    def track_fusions(self, backend, size):
        return self.count("fusions", backend)


class _Fused(_Fusions):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    @figure("bytes", exact=True)
    def track_bytes_accessed(self, backend, size):
        """Bytes that the operations read and write, by XLA's own estimate; a fused one counts once."""
        return self.count("bytes_accessed", backend)

    @figure("kernels", exact=True)
    def track_kernels(self, backend, size):
        """Loops that Inductor writes itself; a library's product is none."""
        return self.count("kernels", backend)


class _Trained(_Counts):
    """Counts of the forward pass and its gradient, which is what torch's compiler is given."""

    @figure("graphs", exact=True)
    def track_graphs(self, backend, size):
        return self.count("graphs", backend)

    @figure("breaks", exact=True)
    def track_graph_breaks(self, backend, size):
        return self.count("graph_breaks", backend)

    @figure("kernels", exact=True)
    def track_kernels(self, backend, size):
        return self.count("kernels", backend)


class _CallPattern(_Exact):
    """What a compiler does when its user calls a function again."""

    param_names = ["backend", "spelling", "pattern"]

    def figures(self, backend, spelling, pattern):
        """Return the observation. AssertionError where an answer is wrong."""
        if pattern not in kernels.load(self.kernel).patterns[spelling]:
            raise NotImplementedError(f"{spelling} of {self.kernel} is not observed under the pattern {pattern}")
        row = load("patterns", "observe").observe(self.kernel, backend, spelling, pattern)
        if row["outcome"] == "unavailable":
            raise NotImplementedError(row["reason"])
        assert row["outcome"] in ("ok", "raised"), row["reason"]
        return row

    @figure("exceptions", exact=True)
    def track_raises(self, backend, spelling, pattern):
        """1 where the compiler raises instead of answering."""
        return self.row["outcome"] == "raised"

    @figure("programs", exact=True)
    def track_programs(self, backend, spelling, pattern):
        """Programs compiled for three calls."""
        return self.row["programs"]

    @figure("graph breaks", exact=True)
    def track_graph_breaks(self, backend, spelling, pattern):
        """Where the compiler left a part of the function to Python."""
        return self.row["graph_breaks"]


class _Effect(_CallPattern):
    """What is left of an effect, of the three that three calls have where nothing is compiled."""

    @figure("printed lines", "equal", exact=True)
    def track_printed(self, backend, spelling, pattern):
        return self.row["printed"]

    @figure("entries of the list", "equal", exact=True)
    def track_held(self, backend, spelling, pattern):
        return len(self.row["held"])
