"""The explanation of a step (``release_steps.jsonl``): the parts that were exchanged, and how compiled code differs."""

import math
from collections.abc import Iterable, Mapping, Sequence

from history.store.release_lines import ArtifactsLine, Difference, Link, PairLine, PartLine, another_day, exchangeable
from website.read.benchmarks import split_case
from website.schema import releases as schema

Line = PartLine | ArtifactsLine  # of all machines, oldest first
Counts = dict[str, list[int | None]]  # [before, after] by name


def parts(lines: Iterable[Line], link: Link) -> list[schema.StepPart]:
    """Return the parts that were exchanged to explain a step, in the order of the exchanges.

    A part's row is from its newest line with the case or with a reason.
    """
    case, own = link.case, (line for line in lines if line["said"] == "part" and _key(line) == _key(link.line))
    newest = {line["part"]: line for line in own if case in line["cells"] or case in line["empty"] or line["reason"]}
    return [_part(link, line) for line in newest.values()]


def untried(lines: Iterable[Line], link: Link, files: Sequence[str], switches: Sequence[str]) -> list[str]:
    """Return the parts that ``make release-parts`` has not exchanged or switched off yet. files, switches: of the table."""
    known = {row["part"] for row in parts(lines, link)}
    everything = [*exchangeable(link.line["base_requirements"], link.line["requirements"], files), *switches]
    return [part for part in everything if part not in known]


def artifacts(lines: Iterable[Line], link: Link, stored: Counts) -> schema.StepArtifacts | None:
    """Return how compiled code differs, from the newest line. stored: counts of asv's results, used if there is no line."""
    counted: Difference = {"counts": stored, "stages": {}, "stage": None, "text": "", "left_out": 0}
    own = counted if stored else None
    for line in lines:
        if line["said"] == "artifacts" and _key(line) == _key(link.line):
            cells = {_kernel_and_backend(case): difference for case, difference in line["cells"].items()}
            own = cells.get(_kernel_and_backend(link.case), own)
    return own and {**own, "counts": _rows(own["counts"]), "stages": _rows(own["stages"])}


def _key(line: PairLine) -> tuple[str, ...]:
    """Return the machine, the compiler, the older release and the newer one."""
    return line["machine"], line["compiler"], line["base"], line["release"]


def _part(link: Link, line: PartLine) -> schema.StepPart:
    case, measured = link.case, line["cells"].get(link.case)
    ratio = measured and another_day(measured)
    switch = " ".join(f"{name}={value}" for name, value in line["variables"].items())
    return {
        "suite": line["suite"][:8] if line["suite"] != link.line["suite"] else None,
        "part": line["part"],
        "version": switch or line["requirements"].get(line["part"], ""),
        "is_switch": bool(switch),
        "ratio": ratio["ratio"] if ratio else None,
        "low": ratio["low"] if ratio else None,
        "high": ratio["high"] if ratio else None,
        "share": math.log(ratio["ratio"]) / math.log(link.ratio["ratio"]) if ratio else None,
        "reason": None if ratio else line["empty"].get(case) or line["reason"],
    }


def _rows(pairs: Mapping[str, Sequence[int | None]]) -> list[schema.Pair]:
    return [{"name": name, "before": before, "after": after} for name, (before, after) in pairs.items()]


def _kernel_and_backend(case: str) -> tuple[str, str]:
    benchmark, parameters = split_case(case)
    return benchmark.partition(".")[0], parameters[0] if parameters else ""
