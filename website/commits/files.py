"""A machine's files of commits: its steps, and the curves of each kernel."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from history.store import duets
from history.store.duets import CommitLine, DuetLine, ExactLine, Ratio
from history.store.lines import found_cold_caches
from history.store.results import Unread
from jitkernels import charts
from website.across.machines import Machines
from website.commits import steps
from website.commits.curves import Curve, curves, gaps
from website.commits.steps import Commits
from website.read import benchmarks, catalogue, changes, names
from website.read.benchmarks import BenchmarkCase
from website.read.commits import History, as_iso
from website.read.figures import SourceList
from website.read.machines import kernels_of_charts
from website.read.names import Machine
from website.read.runs import CAUSE
from website.schema import commits as schema
from website.schema import index, releases
from website.schema.releases import Change
from website.schema.values import only

Marks = Mapping[tuple[str, str], float]  # the ratios of confirmed steps, by case and commit
Sources = SourceList[schema.Source]  # the lines that figures come from
MOST_COMMITS = 200  # in a kernel's curves: the newest


def machine_commits(
    lines: Iterable[CommitLine], history: History, find: benchmarks.Find, unread: list[Unread]
) -> list["MachineCommits"]:
    """Return the machines that measured a commit of HEAD's history.

    ``unread`` gets the commits that the repository does not have.
    """
    by_machine: dict[Machine, list[CommitLine]] = {}
    commits = _commits(lines, history, unread)
    for line in lines:
        by_machine.setdefault(line["machine"], []).append(line)
    known = (own for own in by_machine.values() if any(line["commit"] in commits for line in own))
    shown = {names.directory(own[0]["machine"]): own for own in known}
    evidence = {id_: steps.evidence(own, commits) for id_, own in shown.items()}
    all_machines = Machines(
        {id_: own for id_, own in evidence.items() if own},
        place=lambda commit: commits[commit].place,
        row=lambda commit: commits[commit].row(),
        label=lambda commit: commit[:8],
    )
    return [MachineCommits(id_, own, commits, history, find, all_machines) for id_, own in shown.items()]


def _commits(lines: Iterable[CommitLine], history: History, unread: list[Unread]) -> Commits:
    """Return the commits of HEAD's history that lines name, by hash."""
    ends = ((line["machine"], hash_) for line in lines for hash_ in (line["commit"], line.get("base")) if hash_)
    commits = {}
    for machine, hash_ in dict.fromkeys(ends):
        commit = history.commit(str(hash_))
        if not commit.is_in_repository:
            unread.append(Unread(f"{machine}/{duets.FILE}", f"commit {commit.hash[:8]} is not in this repository"))
        elif commit.is_in_head:
            commits[commit.hash] = commit
    return commits


