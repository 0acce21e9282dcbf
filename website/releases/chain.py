"""A compiler's releases on one machine as a chain of duets: each release's ratio to the newest, by benchmark case."""

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from history.store import release_lines
from history.store.duets import is_step
from history.store.lines import found_cold_caches
from history.store.release_lines import Link, ReleaseDuetLine
from website.across.machines import Evidence, Level, level_of
from website.read.benchmarks import BenchmarkCase, Find, find_case, split_case
from website.read.commits import Commit
from website.read.points import parse_version
from website.read.runs import CAUSE
from website.schema import releases as schema
from website.schema.values import only

REMARK = CAUSE + "some calls of arrays took up to 3.6 times as long as later"

CONTROL = "c"  # a backend; no release changes it, so its ratios show the noise of duets
NO_CHAIN = "no newer release of the curve was measured in turn with it"


@dataclass
class CaseChain:
    """A case's duets. ``duets``: by the older and the newer release."""

    duets: dict[tuple[str, str], Link]

    @functools.cached_property
    def links(self) -> dict[str, Link]:
        """Each release's duet with the nearest older release, by the newer one."""
        return release_lines.neighbours(self.duets.values())

    def levels(self) -> dict[str, tuple[Level, Link]]:
        """Return each release's ratio to the chain's newest release, and a duet of the release; newest release first."""
        release = max(self.links, key=parse_version)
        level = Level()
        known = {release: (level, self.links[release])}
        while link := self.links.get(release):
            level, release = level.over(level_of(link.same_day_ratio)), link.line["base"]
            known[release] = level.widened(release_lines.BETWEEN_DAYS), link
        return known

    def between(self, base: str, release: str) -> Level:
        """Return the ratio of a release to an older one, along the links between them."""
        level = Level()
        while release != base:
            link = self.links[release]
            level, release = level.times(level_of(link.same_day_ratio)), link.line["base"]
        return level.widened(release_lines.BETWEEN_DAYS)

    def gaps(self, case: str, lines: Sequence[ReleaseDuetLine]) -> dict[str, str]:
        """Return the reason for each release that these duets measured and that has no point in the chain."""
        reasons: dict[str, str] = {}
        for place in (0, 1):  # a release's duet with an older one decides, so it comes last
            for line in lines:
                release, other = (release_lines.ends(line)[each]["release"] for each in (place, 1 - place))
                reasons.setdefault(release, NO_CHAIN)
                if case in line["empty"]:
                    reasons[release] = _failure(other, line["empty"][case])
        return {release: reasons[release] for release in reasons.keys() - self.levels().keys()}

    def seconds(self) -> float:
        """Return the newest release's median seconds."""
        return next(iter(self.levels().values()))[1].ratio["release"]

    def steps(self) -> list[Link]:
        """Return the duets of neighbours that are steps, oldest release first."""
        return [link for link in self._links_of_chain() if is_step(link.ratio)]

    def scatter(self) -> float:
        """Return the largest change, as a factor of 1 or more, that the intervals of links without a step allow."""
        others = [link.ratio for link in self._links_of_chain() if not is_step(link.ratio)]
        return max((max(ratio["high"], 1 / ratio["low"]) for ratio in others), default=1.0)

    def _links_of_chain(self) -> list[Link]:
        """Return the duets of neighbours, oldest release first."""
        return [self.links[each] for each in reversed(self.levels()) if each in self.links]

    def closures(self) -> Iterator[tuple[Link, Level]]:
        """Yield each duet that is no link and whose releases are both in the chain, and the chain's ratio of these."""
        levels = self.levels()
        for (base, release), link in self.duets.items():
            if link is not self.links[release] and base in levels and release in levels:
                yield link, self.between(base, release)

    def repeated(self) -> Iterator[tuple[Link, Level]]:
        """Yield each duet that was repeated, and the ratio of the next one of the same releases."""
        for link in self.duets.values():
            for line, again in itertools.pairwise(link.lines):
                yield Link(link.case, [line]), level_of(Link(link.case, [again]).ratio)


def chains(lines: Sequence[ReleaseDuetLine]) -> dict[str, CaseChain]:
    """Return the chain of each case. ``lines``: of one compiler on one machine, oldest first."""
    return {case: CaseChain(duets) for case, duets in release_lines.links(lines).items()}


