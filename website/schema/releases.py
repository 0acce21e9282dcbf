"""Rows of the files of a compiler's releases: releases.json, release_kernel.json and changes.json."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from history.store.lines import Positive
from website.schema import values

Ends = TypedDict("Ends", {"from": str, "to": str})  # of two releases, or of two commits
Places = TypedDict("Places", {"from": values.Count, "to": values.Count})  # of two releases among the versions
Kind = Literal["commit", "release"]
Seen = Literal["seen", "absent", "unclear", "unmeasured"]  # a step, on a machine
Group = Literal["warm", "cold", "stages", "accuracy", "counts", "other"]


class ReleaseEnd(TypedDict):
    compiler: str
    release: str
    date: values.Time | None


ENDS = (values.Commit, ReleaseEnd)  # msgspec has no union of two classes
End = Annotated[Any, Meta(extra_json_schema={"anyOf": [{"$ref": f"#/$defs/{end.__name__}"} for end in ENDS]})]
ChangeEnds = TypedDict("ChangeEnds", {"from": End, "to": End})


class KernelCase(values.Case):
    kernel: str


class Series(values.Case):
    unit: str


class Interval(TypedDict):
    low: Positive
    high: Positive


class Described(Series):
    direction: str | None
    exact: bool
    benchmark: str


class Step(Described):
    kind: Kind
    kernel: str
    cell: list[values.Scalar]
    before: float
    after: float
    factor: float | None
    low: float | None
    high: float | None


class Change(Step, ChangeEnds):
    machine: str
    environment: dict[str, str]


class Span(Ends, Interval):
    factor: Positive


class OnMachine(TypedDict):
    """What a machine says of a step; ``measured``: the ratio that it rests on. ``seen``: its direct duet confirms a step in
    that direction in an overlapping span. ``absent``: its ratio over the shortest span around the step excludes a step of
    1.05. ``unclear``: this ratio does not, or an opposite change in a longer span could hide the step. ``unmeasured``: there
    is no ratio."""

    machine: str
    answer: Seen
    measured: Span | None


class CaseByMachine(Series):
    kernel: str
    cells: list[Span | str]


class ByMachine(TypedDict):
    """One of the newest commits or releases with a step. ``cells``: by case and machine, the change since the nearest older
    one measured there, or the reason why there is none."""

    to: End
    machines: list[str]
    rows: Annotated[list[CaseByMachine], values.AT_LEAST_ONE]


class Changes(TypedDict):
    """data/changes.json: significant steps, newest first"""

    changes: list[Change]
    left_out: int


class ReleaseStep(Step, Ends):
    group: Group
    order: values.Count
    published: values.Day | None
    commits_differ: bool


class Pair(TypedDict):
    name: str
    before: int | None
    after: int | None


class StepArtifacts(TypedDict):
    counts: list[Pair]
    stages: list[Pair]
    stage: str | None
    text: str
    left_out: values.Count


class StepPart(TypedDict):
    """``suite``: the commit that measured it, if it is another one than the step's. ``share``: of the step's logarithm."""

    suite: str | None
    part: str
    version: str
    is_switch: bool
    ratio: Positive | None
    low: Positive | None
    high: Positive | None
    share: float | None
    reason: str | None


class Cause(TypedDict):
    """What made a release slower or faster, in words, and where it was reported."""

    text: str
    link: Annotated[str, Meta(pattern=r"^https://[a-z.]+/[\w./#-]+$")] | None


class StepDuet(TypedDict):
    """``cold``: True if its warm calls found cold caches. ``notes``: what else differs between the two environments.
    ``untried``: the parts that were not exchanged yet."""

    cold: bool
    notes: list[str]
    causes: list[Cause]
    before: values.Count
    after: values.Count
    pairs: values.AtLeastOne
    measured: values.Time
    command: Annotated[str, Meta(pattern="^make release-duets COMPILER=")]
    machines: list[OnMachine]
    parts: list[StepPart]
    untried: list[str]
    artifacts: StepArtifacts | None


class ListedStep(ReleaseStep):
    duet: StepDuet | None


class ReleasePoint(values.SampledValue):
    """``afresh``: True if its duet left out the compiler's disk cache, because one of its two releases failed with it.
    ``raw``: the value as measured."""

    release: str
    afresh: bool
    order: values.Count
    raw: float
    pairs: values.AtLeastOne | None
    command: Annotated[str, Meta(pattern=f"{values.MEASURE}|^make release-duets COMPILER=")]


class MissingRelease(TypedDict):
    release: str
    order: values.Count
    status: values.Reason
    reason: str


class ReleaseSeries(Described):
    """``scatter``: in duets, the factor that a step could hide in."""

    group: Group
    interpreted: bool
    in_duets: bool
    scatter: float | None
    points: Annotated[list[ReleasePoint], values.AT_LEAST_ONE]
    missing: list[MissingRelease]
    steps: list[ReleaseStep]


class CommitPoint(TypedDict):
    order: values.Count
    commit: str
    date: values.Time
    subject: str | None
    value: float


class CommitSeries(Series):
    points: Annotated[list[CommitPoint], values.AT_LEAST_ONE]


class Release(TypedDict):
    release: str
    order: values.Count
    published: values.Day | None
    status: Literal["ok", "failed"]
    reason: str | None


class Counts(TypedDict):
    measured: values.Count
    empty: values.Count
    failed: values.Count
    afresh: values.Count


class Drift(TypedDict):
    warm: Positive | None
    cold: Positive | None


class Turn(Drift):
    at: values.Time
    order: values.Count


class Drifts(TypedDict):
    turns: list[Turn]
    warm: float | None
    cold: float | None


class Closure(KernelCase, Ends, Interval):
    """A duet's ratio (``measured``), and another ratio of its releases (``chain``): the chain's, or the next duet's.
    ``agrees``: True if the interval of their quotient contains 1."""

    at: values.Time
    chain: Positive
    chain_low: Positive
    chain_high: Positive
    measured: Positive
    agrees: bool


class Link(Places, Interval):
    ratio: Positive


class DuetCase(KernelCase):
    interpreted: bool
    links: Annotated[list[Link], values.AT_LEAST_ONE]


class Duets(TypedDict):
    """``remark``: what is known to be wrong with the times of some duets. ``between_days``: the factor by which days differ.
    The intervals of ``cases`` lack it; all other intervals have it. ``closures``: duets of distant releases beside the
    chain. ``repeated``: duets measured again."""

    remark: str | None
    count: values.AtLeastOne
    between_days: Positive
    cases: list[DuetCase]
    control_low: Positive | None
    control_high: Positive | None
    closures: list[Closure]
    repeated: list[Closure]
    tables: list[ByMachine]


class ReleaseOutcome(Release):
    source: values.Count | None
    measured: values.Time | None
    cells: Counts | None
    command: Annotated[str, Meta(pattern="^make release(s|-duets) COMPILER=")]
    drift: Drift
    c: Positive | None


class ReleaseKernelFile(values.OfKernel):
    """data/<machine>/releases/<compiler>/<kernel>.json: one kernel's figures from release to release"""

    compiler: str
    releases: Annotated[list[Release], values.AT_LEAST_ONE]
    sources: list[values.Source]
    series: Annotated[list[ReleaseSeries], values.AT_LEAST_ONE]
    commits: list[CommitSeries]


class ReleasesFile(TypedDict):
    """data/<machine>/releases/<compiler>.json: a compiler's releases, and every step between them"""

    machine: str
    compiler: str
    package: str
    backends: list[str]
    reference: str | None
    versions: Annotated[list[str], values.AT_LEAST_ONE]  # of ``releases`` and of the table of releases, in their order
    releases: Annotated[list[ReleaseOutcome], values.AT_LEAST_ONE]
    sources: list[values.Source]
    kernels: Mapping[str, Annotated[str, Meta(pattern=r"^data/.+\.json$")]]
    steps: list[ListedStep]
    drift: Drifts
    duets: Duets | None
    charts: values.Charts
