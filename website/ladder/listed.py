"""The steps of all ladders among stored results, without a site around them."""

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from website import reading
from website.catalogue import Benchmark
from website.commits import History
from website.environments import Environments
from website.ladder import files, outcomes


def steps(results: Path, history: History, find: Callable[[str], Benchmark]) -> list[dict[str, Any]]:
    """Of every machine and compiler, the newest release first; as docs/site-data.md has a step, with its machine's name and
    its compiler."""
    ladder = outcomes.Ladder(history)
    deque(outcomes.watched(reading.origins(results, history, Environments(), [], find), ladder.add), maxlen=0)
    ladder.add_failures(results, [])
    turns, found = outcomes.turns(results), []
    for machine, compiler, measured in ladder.compilers():
        content, _ = files.compiled(machine[0], machine, compiler, measured, turns.get(machine[0], []), {}, find)
        found += [{"machine": machine[0], "compiler": compiler, **step} for step in content["steps"]]
    return found
