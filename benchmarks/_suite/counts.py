"""Exact counts: of a compiler's output for a kernel, and of its work when a user calls a function again."""

import functools

from jitkernels import kernels

from .._library import load
from .benchmark import COUNTS, STAGED, prepared
from .exact import _Exact, as_first, figure, part


class _Counts(_Exact):
    """Counts of the compiler's output."""

    def figures(self, backend, size):
        return dict(as_first(prepared(self.kernel, backend, size)).artifacts().counts)

    def pick(self, key, backend):
        return part(self.row, backend, "count", key)


class _Made(_Exact):
    """A compiler's output for a kernel, counted stage by stage, to show what a release or a commit compiled differently.

    The direction is "any", because a better program may have more code or less. Its times and instructions judge it.
    """

    params = [STAGED, [1_000], COUNTS]
    param_names = ["backend", "points", "count"]

    def figures(self, backend, size, count):
        return {"count": part(_artifact_counts(self.kernel, backend, size), backend, "count", count)}

    track_count = figure("count", "of the count's own unit", "any", exact=True)


@functools.cache
def _artifact_counts(kernel, backend, size):
    return dict(prepared(kernel, backend, size).artifacts().counts)


class _Fusions(_Counts):
    """Fusions: parts that XLA turned into one loop, or one call of a library."""

    track_fusions = figure("fusions", "fusions", exact=True, never_zero=True)


class _Fused(_Fusions):
    """The memory traffic and the programs that fusing saves: exact, unlike a noisy time."""

    # Bytes that operations read and write, by XLA's own estimate; a fused operation counts once.
    track_bytes_accessed = figure("bytes_accessed", "bytes", exact=True, never_zero=True)
    # Loops that Inductor writes itself, without a library's matrix product.
    track_kernels = figure("kernels", "kernels", exact=True, never_zero=True)


class _Trained(_Counts):
    """Counts of the forward pass and its gradient, which torch's compiler gets."""

    track_graphs = figure("graphs", "graphs", exact=True, never_zero=True)
    track_graph_breaks = figure("graph_breaks", "breaks", exact=True)
    track_kernels = figure("kernels", "kernels", exact=True, never_zero=True)


class _CallPattern(_Exact):
    """What a compiler does when its user calls a function again."""

    param_names = ["backend", "spelling", "pattern"]

    def figures(self, backend, spelling, pattern):
        """Return the observation. AssertionError if an answer is wrong."""
        if pattern not in kernels.load(self.kernel).patterns[spelling]:
            raise NotImplementedError(f"{spelling} of {self.kernel} is not observed under the pattern {pattern}")
        row = load("patterns", "observe").observe(self.kernel, backend, spelling, pattern)
        if row["outcome"] == "unavailable":
            raise NotImplementedError(row["reason"])
        assert row["outcome"] in ("ok", "raised"), row["reason"]
        return {**row, "raises": row["outcome"] == "raised", "held": len(row["held"])}

    track_raises = figure("raises", "exceptions", exact=True, checks=True)  # 1 if the compiler raises instead of answering
    track_programs = figure("programs", "programs", exact=True, checks=True, never_zero=True)  # compiled for three calls
    track_graph_breaks = figure("graph_breaks", "graph breaks", exact=True, checks=True)  # parts that were left to Python


class _Effect(_CallPattern):
    """What is left of an effect: uncompiled, three calls have three effects."""

    track_printed = figure("printed", "printed lines", "equal", exact=True, checks=True)
    track_held = figure("held", "entries of the list", "equal", exact=True, checks=True)