@dataclass(frozen=True)
class MachineCommits:
    """A machine's lines, oldest first. ``id``: the machine's directory. ``commits``: those of HEAD's history, by hash.
    ``all_machines``: the duets of all machines."""

    id: str
    lines: Sequence[CommitLine]
    commits: Commits
    history: History
    find: benchmarks.Find
    all_machines: Machines

    def files(
        self, releases: Iterable[Change], compilers: Iterable[index.Compiler]
    ) -> tuple[index.CommitMachine, list[Change], dict[str, Any]]:
        """Return the machine's row of the index, the steps of commits, and all files by path.

        releases: steps between releases on all machines. The file has those of compilers that the last duet had installed.
        """
        shown = [line for line in self.lines if line["commit"] in self.commits]
        timed = list(steps.timed(self.lines, self.commits))
        sources = Sources()
        own = [self._timed_step(*each, sources) for each in timed]
        own += [self._exact_step(*each, sources) for each in steps.exact(self.lines, self.commits, self.find)]
        own.sort(key=lambda step: self.commits[step["to"]["commit"]].place, reverse=True)
        marks = {(case, line["commit"]): ratio["ratio"] for case, line, ratio in timed}
        kernels = self._kernels(shown, marks)
        paths = {name: f"data/{self.id}/commits/{names.slug(name, ['steps'])}.json" for name in kernels}
        pins = self.lines[-1]["requirements"]
        installed = {each["compiler"] for each in compilers if each["machine"] == self.id and each["package"] in pins}
        others = [step for step in releases if step["machine"] == self.id and step["to"]["compiler"] in installed]
        shown_steps, left_out = changes.newest(own, map(_release_step, others))
        content: schema.CommitSteps = {
            "machine": self.id,
            "remark": _remark(shown),
            "sources": sources.rows,
            "steps": shown_steps,
            "left_out": left_out,
            "totals": _totals(own),
            "tables": self.all_machines.tables(self.find),
        }
        files = {f"data/{self.id}/commits/steps.json": content, **{paths[name]: kernels[name] for name in kernels}}
        return self._row(shown, paths, kernels), [only(Change, step) for step in own], files

    def _row(
        self, shown: Sequence[CommitLine], paths: dict[str, str], contents: Mapping[str, schema.CommitKernelFile]
    ) -> index.CommitMachine:
        return {
            "id": self.id,
            "name": shown[-1]["machine"],
            "processor": shown[-1]["processor"],
            "cores": str(shown[-1]["cores"]),
            "kernels": paths,
            "steps": f"data/{self.id}/commits/steps.json",
            "charts": kernels_of_charts(contents),
            "newest": as_iso(max(self.commits[line["commit"]].date for line in shown)),
        }

    def _kernels(self, shown: Iterable[CommitLine], marks: Marks) -> dict[str, schema.CommitKernelFile]:
        """Return each kernel's file; the file with the most points comes first."""
        by_kernel: dict[str, dict[str, Curve]] = {}
        for line in shown:
            for case in line["cells"]:
                by_kernel.setdefault(self._case(case).benchmark.kernel, {})
        for case, curve in curves(self.lines).items():
            if curve.levels().keys() & self.commits.keys():
                by_kernel.setdefault(self._case(case).benchmark.kernel, {})[case] = curve
        files = {kernel: self._kernel(kernel, own, marks) for kernel, own in sorted(by_kernel.items())}
        return dict(sorted(files.items(), key=lambda item: -sum(len(one["points"]) for one in item[1]["series"])))

    def _case(self, name: str) -> BenchmarkCase:
        return benchmarks.find_case(name, self.find)

    def _kernel(self, kernel: str, own: Mapping[str, Curve], marks: Marks) -> schema.CommitKernelFile:
        measured = {commit for curve in own.values() for commit in curve.levels()} & self.commits.keys()
        ordered = sorted(measured, key=lambda commit: self.commits[commit].place)[-MOST_COMMITS:]
        sources = Sources()
        content: schema.CommitKernelFile = {
            "machine": self.id,
            "kernel": kernel,
            "size": catalogue.kernel(kernel)["size"],
            "commits": [self.commits[commit].row() for commit in ordered],
            "sources": sources.rows,
            "series": [self._series(self._case(name), curve, ordered, marks, sources) for name, curve in own.items()],
            "missing": self._missing(kernel),
            "charts": {},
        }
        return {**content, "charts": {name: build(content) for name, build in charts.COMMIT_ROWS.items()}}

    def _series(
        self, case: BenchmarkCase, curve: Curve, ordered: Sequence[str], marks: Marks, sources: Sources
    ) -> schema.Curve:
        levels, seconds = curve.levels(), curve.seconds() / case.calls
        known = {commit: (order, *levels[commit]) for order, commit in enumerate(ordered) if commit in levels}
        points: list[schema.Point] = [
            {
                "order": order,
                "value": level.ratio * seconds,
                "low": level.low * seconds,
                "high": level.high * seconds,
                "ratio": level.ratio,
                "pairs": len(ratio["ratios"]) if ratio else None,
                "step": marks.get((case.name, commit)),
                "source": self._place(line, sources),
            }
            for commit, (order, level, line, ratio) in known.items()
        ]
        return {
            **changes.benchmark_fields(case),
            "unit": "seconds",
            "interpreted": case.benchmark.is_interpreted,
            "anchor": curve.anchor[:8],
            "bench": names.selection(case.name),
            "points": points,
            "change": _span(curve, list(known)),
        }

    def _place(self, line: CommitLine, sources: Sources) -> int:
        return sources.add(
            str(id(line)),
            lambda: {
                **self.history.commit(line["commit"]).row(),
                "base": line["base"][:8] if line["said"] == "duet" else None,
                "suite": line["suite"][:8],
                "python": line["python"],
                "requirements": line["requirements"],
                "settings": line.get("settings", {}),
                "processor": line["processor"],
                "cores": line["cores"],
                "measured": line["at"],
            },
        )

    def _missing(self, kernel: str) -> list[schema.Gap]:
        """Return the cases of a kernel that have no time at a commit, in the commits' order."""
        duets = [line for line in self.lines if line["said"] == "duet"]
        reasons = {key: reason for key, reason in gaps(duets).items() if key[1] in self.commits}
        return [
            {**self._case(name).row(), "commit": commit[:8], "reason": reasons[name, commit]}
            for name, commit in sorted(reasons, key=lambda key: self.commits[key[1]].place)
            if self._case(name).benchmark.kernel == kernel
        ]

    def _timed_step(self, case: str, line: DuetLine, ratio: Ratio, sources: Sources) -> schema.CommitStep:
        calls = self._case(case).calls
        return {
            **self._step(case, line, line["base"], (ratio["base"] / calls, ratio["commit"] / calls), sources),
            "unit": "seconds",
            "factor": ratio["ratio"],
            **only(releases.Interval, ratio),
            "pairs": len(ratio["ratios"]),
            "machines": self.all_machines.of_step(case, (line["base"], line["commit"]), ratio["ratio"]),
        }

    def _exact_step(self, case: str, before: ExactLine, after: ExactLine, sources: Sources) -> schema.CommitStep:
        values = before["cells"][case], after["cells"][case]
        return {**self._step(case, after, before["commit"], values, sources), "exact": True}

    def _step(
        self, case: str, line: CommitLine, base: str, values: tuple[float, float], sources: Sources
    ) -> schema.CommitStep:
        """Return the fields that timed and exact steps share. values: before and after. The command measures both commits by
        one suite, because an old commit's own may lack the benchmark case."""
        selection = names.selection(self._case(case).name)
        return {
            **changes.step("commit", self._case(case), *values),
            "machine": self.id,
            "environment": line["requirements"],
            "from": self.commits[base].row(),
            "to": self.commits[line["commit"]].row(),
            "pairs": None,
            "source": self._place(line, sources),
            "command": f"make history COMMITS='{base} {line['commit']}' AGAIN=1 BENCH={selection}",
            "machines": [],
        }


def _remark(lines: Iterable[CommitLine]) -> str | None:
    """Return what is known to be wrong with the times of some of the duets."""
    cold = sum(line["said"] == "duet" and found_cold_caches(line["began"]) for line in lines)
    return f"{CAUSE}with warm caches ratios can differ (duets: {cold})." if cold else None


def _totals(steps: Iterable[schema.CommitStep]) -> dict[str, schema.Totals]:
    """Return how many steps between commits each kernel has, listed or left out."""
    totals: dict[str, schema.Totals] = {}
    for step in steps:
        own = totals.setdefault(step["kernel"], {"timed": 0, "exact": 0})
        own["timed" if changes.is_timed(step) else "exact"] += 1
    return totals


def _release_step(step: Change) -> schema.CommitStep:
    return {**step, "pairs": None, "source": None, "command": None, "machines": []}


def _span(curve: Curve, commits: Sequence[str]) -> releases.Span | None:
    """Return the newest commit's ratio to the oldest; None for a single commit. commits: oldest first."""
    if len(commits) < 2:
        return None
    first, last = commits[0], commits[-1]
    level = curve.between(first, last)
    return {"from": first[:8], "to": last[:8], "factor": level.ratio, "low": level.low, "high": level.high}
