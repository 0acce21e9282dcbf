"""The steps of a machine's benchmark cases from commit to commit."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from history.store.duets import STEP, DuetLine, ExactLine, Ratio, is_step
from website.across.evidence import Ends, Evidence, Level
from website.commits.curves import Line, curves, gaps
from website.read import changes
from website.read.benchmarks import Find, find_case
from website.read.commits import Commit

Commits = Mapping[str, Commit]


def duets(lines: Iterable[Line], commits: Commits) -> dict[tuple[str, str, str], tuple[DuetLine, Ratio]]:
    """Return the last direct duet of each case and pair of commits."""
    direct: dict[tuple[str, str, str], tuple[DuetLine, Ratio]] = {}
    for line in lines:
        if line["said"] == "duet" and line["role"] == STEP and line["base"] in commits and line["commit"] in commits:
            direct |= {(case, line["base"], line["commit"]): (line, ratio) for case, ratio in line["cells"].items()}
    return direct


def timed(lines: Iterable[Line], commits: Commits) -> Iterator[tuple[str, DuetLine, Ratio]]:
    """Yield each confirmed step of a time. ``commits``: those that can be shown, by hash.

    A step is left out if its span contains that of another step of the case, so that no change is listed twice.
    """
    direct = duets(lines, commits)
    confirmed = {key: each for key, each in direct.items() if is_step(each[1]["ratio"], each[1]["low"], each[1]["high"])}
    spans: dict[str, list[tuple[Commit, Commit]]] = {}
    for case, base, commit in confirmed:
        spans.setdefault(case, []).append((commits[base], commits[commit]))
    for (case, base, commit), each in confirmed.items():
        if not any(_is_within(span, (commits[base], commits[commit])) for span in spans[case]):
            yield case, *each


def evidence(lines: Sequence[Line], commits: Commits) -> dict[str, Evidence]:
    """Return what a machine's duets say about each case. ``lines``: oldest first."""
    direct, listed, reasons = dict[str, dict[Ends, Ratio]](), dict[str, dict[Ends, Ratio]](), dict[str, dict[str, str]]()
    for (case, base, commit), (_, ratio) in duets(lines, commits).items():
        direct.setdefault(case, {})[base, commit] = ratio
    for case, line, ratio in timed(lines, commits):
        listed.setdefault(case, {})[line["base"], line["commit"]] = ratio
    for (case, commit), reason in gaps(lines).items():
        reasons.setdefault(case, {})[commit] = reason
    levels = {case: {name: row[0] for name, row in curve.levels().items()} for case, curve in curves(lines).items()}
    return {
        case: Evidence(
            levels.get(case, {}).keys() & commits.keys(),
            functools.partial(_between, levels.get(case, {})),
            direct.get(case, {}),
            listed.get(case, {}),
            reasons.get(case, {}),
        )
        for case in levels | reasons
    }


def _between(levels: Mapping[str, Level], base: str, commit: str) -> Level:
    return levels[commit].over(levels[base])


def _is_within(span: tuple[Commit, Commit], other: tuple[Commit, Commit]) -> bool:
    return span != other and other[0].place <= span[0].place and span[1].place <= other[1].place


def exact(lines: Iterable[Line], commits: Commits, find: Find) -> Iterator[tuple[str, ExactLine, ExactLine]]:
    """Yield each case whose exact figure differs between neighbours among the measured commits, with both lines."""
    newest: dict[str, dict[str, ExactLine]] = {}
    for line in lines:
        if line["said"] == "exact" and line["commit"] in commits:
            for case in line["cells"]:
                newest.setdefault(case, {})[line["commit"]] = line
    for case, by_commit in newest.items():
        ordered = sorted(by_commit.values(), key=lambda line: commits[line["commit"]].place)
        figures = [(line, line["cells"][case]) for line in ordered]
        for before, after, _, _ in changes.exact_steps(figures, find_case(case, find).benchmark.tolerance):
            yield case, before, after
