"""What a change can touch: the kernels and frameworks whose cases judge it.

The import graph of both commits and the tables of the library decide. In doubt a file touches too much rather than too
little: one that is neither a module nor a dialect stands for its whole package.
"""

import fnmatch
import json
import re
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import _selection
from duet.builds import unpack
from duet.cases import BenchmarkCase
from duet.git import git
from gate.imports import Graph, module_name
from jitkernels.backends.table import BACKENDS, FRAMEWORKS, Framework

PROJECT = "pyproject.toml"
DESCRIBES = ("classifiers", "description", "keywords", "license", "license-files", "optional-dependencies", "readme", "urls")
"""Keys of its ``project`` that change nothing that is measured."""
PINS = ("asv.conf.json", PROJECT, "hatch.toml", "hatch_build.py", ".gitignore", ".hgignore", ".gitattributes")
"""What is built and installed. hatchling leaves out of the wheel what the ignore files match."""
SELECTION = "benchmarks/_selection.py"  # no benchmark loads it; each commit's own selects what judges a change
TABLE = "jitkernels/backends/table.py"  # the selection of BASE is computed with that of the working tree
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUDGES = ("benchmarks/", "duet/", "gate/", TABLE, *MAKEFILES, ".github/", ".asv/", ".venv/", *PINS)
CHECKS = re.compile(
    r"jitkernels/(measure/|(case|clock|differences|kernel|settings|shapes|source)\.py"
    r"|backends/(numpy|python|(\w+/)?(compiler|tensors))\.py|kernels/(_\w+|\w+/(__init__|numpy)|convnet_train/torch)\.py)"
)
"""The library's part in judging: clocks, checks, tolerances, references, and the drivers, which wait for answers and fetch
them."""
BOUNDS = r"jitkernels/((case|differences|kernel)|kernels/(_\w+|{kernel}/__init__))\.py"  # what bounds a kernel's errors
IMPORTABLE = re.compile(r"[^/]+(/__init__)?\.py$")  # by the gate, from where it runs, in place of a package
KERNELS = "jitkernels.kernels."
REFERENCE = "numpy"  # the backend whose answer is the truth, unless a kernel's spec names another one
DIALECTS = {framework.dialect: framework for framework in FRAMEWORKS}
Pair = tuple[str, str]  # a kernel and a dialect


@dataclass(frozen=True)
class Scope:
    """``changed``: the files that differ. ``touched``: pairs of kernel and dialect whose programs the change can touch, and
    so their times and exact figures. ``checked``: pairs whose answers it can make wrong, also through the reference.
    ``known``: all pairs. ``is_all``: --all. ``redefined``: pairs whose benchmarks it can touch, so that one name may mean
    different measurements in the two suites. ``own``: for each changed module of the library that only a few kernels or
    frameworks load, the pairs that it can touch."""

    changed: tuple[str, ...]
    touched: frozenset[Pair]
    checked: frozenset[Pair]
    known: frozenset[Pair]
    is_all: bool = False
    redefined: frozenset[Pair] = frozenset()
    own: frozenset[frozenset[Pair]] = frozenset()

    @property
    def judges(self) -> list[str]:
        """The changed files that decide how a change is judged."""
        return [file for file in self.changed if file.startswith(JUDGES) or CHECKS.match(file) or IMPORTABLE.match(file)]

    def bounds_errors(self, kernel: str) -> bool:
        """True if the change may have loosened the bound of a kernel's errors."""
        return any(re.fullmatch(BOUNDS.format(kernel=kernel), file) for file in self.changed)

    @property
    def is_empty(self) -> bool:
        """True if the change can touch nothing that is measured."""
        return not self.checked

    def select(self, cases: dict[str, BenchmarkCase], selection: Any = _selection) -> list[str]:
        """Return the names of the cases that judge the change: all exact figures, errors and checks of answers, and a
        selection of times.

        selection: the module ``_selection`` of their suite.
        """
        touched = [name for name in cases if is_among(self.touched, name)]
        errors = [name for name, case in cases.items() if case.is_accuracy and is_among(self.checked, name)]
        checks = [name for name, case in cases.items() if case.checks_answers and is_among(self.checked, name)]
        counts = [name for name in touched if cases[name].is_counted and not cases[name].is_accuracy]
        figures = list(dict.fromkeys(counts + checks))
        times = [*selection.of_verdict(touched), *self._own_times(cases, selection)]
        return figures + errors + list(dict.fromkeys(times))

    def _own_times(self, cases: dict[str, BenchmarkCase], selection: Any) -> Iterable[str]:
        """Return the times of kernels and frameworks whose own modules changed, whatever else did. Of more than a few such
        kernels: each benchmark's last size alone."""
        of_kernels = {pairs for pairs in self.own if len(kernels_of(pairs)) <= _selection.FEW}
        own, shared = (
            [name for pairs in groups for name in selection.of_verdict([each for each in cases if is_among(pairs, each)])]
            for groups in (of_kernels, self.own - of_kernels)
        )
        if len(kernels_of(pair for pairs in of_kernels for pair in pairs)) <= _selection.FEW:
            return own + shared
        return [*{(cases[name].owner, cases[name].parameters[:-1]): name for name in own}.values(), *shared]


