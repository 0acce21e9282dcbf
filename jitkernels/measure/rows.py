"""The rows that the command line prints as JSON: keys and types of values. docs/measures.md explains each key."""

from typing import Any, Literal, TypedDict

Status = Literal["ok", "unavailable", "wrong", "failed"]


class CheckRow(TypedDict, total=False):
    """A case of ``jitkernels check``. Keys after ``reason`` are there where the case ran; some are of one kernel alone."""

    kernel: str
    backend: str
    size: int
    seed: int
    device: str
    version: str | None
    value: float | None
    error: float | None
    status: Status
    reason: str | None
    hits: int
    z: float
    relative_error: float
    value_acc: float
    threads: int
    interpreted: bool
    processor: str


class Retrace(TypedDict):
    seconds: float | None
    programs: int | None
    change: str | None
    reason: str | None


class Lives(TypedDict, total=False):
    """What ``jitkernels time`` measures on request; None where it was not."""

    cold_seconds: float | None
    cold_programs: int | None
    cold_from_disk: int | None
    cached_seconds: float | None
    cached_programs: int | None
    cached_from_disk: int | None
    retrace_seconds: float | None
    retrace_programs: int | None
    retrace_kind: str | None
    retraces: dict[str, Retrace] | None
    stages: dict[str, float] | None
    stages_other: float | None
    stages_total: float | None
    stages_cpu_seconds: float | None
    peak_bytes: int | None
    compile_peak_bytes: int | None
    run_peak_bytes: int | None


class TimeRow(CheckRow, Lives, total=False):
    """A case of ``jitkernels time``. Keys after ``work_unit`` come from comparing rows, and need their ``add``."""

    first_calls: list[float] | None
    settled: bool | None
    warm_seconds: float | None
    warm_quartiles: list[float] | None
    warm_samples: int | None
    work_per_second: float | None
    work_unit: str
    speedup: float | None
    speedup_range: list[float] | None
    fraction_of_c: float | None
    fraction_of_c_range: list[float] | None
    break_even: dict[str, int | str | None] | None
    ladder: dict[str, float] | None


class SpeedUp(TypedDict):
    """A compiler's speed-ups over its framework's eager mode, over all cases that were timed."""

    backend: str
    over: str | None
    cases: int
    geomean: float
    geometric_deviation: float
    least: float
    most: float


class Observation(TypedDict, total=False):
    """What a compiler did under one call pattern of one spelling of a kernel; ``patterns.observe`` explains the keys."""

    kernel: str
    backend: str
    spelling: str
    pattern: str
    calls: int
    outcome: str
    programs: int | None
    body_runs: int | None
    graph_breaks: int | None
    printed: int | None
    held: list[str] | None
    exception: str | None
    message: str | None
    reason: str | None
    as_expected: bool | None


class AheadFigures(TypedDict, total=False):
    """What is measured of a file that was compiled ahead of time; None where it was not."""

    version: str | None
    value: float | None
    error: float | None
    build_seconds: float | None
    bytes: int | None
    import_seconds: float | None
    load_seconds: float | None
    first_call_seconds: float | None
    answer_seconds: float | None
    jit_answer_seconds: float | None
    warm_seconds: float | None
    warm_quartiles: list[float] | None
    jit_warm_seconds: float | None
    jit_warm_quartiles: list[float] | None
    ratio: float | None
    ratio_quartiles: list[float] | None
    first_calls: list[float] | None
    first_calls_spread: float | None
    jit_first_calls: list[float] | None
    jit_first_calls_spread: float | None
    other_shape: str | None
    other_shape_reason: str | None
    programs: int | None
    imports: list[str] | None
    front_end: list[str] | None
    facts: dict[str, Any] | None
    threads: int | None


class AheadRow(AheadFigures, total=False):
    """One form of one case of ``jitkernels aot``."""

    kernel: str
    backend: str
    form: str
    size: int
    seed: int
    device: str
    processor: str
    status: Status
    reason: str | None
    built: str
    left: str
    platform: str


def version(versions: dict[str, str]) -> str | None:
    """Return packages and their versions as one text; None where there are none."""
    return ", ".join(f"{package} {number}" for package, number in versions.items()) or None
