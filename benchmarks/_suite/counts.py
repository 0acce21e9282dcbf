"""Exact counts: of what a compiler makes of a kernel, and of what it does when its user calls a function again."""

import functools

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels import kernels

from .._library import load
from .benchmark import COUNTS, STAGED, prepared
from .exact import _Exact, as_first, figure


class _Counts(_Exact):
    """Counts of what the compiler made."""

    def figures(self, backend, size):
        return dict(as_first(prepared(self.kernel, backend, size)).artifacts().counts)

    def pick(self, key, backend):
        """Return the count of this name. SkipNotImplemented where the compiler has none: after setup asv knows no other
        skip."""
        if key not in self.row:
            raise SkipNotImplemented(_lacks(backend, "count", key, self.row))
        return self.row[key]


class _Made(_Exact):
    """What a compiler makes of a kernel, counted stage by stage: where a release changed what it makes slower, or faster."""

    params = [STAGED, [1_000], COUNTS]
    param_names = ["backend", "points", "count"]

    def figures(self, backend, size, count):
        counts = _artifact_counts(self.kernel, backend, size)
        if count not in counts:
            raise NotImplementedError(_lacks(backend, "count", count, counts))
        return {"count": counts[count]}

    track_count = figure("count", "of the count's own unit", "equal", exact=True)


@functools.cache
def _artifact_counts(kernel, backend, size):
    return dict(prepared(kernel, backend, size).artifacts().counts)


def _lacks(backend, kind, name, known):
    return f"{backend} has no {kind} {name}; it has {', '.join(known) or 'none'}"


class _Fusions(_Counts):
    """Parts that XLA makes one loop, or one call of a library, of."""

    track_fusions = figure("fusions", "fusions", exact=True)


class _Fused(_Fusions):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    # Bytes that the operations read and write, by XLA's own estimate; a fused one counts once.
    track_bytes_accessed = figure("bytes_accessed", "bytes", exact=True)
    # Loops that Inductor writes itself; a library's product is none.
    track_kernels = figure("kernels", "kernels", exact=True)


class _Trained(_Counts):
    """Counts of the forward pass and its gradient, which is what torch's compiler is given."""

    track_graphs = figure("graphs", "graphs", exact=True)
    track_graph_breaks = figure("graph_breaks", "breaks", exact=True)
    track_kernels = figure("kernels", "kernels", exact=True)


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
        return {**row, "raises": row["outcome"] == "raised", "held": len(row["held"])}

    track_raises = figure("raises", "exceptions", exact=True)  # 1 where the compiler raises instead of answering
    track_programs = figure("programs", "programs", exact=True)  # compiled for three calls
    track_graph_breaks = figure("graph_breaks", "graph breaks", exact=True)  # where a part was left to Python


class _Effect(_CallPattern):
    """What is left of an effect, of the three that three calls have where nothing is compiled."""

    track_printed = figure("printed", "printed lines", "equal", exact=True)
    track_held = figure("held", "entries of the list", "equal", exact=True)
