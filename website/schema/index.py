"""Rows of the files that belong to no single kernel: index.json, gate.json and rivals.json."""

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from history.store.lines import NotNegative, Positive
from website.schema.values import AtLeastOne, Count, DataFile, RankedRun, Time

CommitFile = Annotated[str, Meta(pattern=r"^data/[a-z0-9_.-]+/commits/[a-z0-9_.-]+\.json$")]


class Kernel(TypedDict):
    name: str
    what: str
    remark: str | None
    size: str
    unit: str


class Backend(TypedDict):
    name: str
    dialect: str | None
    what: str
    eager: str | None


class MachineRow(TypedDict):
    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    name: str
    processor: str | None
    cores: str | None
    newest: Time
    charts: dict[str, list[str]]


class CommitMachine(MachineRow):
    kernels: dict[str, CommitFile]
    steps: Annotated[str, Meta(pattern=r"^data/[a-z0-9_.-]+/commits/steps\.json$")]


class Machine(MachineRow):
    kernels: dict[str, DataFile]
    device: Literal["cpu", "gpu"]
    ram: str | None
    os: str | None
    matrix: DataFile


class Compiler(TypedDict):
    machine: str
    compiler: str
    package: str
    file: str
    count: AtLeastOne
    newest: str
    duets: Count
    measured: Time | None
    processor: str | None
    cores: str | None
    charts: dict[str, list[str]]


class UnreadFile(TypedDict):
    file: str
    reason: str


class Index(TypedDict):
    """data/index.json: kernels, backends and machines, and the files of each"""

    generated: Time
    kernels: list[Kernel]
    backends: list[Backend]
    machines: list[Machine]
    changes: DataFile
    environments: DataFile
    gate: DataFile
    rivals: DataFile
    unread: list[UnreadFile]
    history: Literal["history/"] | None
    releases: list[Compiler]
    commits: list[CommitMachine]
    diffs: Annotated[str, Meta(pattern=r"^https://[a-z.]+/[\w./-]+/$")] | None


class Rate(TypedDict):
    done: str
    slower: NotNegative | None
    by: str
    hits: Count
    of: Count
    low: NotNegative
    high: NotNegative


class Noise(TypedDict):
    cell: str
    seconds: NotNegative
    spread: NotNegative
    runs: Count
    found: dict[str, NotNegative]


class GateGroup(TypedDict):
    """Verdicts on the same code. ``kernels``: those whose change was judged, or their files of one dialect; none: all.
    ``whole``: the cases are those of each commit. ``cells``: the most that a verdict judged."""

    machine: str
    processor: str
    cores: Count
    commits: list[str]
    since: str
    until: str
    kernels: list[str]
    whole: bool
    cells: Count
    runs: Count
    untouched: Count
    minutes: NotNegative
    most_minutes: NotNegative
    rates: list[Rate]
    noise: list[Noise]


class Gate(TypedDict):
    """data/gate.json: how often the gate is wrong, by machine and rules, newest first"""

    groups: list[GateGroup]


class Ranked(TypedDict):
    """A machine. ``kernels``: how many it has ranked with one thread a backend. ``runs``: of these, newest first."""

    id: str
    name: str
    processor: str | None
    kernels: Count
    runs: list[RankedRun]


class Rival(TypedDict):
    """A compiler's time beside that of its rival, the fastest backend of another framework. ``factor``: over the rival's.
    ``low``, ``high``: what the processes of both allow. ``differs``: True if the processes tell the two apart."""

    machine: str
    kernel: str
    size: AtLeastOne
    backend: str
    seconds: Positive
    rival: str
    rival_seconds: Positive
    factor: Positive
    low: Positive
    high: Positive
    differs: bool


class Rivals(TypedDict):
    """data/rivals.json: how far each compiler is from the fastest other framework, by kernel and machine"""

    machines: list[Ranked]
    rows: list[Rival]
    on_numbers: list[str]  # kernels whose arguments are single numbers: a call is mostly dispatch
