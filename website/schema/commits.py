"""Rows of a machine's files of commits: commits.json (its steps) and commit_kernel.json (a kernel's curves)."""

from typing import TypedDict

from history.store.lines import Positive
from website.schema.releases import ByMachine, Change, Described, Interval, OnMachine, Span
from website.schema.values import Case, Commit, Count, Measured, OfKernel


class Source(Measured):
    base: str | None
    suite: str
    processor: str
    cores: Count
    measured: str


class CommitStep(Change):
    pairs: Count | None
    source: Count | None
    command: str | None
    machines: list[OnMachine]


class Totals(TypedDict):
    """How many steps between commits a kernel has: in time, and of exact figures."""

    timed: Count
    exact: Count


class CommitSteps(TypedDict):
    """data/<machine>/commits/steps.json: a machine's steps between commits, and between releases, newest first

    ``remark``: what is known to be wrong with the times of some duets."""

    machine: str
    remark: str | None
    sources: list[Source]
    steps: list[CommitStep]
    left_out: Count
    totals: dict[str, Totals]
    tables: list[ByMachine]


class Point(Interval):
    order: Count
    value: Positive
    ratio: Positive
    pairs: Count | None
    step: Positive | None
    source: Count


class Gap(Case):
    commit: str
    reason: str


class Curve(Described):
    interpreted: bool
    anchor: str
    bench: str
    points: list[Point]
    change: Span | None


class CommitKernelFile(OfKernel):
    """data/<machine>/commits/<kernel>.json: one kernel's times from commit to commit"""

    commits: list[Commit]
    sources: list[Source]
    series: list[Curve]
    missing: list[Gap]