def chosen(
    cases: dict[str, BenchmarkCase], selection: Any, bench: list[str], scope: Scope | None
) -> dict[str, BenchmarkCase]:
    """Return the cases of a suite that judge a change, and the cases that these are judged by (``judged_by`` in the suite).

    bench: regular expressions that select cases. Without them the scope selects. selection: of a ``builds.Ruler``.
    """
    names = scope.select(cases, selection) if scope and not bench else selection.selected(cases, bench)
    judged = [(cases[name], by) for name in names if (by := cases[name].attributes.get("judged_by"))]
    judges = [f"{case.owner}.{by}({', '.join(case.parameters)})" for case, by in judged]
    return {name: cases[name] for name in (*names, *judges)}


def kernels_of(pairs: Iterable[Pair]) -> set[str]:
    return {kernel for kernel, _ in pairs}


def is_of_few(pairs: set[Pair]) -> bool:
    """True if the pairs are of a few kernels or of a few frameworks."""
    return min(len(kernels_of(pairs)), len({dialect for _, dialect in pairs})) <= _selection.FEW


def is_among(pairs: frozenset[Pair], case: str) -> bool:
    """True if the case belongs to one of the pairs. A case without a backend belongs to every pair of its kernel."""
    kernel, dialect = case.partition(".")[0], _selection.dialect_of(case)
    return (kernel, dialect) in pairs if dialect in DIALECTS else any(kernel == each for each, _ in pairs)


def of_commits(repository: Path, commits: Sequence[str], changed: tuple[str, ...], is_all: bool) -> Scope:
    """Return what a change of these files between commits can touch. is_all: treat everything as touched."""
    with tempfile.TemporaryDirectory(prefix="gate-") as directory:
        graphs = []
        for commit in commits:
            tree = Path(directory, commit)
            tree.mkdir()
            unpack(repository, commit, tree, "*.py")
            graphs.append(graph_of(tree))
        files = [file for file in changed if file != PROJECT]
        project = [PROJECT] if is_built_otherwise(repository, commits) else []  # also without a README that it names
        return replace(of_graphs(graphs, (*files, *project), is_all), changed=changed)


def is_built_otherwise(repository: Path, commits: Sequence[str]) -> bool:
    """True if the commits differ in what their pyproject.toml builds and installs, or in which of its documents exist."""
    try:
        texts = [git(repository, "show", f"{commit}:{PROJECT}") for commit in commits]
        files = [git(repository, "ls-tree", "-r", "--name-only", commit).splitlines() for commit in commits]
        return len(set(map(built, texts, files))) > 1
    except ValueError:  # one has no such file, or a broken one
        return True


def built(text: str, files: Sequence[str]) -> str:
    """Return the part of pyproject.toml that decides what is built and installed, with the documents that it names and
    that are not among the tree's files: no wheel is built without them."""
    table = tomllib.loads(text)
    project = table.get("project", {})
    kept = {name: value for name, value in project.items() if name not in DESCRIBES}
    documents = [project.get("readme"), *project.get("license-files", [])]
    lacking = [name for name in documents if isinstance(name, str) and not fnmatch.filter(files, name)]
    return json.dumps([table.get("build-system"), kept, table.get("tool", {}).get("hatch"), lacking], sort_keys=True)


