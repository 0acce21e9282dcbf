"""Rows of the files of a kernel and of a machine: kernel.json, matrix.json and environments.json."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Status = Literal["ok", "empty", "failed", "unmeasured"]
Charts = Mapping[str, list[dict[str, Any]]]  # flat rows by the chart's name, as jitkernels.charts builds them


class Commit(TypedDict):
    commit: str
    short: str
    subject: str | None
    date: str


class Mismatch(TypedDict):
    package: str
    asked: str
    installed: str


class Source(Commit):
    environment: str
    python: str
    requirements: dict[str, str]
    installed: dict[str, dict[str, str]]
    mismatches: list[Mismatch]
    processor: str | None
    cores: int | None
    threads: dict[str, int | None]
    device: str | None
    library: str | None
    file: str


class Measurement(TypedDict):
    value: float
    low: float | None
    high: float | None
    samples: int | None
    settled: bool | None
    measured: str | None
    source: int
    command: str


class Figure(Measurement):
    unit: str
    benchmark: str
    place: int | None


class Missing(TypedDict):
    status: str
    reason: str
    benchmark: str


class Row(TypedDict):
    backend: str
    size: int | None
    status: str
    reason: str | None
    interpreted: bool
    checked: bool
    figures: dict[str, Figure]
    missing: dict[str, Missing]
    wrong: NotRequired[str]


class BreakEven(TypedDict):
    numpy: int | None
    numpy_reason: str | None
    eager: int | None
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


class Entry(Gain, Warm):
    rank: int | None
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
    status: str
    reason: str | None
    figures: int


class Run(Commit):
    began: str
    at: str
    processes: int
    processor: str
    cores: int
    python: str
    requirements: dict[str, str]
    command: str


class Ranking(TypedDict):
    size: int
    entries: list[Entry]
    run: Run | None
    one_thread: list[Entry] | None


class BenchmarkInfo(TypedDict):
    unit: str
    type: str
    direction: str | None
    exact: bool
    parameters: dict[str, list[str]]
    history: str | None


class KernelFile(TypedDict):
    machine: str
    kernel: str
    size: str
    sources: list[Source]
    rows: list[Row]
    observations: list[Row]
    rankings: list[Ranking]
    benchmarks: dict[str, BenchmarkInfo]
    claim: str | None
    charts: Charts


class MatrixCell(TypedDict):
    seconds: float | None
    size: int | None
    interpreted: bool
    status: str
    reason: str | None
    settled: bool | None
    source: int | None


class Matrix(TypedDict):
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
    newest: Commit


class MachineEnvironments(TypedDict):
    machine: str
    environments: list[Environment]


class Environments(TypedDict):
    machines: list[MachineEnvironments]
