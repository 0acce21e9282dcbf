"""Rows of a machine's files of commits: commits.json (its steps) and commit_kernel.json (a kernel's curves)."""

from typing import TypedDict

from website.schema.kernels import Charts, Commit
from website.schema.releases import Change, Described, Ends


class Source(Commit):
    base: str | None
    suite: str
    python: str
    requirements: dict[str, str]
    processor: str
    cores: int
    measured: str


class CommitStep(Change):
    pairs: int | None
    source: int | None
    command: str | None


class CommitSteps(TypedDict):
    machine: str
    sources: list[Source]
    steps: list[CommitStep]
    left_out: int


class Point(TypedDict):
    order: int
    value: float
    low: float
    high: float
    ratio: float
    pairs: int | None
    step: float | None
    source: int


class Span(Ends):
    factor: float
    low: float
    high: float


class Gap(TypedDict):
    backend: str
    size: int | None
    figure: str
    commit: str
    reason: str


class Curve(Described):
    interpreted: bool
    anchor: str
    bench: str
    points: list[Point]
    change: Span | None


class CommitKernelFile(TypedDict):
    machine: str
    kernel: str
    size: str
    commits: list[Commit]
    sources: list[Source]
    series: list[Curve]
    missing: list[Gap]
    charts: Charts