def evidence(lines: Sequence[ReleaseDuetLine]) -> dict[str, Evidence]:
    """Return what a machine's duets say about each case. ``lines``: of one compiler, oldest first."""
    return {
        case: Evidence(
            own.levels().keys(),
            own.between,
            {ends: link.ratio for ends, link in own.duets.items()},
            {link.ends: link.ratio for link in own.steps()},
            {line["release"]: _failure(line["base"], line["empty"][case]) for line in lines if case in line["empty"]},
        )
        for case, own in chains(lines).items()
        if not is_control(case)
    }


def _failure(other: str, reason: str) -> str:
    """Return why a release has no ratio to another one. Which of the two failed is not stored."""
    return f"its duet with {other} failed: {reason}"


def is_control(case: str) -> bool:
    return split_case(case)[1][:1] == (repr(CONTROL),)


def row(
    lines: Sequence[ReleaseDuetLine], places: Mapping[str, int], find: Find, tables: list[schema.ByMachine]
) -> schema.Duets:
    """Return the duets of each case, the chain's distances from the long duets, and the range of the control's ratios.

    places: each release's place in version order. tables: of all machines.
    """
    own = [(find_case(name, find), chain) for name, chain in chains(lines).items() if not is_control(name)]
    counting = [line for _, chain in own for link in chain.duets.values() for line in link.counting]
    cold = {(line["base"], line["release"]) for line in counting if found_cold_caches(line["began"])}
    control = [ratio["ratio"] for line in lines for name, ratio in line["cells"].items() if is_control(name)]
    return {
        "remark": f"{REMARK} (pairs of releases: {len(cold)})." if cold else None,
        "count": len({(line["base"], line["release"]) for line in lines}),
        "between_days": math.exp(release_lines.BETWEEN_DAYS),
        "cases": [_duet_case(case, chain, places) for case, chain in own],
        "control_low": min(control, default=None),
        "control_high": max(control, default=None),
        "closures": [_closure(case, *each) for case, chain in own for each in chain.closures()],
        "repeated": [_closure(case, *each) for case, chain in own for each in chain.repeated()],
        "tables": tables,
    }


def _duet_case(case: BenchmarkCase, chain: CaseChain, places: Mapping[str, int]) -> schema.DuetCase:
    links = sorted(chain.duets.values(), key=lambda link: [places[end] for end in link.ends])
    return {
        **_kernel_case(case),
        "interpreted": case.benchmark.is_interpreted,
        "links": [
            {
                "from": places[link.line["base"]],
                "to": places[link.line["release"]],
                "ratio": link.same_day_ratio["ratio"],
                **only(schema.Interval, link.same_day_ratio),
            }
            for link in links
        ],
    }


def _closure(case: BenchmarkCase, link: Link, level: Level) -> schema.Closure:
    quotient = level.over(level_of(link.ratio))
    return {
        **_kernel_case(case),
        "from": link.line["base"],
        "to": link.line["release"],
        "at": link.line["at"],
        "chain": level.ratio,
        "chain_low": level.low,
        "chain_high": level.high,
        "measured": link.ratio["ratio"],
        **only(schema.Interval, link.ratio),
        "agrees": quotient.low <= 1 <= quotient.high,
    }


def _kernel_case(case: BenchmarkCase) -> schema.KernelCase:
    return {"kernel": case.benchmark.kernel, **case.row()}


def nearest(release: str, lines: Sequence[ReleaseDuetLine]) -> ReleaseDuetLine:
    """Return the last duet of a release with the nearest older one; of the oldest release, with the nearest newer one."""
    older = [line for line in lines if line["release"] == release]
    if older:
        return max(older, key=lambda line: (parse_version(line["base"]), line["at"]))
    newer = [line for line in lines if line["base"] == release]
    return min(reversed(newer), key=lambda line: parse_version(line["release"]))


def command(line: ReleaseDuetLine, suite: Commit) -> str:
    """Return the command that repeats a duet. suite: the commit whose suite measured it."""
    only = f"{line['base']},{line['release']}"
    return f"make release-duets COMPILER={line['compiler']} ONLY={only}{suite.for_make} AGAIN=1"
