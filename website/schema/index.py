"""Rows of the files that are of no one kernel: index.json and gate.json."""

from typing import TypedDict


class Kernel(TypedDict):
    name: str
    what: str
    size: str
    unit: str


class Backend(TypedDict):
    name: str
    dialect: str | None
    what: str
    eager: str | None


class MachineRow(TypedDict):
    id: str
    name: str
    processor: str | None
    cores: str | None
    kernels: dict[str, str]
    newest: str


class CommitMachine(MachineRow):
    steps: str


class Machine(MachineRow):
    ram: str | None
    os: str | None
    matrix: str


class Compiler(TypedDict):
    machine: str
    compiler: str
    package: str
    file: str
    count: int
    newest: str


class UnreadFile(TypedDict):
    file: str
    reason: str


class Index(TypedDict):
    generated: str
    kernels: list[Kernel]
    backends: list[Backend]
    machines: list[Machine]
    changes: str
    environments: str
    gate: str
    unread: list[UnreadFile]
    history: str | None
    releases: list[Compiler]
    commits: list[CommitMachine]
    diffs: str | None


class Rate(TypedDict):
    done: str
    slower: float | None
    by: str
    hits: int
    of: int
    low: float
    high: float


class Noise(TypedDict):
    cell: str
    seconds: float
    spread: float
    runs: int
    found: dict[str, float]


class GateGroup(TypedDict):
    machine: str
    processor: str
    cores: int
    commits: list[str]
    since: str
    until: str
    whole: bool
    cells: int
    runs: int
    untouched: int
    minutes: float
    most_minutes: float
    rates: list[Rate]
    noise: list[Noise]


class Gate(TypedDict):
    groups: list[GateGroup]
