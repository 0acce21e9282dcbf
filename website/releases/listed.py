"""The ladders among stored results, without a site around them."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from website.read import reading
from website.read.catalogue import Benchmark
from website.read.commits import History
from website.read.environments import Environments
from website.releases import files, outcomes

Row = dict[str, Any]


def ladders(
    results: Path, history: History, find: Callable[[str], Benchmark], turns: Mapping[str, list[Row]] | None = None
) -> Iterator[tuple[str, Row, dict[str, Row]]]:
    """By machine and compiler: the machine's name, and the contents of the compiler's file and of each kernel's, as
    docs/site-data.md has them. turns: the reference's, by machine; those among the results without them."""
    ladder = outcomes.Ladder(history)
    deque(outcomes.watched(reading.origins(results, history, Environments(), [], find), ladder.add), maxlen=0)
    ladder.add_failures(results, [])
    lines = outcomes.turns(results) if turns is None else turns
    for machine, compiler, measured in ladder.compilers():
        content, kernels = files.compiled(machine[0], machine, compiler, measured, lines.get(machine[0], []), {}, find)
        yield machine[0], content, kernels


def steps(results: Path, history: History, find: Callable[[str], Benchmark]) -> list[Row]:
    """Of every machine and compiler, the newest release first; as docs/site-data.md has a step, with its machine's name and
    its compiler."""
    return [
        {"machine": machine, "compiler": content["compiler"], **step}
        for machine, content, _ in ladders(results, history, find)
        for step in content["steps"]
    ]
