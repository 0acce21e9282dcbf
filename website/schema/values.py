"""Values and rows that several files of ``site/data`` have."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict, TypeVar, cast

from msgspec import Meta

AT_LEAST_ONE = Meta(min_length=1)  # of a list
MEASURE = r"^\.venv/bin/asv (--config asv\.releases\.json run --environment \S+|run) --record-samples --bench "

Scalar = str | float | bool
Count = Annotated[int, Meta(ge=0)]
AtLeastOne = Annotated[int, Meta(ge=1)]
Time = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
DataFile = Annotated[str, Meta(pattern=r"^data/[a-z0-9_.-]+(/[a-z0-9_.-]+)?\.json$")]
Link = Annotated[str, Meta(pattern=r"^history/index\.html#view=explore&bench=")]
Reason = Literal["empty", "failed", "unmeasured"]  # status of a case without a number
Charts = Mapping[str, list[dict[str, Scalar | None]]]  # flat rows by the chart's name, as jitkernels.charts builds them


Kind = TypeVar("Kind")


def only(kind: type[Kind], row: Mapping[str, Any]) -> Kind:
    """Return the keys of a row that a class of the schema has, in the class's order."""
    return cast(Kind, {key: row[key] for key in kind.__annotations__})


class Commit(TypedDict):
    commit: str
    short: str
    subject: str | None
    date: Time


class Measured(Commit):
    """A commit, and what it was measured with. ``settings``: environment variables."""

    python: str
    requirements: dict[str, str]
    settings: dict[str, str]


class RankedRun(Measured):
    """``remark``: what is known to be wrong with the run's times."""

    began: Time
    remark: str | None


class Case(TypedDict):
    backend: str
    size: AtLeastOne | None
    figure: str


class Mismatch(TypedDict):
    package: str
    asked: str
    installed: str


class Source(Measured):
    """``cold``: True if warm calls found cold caches, because an answer was checked before each."""

    cold: bool
    environment: str
    installed: dict[str, dict[str, str]]
    mismatches: list[Mismatch]
    processor: str | None
    cores: int | None
    threads: dict[str, int | None]
    device: str | None
    library: str | None
    file: str


class OfKernel(TypedDict):
    """What each file of a kernel on a machine has. ``size``: the word for what its sizes count."""

    machine: str
    kernel: str
    size: str
    charts: Charts


class SampledValue(TypedDict):
    value: float
    low: float | None
    high: float | None
    samples: Count | None
    settled: bool | None
    measured: Time | None
    source: Count
