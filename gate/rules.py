"""Where a verdict is made, and by which rules: what verdicts must share to be counted together."""

import dataclasses
from typing import Any

from gate import builds, judge, memory, turns
from jitkernels import machine


def here(bench: list[str], processes: int, budget: float) -> dict[str, Any]:
    """``machine`` (asv's name of it), ``processor``, ``cores``, and of the ``method`` all that changes what is found.
    bench: regular expressions. processes: a side and cell. budget: seconds."""
    method = {
        "bench": bench, "processes": processes, "turns": dataclasses.asdict(turns.FIRST), "memory": memory.allocator(),
        "budget": budget, "suspicious": judge.SUSPICIOUS, "believed": judge.BELIEVED, "smallest": judge.SMALLEST,
    }  # fmt: skip
    return {
        "machine": builds.machine(), "processor": machine.processor(), "cores": machine.cores(), "method": method,
    }  # fmt: skip
