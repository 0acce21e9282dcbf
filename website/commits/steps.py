"""The steps of a machine's benchmark cases from commit to commit."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from history.store.duets import STEP, CommitLine, DuetLine, ExactLine, Ratio, is_step
from website.across.machines import Evidence
from website.commits.curves import curves, gaps
from website.read import changes
from website.read.benchmarks import Find, find_case
from website.read.commits import Commit

Commits = Mapping[str, Commit]


class Span(NamedTuple):
    """A confirmed step's first and last place among the commits, and its direction."""

    first: int
    last: int
    is_slower: bool


def duets(lines: Iterable[CommitLine], commits: Commits) -> dict[tuple[str, str, str], tuple[DuetLine, Ratio]]:
    """Return the last direct duet of each case and pair of commits."""
    direct: dict[tuple[str, str, str], tuple[DuetLine, Ratio]] = {}
    for line in lines:
        if line["said"] == "duet" and line["role"] == STEP and line["base"] in commits and line["commit"] in commits:
            direct |= {(case, line["base"], line["commit"]): (line, ratio) for case, ratio in line["cells"].items()}
    return direct


def timed(lines: Iterable[CommitLine], commits: Commits) -> Iterator[tuple[str, DuetLine, Ratio]]:
    """Yield each confirmed step of a time. ``commits``: those that can be shown, by hash.

    No change is listed twice: of spans that may hold the same change of a case, the shortest counts.
    """
    kept: dict[str, list[Span]] = {}
    spans = [
        (Span(commits[base].place[1], commits[commit].place[1], ratio["ratio"] > 1), case, line, ratio)
        for (case, base, commit), (line, ratio) in duets(lines, commits).items()
        if is_step(ratio)
    ]
    for span, case, line, ratio in sorted(spans, key=lambda each: each[0].last - each[0].first):
        if not any(_may_be_one(shorter, span) for shorter in kept.setdefault(case, [])):
            kept[case].append(span)
            yield case, line, ratio


def evidence(lines: Sequence[CommitLine], commits: Commits) -> dict[str, Evidence]:
    """Return what a machine's duets say about each case. ``lines``: oldest first."""
    known: defaultdict[str, Evidence] = defaultdict(Evidence)
    for case, curve in curves(lines).items():
        known[case] = Evidence(curve.paths.keys() & commits.keys(), curve.between)
    for (case, base, commit), (_, ratio) in duets(lines, commits).items():
        known[case].direct[base, commit] = ratio
    for case, line, ratio in timed(lines, commits):
        known[case].steps[line["base"], line["commit"]] = ratio
    for (case, commit), reason in gaps(lines).items():
        known[case].reasons[commit] = reason
    return dict(known)


def _may_be_one(shorter: Span, span: Span) -> bool:
    """True if a span contains a shorter one, or overlaps it and both became slower or both faster."""
    is_within = span.first <= shorter.first and shorter.last <= span.last
    overlaps = span.first < shorter.last and shorter.first < span.last
    return is_within or (overlaps and span.is_slower == shorter.is_slower)


def exact(lines: Iterable[CommitLine], commits: Commits, find: Find) -> Iterator[tuple[str, ExactLine, ExactLine]]:
    """Yield each case whose exact figure differs between neighbours among the measured commits, with both lines."""
    newest: dict[tuple[str, str], dict[str, ExactLine]] = {}  # by case and pins: other compilers are no step of a commit
    for line in lines:
        if line["said"] == "exact" and line["commit"] in commits:
            for case in line["cells"]:
                newest.setdefault((case, str(sorted(line["requirements"].items()))), {})[line["commit"]] = line
    for (case, _), by_commit in newest.items():
        ordered = sorted(by_commit.values(), key=lambda line: commits[line["commit"]].place)
        figures = [(line, line["cells"][case]) for line in ordered]
        for before, after in changes.exact_steps(figures, find_case(case, find).benchmark.tolerance):
            yield case, before, after