def of_graphs(graphs: Iterable[Graph], changed: tuple[str, ...], is_all: bool = False) -> Scope:
    """Return what a change of these files can touch in any of the trees."""
    touched, checked, known, redefined = set[Pair](), set[Pair](), set[Pair](), set[Pair]()
    by_module: defaultdict[str, set[Pair]] = defaultdict(set)
    everything = is_all or not {*PINS, SELECTION}.isdisjoint(changed)
    for graph in graphs:
        modules = {module_of(graph, Path(file)) for file in changed}
        benchmarks = {name for name in modules if name.partition(".")[0] == "benchmarks"}
        for kernel, framework in pairs(graph):
            pair = kernel, framework.dialect
            known.add(pair)
            own = graph.reached(roots(graph, kernel, framework))
            if everything or own & modules:
                touched.add(pair)
            for module in own & modules - benchmarks:
                if not is_of_another(module, kernel):
                    by_module[module].add(pair)
            if own & benchmarks:
                redefined.add(pair)
            truth = DIALECTS[reference(graph, kernel)]
            if everything or (own | graph.reached(roots(graph, kernel, truth))) & modules:
                checked.add(pair)
    few = {frozenset(each) for each in by_module.values() if is_of_few(each)}
    sets = frozenset(touched), frozenset(checked), frozenset(known)
    return Scope(changed, *sets, is_all, frozenset(redefined), frozenset(few))


def graph_of(tree: Path) -> Graph:
    """Return the import graph of a tree. Only the rows of tables load the modules of one kernel or one framework."""
    packages = "|".join(re.escape(package_of(framework)) for framework in FRAMEWORKS)
    own = r"jitkernels\.functions"  # for users' own functions: the suite measures none
    return Graph(tree, re.compile(rf"({packages}|{own}|jitkernels\.kernels\.(?!_)\w+)(\.|$)"))


def package_of(framework: Framework) -> str:
    """Return the package that drives a framework, or the module where one file is enough."""
    return ".".join(framework.module.split(".")[:3])


def pairs(graph: Graph) -> Iterator[tuple[str, Framework]]:
    """Yield each kernel of the suite with each framework."""
    modules = (name.removeprefix("benchmarks.") for name in graph.files if name.startswith("benchmarks."))
    for kernel in (name for name in modules if not name.startswith("_")):
        yield from ((kernel, framework) for framework in FRAMEWORKS)


def roots(graph: Graph, kernel: str, framework: Framework) -> list[str]:
    """Return what a case loads by name: its benchmarks, the specs and dialect's files of the kernel and of others that the
    benchmarks name, and all that drives the framework."""
    package, benchmarks = package_of(framework), f"benchmarks.{kernel}"
    driver = [name for name in graph.files if name == package or name.startswith(f"{package}.")]
    text = (graph.tree / graph.files[benchmarks]).read_text(errors="replace")
    kernels = {kernel, *re.findall(r"[\"'](\w+)[\"']", text)}
    own = [name for each in sorted(kernels) if (name := f"{KERNELS}{each}") in graph.files]
    return [benchmarks, *own, *(f"{name}.{framework.dialect}" for name in own), *driver]


def is_of_another(module: str, kernel: str) -> bool:
    """True if the module is in another kernel's folder: this one's benchmarks use it, but it is not its own."""
    folder = module.removeprefix(KERNELS).partition(".")[0]
    return module.startswith(KERNELS) and folder != kernel and not folder.startswith("_")


def reference(graph: Graph, kernel: str) -> str:
    """Return the dialect of the reference backend that the kernel's spec names."""
    spec = graph.files.get(f"jitkernels.kernels.{kernel}")
    match = spec and re.search(r"\breference=[\"'](\w+)[\"']", (graph.tree / spec).read_text(errors="replace"))
    return BACKENDS[match[1] if match and match[1] in BACKENDS else REFERENCE].dialect


def module_of(graph: Graph, file: Path) -> str:
    """Return the module that a file is or belongs to. A kernel's ``c.c`` is a dialect; other files belong to their package,
    but C of any kernel may include a header."""
    is_dialect = len(file.parts) == 4 and file.is_relative_to("jitkernels/kernels") and file.stem in DIALECTS
    if file.suffix == ".py" or is_dialect:
        return module_name(file)
    if file.suffix == ".h" and file.is_relative_to("jitkernels/kernels"):
        return KERNELS.rstrip(".")
    packages = (module_name(parent / "__init__.py") for parent in file.parents if parent.parts)
    return next((name for name in packages if name in graph.files), "")
