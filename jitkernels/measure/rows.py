"""The keys of the rows that the command line prints as JSON (docs/measures.md)."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]  # the keys name the case ("kernel", "backend", "size" ...), its "status" and "reason", and figures

PROCESS = "process"  # only the answer of one of several processes has this key: a step, not yet a row

REQUESTED = ("cold", "cached", "retrace", "memory")  # lives, and the memory, that are measured on request

# Keys of what is measured on request. PEAKS: of the first call, which compiles, and of the second.
PEAKS = ("compile_peak_bytes", "run_peak_bytes")
STAGES = ("stages", "stages_other", "stages_total", "stages_cpu_seconds")
COUNTED = [f"{life}_{figure}" for life in ("cold", "cached") for figure in ("seconds", "programs", "from_disk")]
RETRACES = ("retrace_seconds", "retrace_programs", "retrace_kind", "retraces")
LIVES = (*COUNTED, *RETRACES, *STAGES, "peak_bytes", *PEAKS)

CASE = (
    *("kernel", "backend", "size", "seed", "spelling", "device", "status", "reason"),
    *("version", "threads", "interpreted", "processor", "work_unit"),
)

# What a compiler did under one call pattern of one spelling of a kernel; `patterns.observe` explains the keys.
OBSERVATION = (
    *("kernel", "backend", "spelling", "pattern", "calls", "outcome", "programs", "body_runs", "graph_breaks"),
    *("printed", "held", "exception", "message", "reason", "as_expected"),
)

# Keys for a file that was compiled ahead of time.
AHEAD_OF_TIME = (
    *("version", "value", "error", "build_seconds", "bytes", "import_seconds", "load_seconds", "first_call_seconds"),
    *("answer_seconds", "jit_answer_seconds", "warm_seconds", "warm_quartiles", "jit_warm_seconds", "jit_warm_quartiles"),
    *("ratio", "ratio_quartiles", "first_calls", "first_calls_spread", "jit_first_calls", "jit_first_calls_spread"),
    *("other_shape", "other_shape_reason", "programs", "imports", "front_end", "facts", "threads"),
)


def without_figures(row: Row) -> Row:
    """Return a row with only its case, status and reason; its figures are None, because a wrong answer has no speed."""
    return {key: value if key in CASE else None for key, value in row.items()}


def by_kernel(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each kernel."""
    return {name: [row for row in rows if row["kernel"] == name] for name in dict.fromkeys(row["kernel"] for row in rows)}


def version(versions: dict[str, str]) -> str | None:
    """Return packages and their versions as one text, or None."""
    return ", ".join(f"{package} {number}" for package, number in versions.items()) or None
