"""Rows of the files of a compiler's releases: releases.json, release_kernel.json and changes.json."""

from collections.abc import Mapping
from typing import Any, TypedDict

from website.schema.kernels import Charts, Measurement, Source

Ends = TypedDict("Ends", {"from": Any, "to": Any})  # a step's two commits, or its two releases


class Series(TypedDict):
    backend: str
    size: int | None
    figure: str
    unit: str


class Described(Series):
    direction: str | None
    exact: bool
    benchmark: str


class Step(Described):
    kind: str
    kernel: str
    cell: list[Any]
    before: float
    after: float
    factor: float | None
    low: float | None
    high: float | None
    link: str | None


class Change(Step, Ends):
    machine: str
    environment: dict[str, str]


class Changes(TypedDict):
    changes: list[Change]
    left_out: int


class ReleaseStep(Step, Ends):
    group: str
    order: int
    published: str | None
    commits_differ: bool


class ReleasePoint(Measurement):
    release: str
    order: int
    raw: float


class MissingRelease(TypedDict):
    release: str
    order: int
    status: str
    reason: str


class ReleaseSeries(Described):
    group: str
    interpreted: bool
    place: int | None
    history: str | None
    points: list[ReleasePoint]
    missing: list[MissingRelease]
    steps: list[ReleaseStep]


class CommitPoint(TypedDict):
    order: int
    commit: str
    date: str
    subject: str | None
    value: float


class CommitSeries(Series):
    points: list[CommitPoint]


class Release(TypedDict):
    release: str
    order: int
    published: str | None
    status: str
    reason: str | None


class Counts(TypedDict):
    measured: int
    empty: int
    failed: int
    afresh: int


class Drift(TypedDict):
    warm: float | None
    cold: float | None


class Turn(Drift):
    at: str
    order: int


class Drifts(Drift):
    turns: list[Turn]


class ReleaseOutcome(Release):
    source: int | None
    measured: str | None
    cells: Counts | None
    command: str
    drift: Drift
    c: float | None


class ReleaseKernelFile(TypedDict):
    machine: str
    compiler: str
    kernel: str
    size: str
    releases: list[Release]
    sources: list[Source]
    series: list[ReleaseSeries]
    commits: list[CommitSeries]
    charts: Charts


class ReleasesFile(TypedDict):
    machine: str
    compiler: str
    package: str
    backends: list[str]
    reference: str | None
    releases: list[ReleaseOutcome]
    sources: list[Source]
    kernels: Mapping[str, str]
    steps: list[ReleaseStep]
    drift: Drifts
    charts: Charts
