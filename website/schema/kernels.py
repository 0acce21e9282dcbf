"""Rows of the files of a kernel and of a machine: kernel.json, matrix.json and environments.json."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from history.store.rankings import Roof
from website.schema import values

Status = Literal["ok", "empty", "failed", "unmeasured"]


class Figure(values.SampledValue):
    command: Annotated[str, Meta(pattern=values.MEASURE)]
    unit: str
    benchmark: str
    place: int | None


class Missing(TypedDict):
    status: values.Reason
    reason: str
    benchmark: str


class Row(TypedDict):
    backend: str
    size: values.AtLeastOne | None
    status: Status
    reason: str | None
    interpreted: bool
    checked: bool
    figures: dict[str, Figure]
    missing: dict[str, Missing]
    wrong: NotRequired[str]


class BreakEven(TypedDict):
    numpy: values.Count | None
    numpy_reason: str | None
    eager: values.Count | None
    eager_reason: str | None


class Gain(TypedDict):
    times_faster_than_numpy: float | None
    times_faster_than_numpy_low: float | None
    times_faster_than_numpy_high: float | None


class Warm(TypedDict):
    seconds: float | None
    low: float | None
    high: float | None
    samples: int | None
    processes: int | None
    threads: int | None
    settled: bool | None
    roof: Roof | None
    fraction_of_roof: float | None


class Entry(Gain, Warm):
    rank: values.AtLeastOne | None
    backend: str
    tied: bool
    cold_seconds: float | None
    cold_size: int | None
    cached_seconds: float | None
    break_even: BreakEven
    error: float | None
    standard_error: float | None
    z: float | None
    interpreted: bool
    status: Status
    reason: str | None
    figures: values.Count


class Run(values.RankedRun):
    """``processes``: the fewest that a backend has."""

    at: values.Time
    processes: values.AtLeastOne
    most_processes: values.AtLeastOne
    processor: str
    cores: int
    command: str


class Ranking(TypedDict):
    size: int
    entries: list[Entry]
    run: Run | None
    one_thread: list[Entry] | None
    quicker: list[str]
    roof_reason: str | None


class BenchmarkInfo(TypedDict):
    unit: str
    type: str
    direction: str | None
    exact: bool
    parameters: dict[str, list[str]]
    history: values.Link | None


class KernelFile(values.OfKernel):
    """data/<machine>/<kernel>.json: one kernel on one machine: figures, rankings, charts"""

    sources: list[values.Source]
    rows: list[Row]
    observations: list[Row]
    rankings: list[Ranking]
    benchmarks: dict[str, BenchmarkInfo]
    claim: str | None


class MatrixCell(TypedDict):
    seconds: float | None
    size: int | None
    interpreted: bool
    status: Status
    reason: str | None
    settled: bool | None
    source: int | None
    in_run: bool
    rank: values.AtLeastOne | None


class Matrix(TypedDict):
    """data/<machine>/matrix.json: the table of kernels and backends"""

    machine: str
    rows: list[str]
    columns: list[str]
    cells: list[list[MatrixCell]]


class Environment(TypedDict):
    name: str
    python: str
    requirements: dict[str, str]
    installed: dict[str, dict[str, str]]
    results: int
    newest: values.Commit


class MachineEnvironments(TypedDict):
    machine: str
    environments: list[Environment]


class Environments(TypedDict):
    """data/environments.json: every environment with results, by machine"""

    machines: list[MachineEnvironments]
