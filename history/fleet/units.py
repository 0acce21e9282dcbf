"""What a fleet measures: units. Each is one of this repository's own commands."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from history.commits import choose
from history.releases.table import TABLE, read
from jitkernels import kernels
from jitkernels.backends.table import BACKENDS, find_backend

KINDS = ("rankings", "night", "releases", "commits")  # longest first: at most 17, 11, 9 and 7 minutes were measured


@dataclass(frozen=True)
class Unit:
    """``name``: as in the list of units. ``arguments``: for Python, in the checkout."""

    name: str
    arguments: tuple[str, ...]


def units(words: Sequence[str], repository: Path) -> list[Unit]:
    """Return the units that the words name, in the order in which hosts begin them. Raises ValueError."""
    chosen: list[Unit] = []
    for word in words:
        of_word = list(_units(*word.partition(":")[::2], repository))
        if not of_word:
            raise ValueError(f"{word!r} names nothing to measure")
        chosen += of_word
    return longest_first(chosen)


def longest_first(units: Sequence[Unit]) -> list[Unit]:
    """Return the units sorted by kind, longest kind first: a long unit that starts last would keep all hosts waiting."""
    return sorted(units, key=lambda unit: KINDS.index(unit.name.partition(":")[0]))


def _units(kind: str, which: str, repository: Path) -> Iterator[Unit]:
    if kind == "commits":
        hashes = choose.commits(repository, which)
        for each in hashes:
            yield Unit(f"{kind}:{each}", ("-m", "history.commits.command", each, hashes[-1]))
    elif kind == "releases":
        name, _, versions = which.partition(":")
        for older, newer in itertools.pairwise(read(TABLE.read_text()).compiler(name).selected(None, versions or None)):
            pair = f"{older.version},{newer.version}"
            yield Unit(f"{kind}:{name}:{pair}", ("-m", "history.releases.command", "duets", "-c", name, "--only", pair))
    elif kind == "night":
        for each in [find_backend(which).name] if which else BACKENDS:
            yield Unit(f"{kind}:{each}", ("-m", "history.bench", "--full", "--backend", each))
    elif kind == "rankings":
        for each in [kernels.load(which).name] if which else kernels.names():
            yield Unit(f"{kind}:{each}", ("-m", "history.ranking", "--kernel", each))
    else:
        raise ValueError(f"unknown unit {kind!r}; known: {', '.join(sorted(KINDS))}")


def shard(everything: Sequence[Unit], part: str) -> list[Unit]:
    """Return every n-th unit, from the k-th on, of "k/n". Raises ValueError."""
    first, _, count = part.partition("/")
    if not (first.isdecimal() and count.isdecimal() and 1 <= int(first) <= int(count)):
        raise ValueError(f"a shard is written as 3/10, not {part!r}")
    return list(everything[int(first) - 1 :: int(count)])
