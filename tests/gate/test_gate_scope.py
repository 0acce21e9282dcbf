"""What a change can touch: the import graph of made trees, and of this repository."""

import itertools
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import duet
from benchmarks import _launch, _selection
from duet import BenchmarkCase, Side
from gate.imports import HOMES, Graph
from gate.scope import DIALECTS, Scope, built, graph_of, is_built_otherwise, of_commits, of_graphs, reference, roots
from jitkernels import kernels

ROOT = Path(__file__).parents[2]
KERNELS, ALL = {*kernels.names()}, {*DIALECTS}
NOTHING: tuple[set[str], set[str], set[str]] = (set(), set(), set())
EVERYTHING = (KERNELS, ALL, ALL)
SPEC = "jitkernels/kernels/softmax"
CALLED_AGAIN = {f"Spellings.track_{figure}" for figure in ("raises", "programs", "graph_breaks")}
TOUCHED = {  # the kernels, the dialects whose times and figures are measured, and those whose answers are checked
    f"{SPEC}/jax.py": ({"softmax"}, {"jax"}, {"jax"}),
    f"{SPEC}/c.c": ({"softmax"}, {"c"}, {"c"}),
    f"{SPEC}/numpy.py": ({"softmax"}, {"numpy"}, ALL),
    f"{SPEC}/__init__.py": ({"softmax"}, ALL, ALL),
    f"{SPEC}/rows.h": EVERYTHING,  # C of any kernel may include it
    f"{SPEC}/table.csv": ({"softmax"}, ALL, ALL),
    "jitkernels/kernels/convnet_train/torch.py": ({"convnet_train"}, {"torch"}, ALL),
    "jitkernels/kernels/relu/c.c": ({"relu", "dense_relu"}, {"c"}, {"c"}),  # dense_relu.Apart has it too
    "jitkernels/kernels/_attention.py": ({"attention_infer", "attention_train"}, ALL, ALL),
    "jitkernels/backends/jax/compiler.py": (KERNELS, {"jax"}, {"jax"}),
    "jitkernels/backends/jax/ahead_of_time.py": (KERNELS, {"jax"}, {"jax"}),
    "jitkernels/backends/jax/new.txt": (KERNELS, {"jax"}, {"jax"}),
    "benchmarks/softmax.py": ({"softmax"}, ALL, ALL),
    "benchmarks/_suite/ahead.py": ({"relu"}, ALL, ALL),
    **dict.fromkeys(("jitkernels/case.py", "jitkernels/backends/table.py", "jitkernels/kernels/__init__.py"), EVERYTHING),
    **dict.fromkeys(("jitkernels/measure/steady.py", "jitkernels/measure/aot_tasks.py"), EVERYTHING),  # loaded by name
    **dict.fromkeys(("jitkernels/py.typed", "jitkernels/data/new.bin"), EVERYTHING),
    **dict.fromkeys(("benchmarks/_suite/warm.py", "benchmarks/_launch.py", "benchmarks/_selection.py"), EVERYTHING),
    "benchmarks/new.csv": EVERYTHING,
    **dict.fromkeys(("asv.conf.json", "pyproject.toml", "hatch.toml", "hatch_build.py"), EVERYTHING),
    **dict.fromkeys((".gitignore", ".hgignore", ".gitattributes"), EVERYTHING),
    **dict.fromkeys(
        ("jitkernels/charts/warm.py", "jitkernels/charts/picture.html", "jitkernels/command/tables.py"), NOTHING
    ),
    **dict.fromkeys(("docs/torch.md", "tests/conftest.py", "website/site.py", "history/bench.py", "new/numpy.py"), NOTHING),
    **dict.fromkeys(("gate/judge.py", "duet/child/fork.py", "Makefile"), NOTHING),
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """Of what is measured here."""
    tree = tmp_path_factory.mktemp("tree")
    for room in ("jitkernels", "benchmarks"):
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    return graph_of(tree)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BenchmarkCase]:
    """The benchmark cases of this repository."""
    log = tmp_path_factory.mktemp("suite") / "log.txt"
    return duet.discover(Side("suite", sys.executable, None, ROOT / "benchmarks"), log)


def parts(scope: Scope) -> tuple[set[str], set[str], set[str]]:
    return {kernel for kernel, _ in scope.checked}, {each for _, each in scope.touched}, {each for _, each in scope.checked}


@pytest.mark.parametrize("file", TOUCHED)
def test_a_file_is_judged_by_what_can_load_it(file: str, graph: Graph) -> None:
    scope = of_graphs([graph], (file,))
    assert parts(scope) == TOUCHED[file]
    assert scope.is_empty == (TOUCHED[file] == NOTHING)


@pytest.mark.parametrize(
    ("file", "redefined"),
    [
        ("benchmarks/softmax.py", {"softmax"}),
        ("benchmarks/_suite/ahead.py", {"relu"}),
        ("benchmarks/_suite/warm.py", KERNELS),
        ("benchmarks/new.csv", KERNELS),
        ("benchmarks/_launch.py", KERNELS),  # a process that begins otherwise may give another figure
        ("benchmarks/_selection.py", set()),  # it selects, and each commit's own does
        ("jitkernels/case.py", set()),
    ],
)
def test_a_change_of_a_benchmark_may_redefine_the_cases_that_load_it(file: str, redefined: set[str], graph: Graph) -> None:
    assert {kernel for kernel, _ in of_graphs([graph], (file,)).redefined} == redefined


def test_what_judges_a_change_is_named() -> None:
    judges = ["benchmarks/relu.py", "duet/turns.py", "gate/judge.py", "jitkernels/backends/table.py"]
    judges += [
        "Makefile",
        "GNUmakefile",
        ".github/workflows/gate.yml",
        "asv.conf.json",
        ".gitignore",
        "numpy.py",
        "scipy/__init__.py",
    ]
    judges += [".asv/gate/calibration.jsonl", ".venv/bin/python"]
    judges += ["jitkernels/case.py", "jitkernels/measure/lives.py", f"{SPEC}/__init__.py", f"{SPEC}/numpy.py"]
    judges += ["jitkernels/kernels/__init__.py", "jitkernels/kernels/_close.py"]
    others = ["README.md", "jitkernels/charts/warm.py", f"{SPEC}/jax.py", "tests/kernels/numpy.py"]
    scope = Scope((*judges, *others), *[frozenset[tuple[str, str]]()] * 3)
    assert scope.judges == judges


def test_references_and_what_waits_for_answers_judge(graph: Graph) -> None:
    references = {f"jitkernels/kernels/{kernel}/{reference(graph, kernel)}.py" for kernel in KERNELS}
    files = {file: (ROOT / file).read_text() for file in map(str, graph.files.values()) if "/backends/" in file}
    drivers = {file for file, text in files.items() if re.search(r"^ *def (wait|fetch)\(", text, flags=re.MULTILINE)}
    assert len(references) == len(KERNELS) and len(drivers) > 3
    judges = (*references, *drivers, "jitkernels/backends/numpy.py", "jitkernels/shapes.py")
    assert {*Scope(judges, *[frozenset[tuple[str, str]]()] * 3).judges} == {*judges}


def test_of_the_project_s_file_only_what_is_built_and_installed_counts() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    others = text.replace("[project.optional-dependencies]", '[project.optional-dependencies]\nanother = ["numpy"]')
    files = ["README.md", "LICENSE"]
    assert text != others and built(text, files) == built(others, [*files, "docs/new.md"])
    for part, another in (("hatchling.build", "setuptools"), (">=3.11", ">=3.12"), ('= ["jitkernels"]', "= []")):
        assert part in text and built(text, files) != built(text.replace(part, another), files)


def test_a_document_that_the_build_needs_is_built_otherwise_when_it_is_gone(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tmp_path / "pyproject.toml").write_text('[project]\nreadme = "README.md"\nlicense-files = ["LICEN*"]\n')
    tree(tmp_path, benchmarks__one="")
    commits = []
    for document, text in [("README.md", "1"), ("LICENSE", "1"), ("README.md", "2"), ("README.md", None), ("LICENSE", None)]:
        (tmp_path / document).write_text(text) if text else (tmp_path / document).unlink()
        for words in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "made"]):
            subprocess.run([*git, *words], check=True)
        commits.append(subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).strip())
    assert [is_built_otherwise(tmp_path, pair) for pair in itertools.pairwise(commits)] == [True, False, True, True]
    assert of_commits(tmp_path, commits[1:3], ("README.md",), False).is_empty
    assert not of_commits(tmp_path, commits[2:4], ("README.md",), False).is_empty


def test_all_is_everything_whatever_has_changed(graph: Graph) -> None:
    assert parts(of_graphs([graph], ("README.md",), is_all=True)) == EVERYTHING


@pytest.mark.parametrize("benchmark", ["Warm", "Error"])
def test_what_a_case_imports_is_in_its_graph(benchmark: str, graph: Graph) -> None:
    kernels.load("softmax")
    program = (
        f"import sys; from benchmarks import softmax; softmax.{benchmark}().setup('c', 100); "
        "print(*(name for name in sys.modules if name.partition('.')[0] in ('benchmarks', 'jitkernels')))"
    )
    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    reached = graph.reached(roots(graph, "softmax", DIALECTS["c"]) + roots(graph, "softmax", DIALECTS["numpy"]))
    assert {*answer.stdout.split()} <= reached


def test_modules_are_looked_for_where_the_suite_looks() -> None:
    assert {home.removesuffix(".") for home in HOMES} == {"", *_launch._library.PACKAGES}


def tree(directory: Path, **files: str) -> Path:
    """A directory with these modules, by dotted name; ``__`` stands for a dot."""
    for name, text in files.items():
        path = directory / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


SIBLINGS = {"a__b": "", "a__c": "from . import b", "a__d": "'.b.name', '.e.f:Name', '...above'", "a__e__f": ""}


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("import a.b", {"a", "a.b"}),
        ("from a import b", {"a", "a.b"}),
        ("from a.b import name", {"a", "a.b"}),
        ("def f():\n    from a.c import g", {"a", "a.c", "a.b"}),
        ("from . import name\nimport a.b", {"a", "a.b"}),  # a script has no package
        ("import_module('a.b')", {"a", "a.b"}),
        ("run('a.b.task')", {"a", "a.b"}),
        ("import_module('a.b:Name')", {"a", "a.b"}),
        ("import_module('a.b:Name.method')", {"a", "a.b"}),
        ("import_module('._b', __package__)", set()),  # a script has no package
        ("from a.d import name", {"a", "a.d", "a.b", "a.e", "a.e.f"}),  # it names its siblings with dots
        ("run(f'a.b.{task}')", {"a", "a.b"}),
        ("if TYPE_CHECKING:\n    from a.b import name", set()),
        ("'no module: a.b'", set()),
        ("import sys, missing", set()),
        ("this is no Python", set()),
    ],
)
def test_what_a_module_names_is_reached(text: str, reached: set[str], tmp_path: Path) -> None:
    made = Graph(tree(tmp_path, **SIBLINGS, begin=text), re.compile("row"))
    assert made.reached(["begin"]) - {"begin"} == reached


def test_a_circle_ends_and_rows_are_loaded_by_import_alone(tmp_path: Path) -> None:
    files = {"a": "import b; 'row.one'", "b": "import a; import row.two", "row__one": "", "row__two": ""}
    assert Graph(tree(tmp_path, **files), re.compile(r"row\.")).reached(["a"]) == {"a", "b", "row", "row.two"}


def test_a_link_that_leads_nowhere_is_no_module(tmp_path: Path) -> None:
    made = tree(tmp_path, a__b="", begin="import a.c")
    (made / "a" / "c.py").symlink_to("left-out.txt")
    assert Graph(made, re.compile("row")).reached(["begin"]) == {"begin"}


def test_a_file_of_either_commit_counts(tmp_path: Path) -> None:
    files = {"benchmarks__one": "import helper", "benchmarks__two": ""}
    old, new = tree(tmp_path / "old", **files, helper=""), tree(tmp_path / "new", **files | {"benchmarks__one": ""})
    scope = of_graphs([graph_of(old), graph_of(new)], ("helper.py",))
    assert {kernel for kernel, _ in scope.checked} == {"one"}, "a module that HEAD has no more"
    assert {kernel for kernel, _ in scope.known} == {"one", "two"}


def made_cases(*kernels: str) -> dict[str, BenchmarkCase]:
    exact, checked, time = {"exact": True}, {"checked": True}, {"type": "time"}
    return {
        name: BenchmarkCase(name, name, attributes)
        for kernel in kernels
        for name, attributes in [
            *((f"{kernel}.Error.track_error('{backend}', 100)", checked) for backend in ("jax_eager", "jax", "c")),
            *((f"{kernel}.Warm.time_call('{backend}', {size})", time) for backend in ("jax", "c") for size in (100, 10_000)),
            (f"{kernel}.Counts.track_fusions('jax', 100)", exact),
            (f"{kernel}.Cold.time_first_call('jax', 100)", time | {"repeat": 1}),
            (f"{kernel}.Memory.track_run_peak('jax', 100)", {}),
        ]
    }


def scope_of(kernels: tuple[str, ...], touched: tuple[str, ...], checked: tuple[str, ...]) -> Scope:
    first, second = (frozenset((kernel, each) for kernel in kernels for each in own) for own in (touched, checked))
    return Scope(("file",), first, second, second)


def test_one_kernel_is_judged_by_all_its_figures_and_short_calls_on_the_dialects_that_can_change() -> None:
    cases = made_cases("softmax", "heat_2d", "relu")
    assert sorted(scope_of(("softmax",), ("jax",), ("jax",)).select(cases)) == [
        "softmax.Counts.track_fusions('jax', 100)",
        *(f"softmax.Error.track_error('{backend}', 100)" for backend in ("jax", "jax_eager")),
        *(f"softmax.Warm.time_call('jax', {size})" for size in (100, 10_000)),
    ]
    both = scope_of(("softmax",), ("c",), ("c", "jax")).select(cases)
    assert len([name for name in both if ".Error." in name]) == 3
    assert {_launch.backend_of(name) for name in both if ".Warm." in name} == {"c"}
    assert not [name for name in both if ".Counts." in name], "what jax makes of it does not depend on c's answer"


@pytest.mark.parametrize(
    ("kernel", "checks"),
    [
        ("square_or_cube", {"Error.track_error", "Retraces.track_programs", *CALLED_AGAIN}),
        ("side_effect", {"Error.track_error", "Effects.track_printed", "Effects.track_held"}),
        ("relu", {"Error.track_error", "Retraces.track_programs", "Lives.track_programs", "AheadOfTime.track_other_shape"}),
    ],
)
def test_a_reference_is_judged_by_every_check_of_an_answer(
    kernel: str, checks: set[str], graph: Graph, suite: dict[str, BenchmarkCase]
) -> None:
    chosen = of_graphs([graph], (f"jitkernels/kernels/{kernel}/numpy.py",)).select(suite)
    of_others = [name for name in chosen if _launch.dialect_of(name) == "jax"]
    figures = {name.partition(".")[2].partition("(")[0] for name in of_others}
    assert checks <= figures
    assert not [name for name in of_others if ".Counts." in name], "what jax makes of it does not depend on the reference"
    assert {suite[name].kernel for name in chosen} <= {kernel, "dense_relu"}
    in_jax = of_graphs([graph], (f"jitkernels/kernels/{kernel}/jax.py",)).select(suite)
    assert {_launch.dialect_of(name) for name in in_jax} == {"jax"}


def test_first_calls_of_philox_pi_judge_the_compilers_that_can_change() -> None:
    cases = made_cases("philox_pi", "softmax", "relu")
    for backend in ("numba", "torch_inductor", "tensorflow_xla"):
        name = f"philox_pi.Cold.time_first_call('{backend}', 1000)"
        cases[name] = BenchmarkCase(name, name, {"type": "time", "repeat": 1})

    def first_calls(kernels: tuple[str, ...], *dialects: str) -> list[str]:
        chosen = scope_of(kernels, dialects, dialects).select(cases)
        return [_launch.backend_of(name) for name in chosen if cases[name].is_first_call]

    assert first_calls(("softmax",), "numba") == []
    assert first_calls(("philox_pi",), "numba", "tensorflow") == ["numba"]
    assert first_calls(("philox_pi",), "numba", "torch") == ["numba", "torch_inductor"]
    assert first_calls(("philox_pi", "softmax", "relu"), "numba") == ["numba"]


def test_many_kernels_are_judged_by_a_selection_of_times_and_all_figures() -> None:
    names = ("softmax", "layer_norm", "relu")
    cases = made_cases(*names)
    chosen = scope_of(names, tuple(ALL), tuple(ALL)).select(cases)
    assert sum(".Error." in name for name in chosen) == 9
    assert {name for name in chosen if ".time_" in name} == {*_selection.selected(cases, _selection.HISTORY)}


def times_of(graph: Graph, cases: dict[str, BenchmarkCase], *files: str) -> set[str]:
    """The times that judge a change of these files."""
    return {name for name in of_graphs([graph], files).select(cases) if ".time_call(" in name}


def judging(suite: dict[str, BenchmarkCase]) -> set[str]:
    """The cases that some change is judged by: of a kernel, of a framework, of all."""
    scopes = [[(kernel, dialect) for dialect in DIALECTS] for kernel in KERNELS]
    scopes += [[(kernel, dialect) for kernel in KERNELS] for dialect in DIALECTS]
    scopes.append([(kernel, dialect) for kernel in KERNELS for dialect in DIALECTS])
    return {name for pairs in map(frozenset, scopes) for name in Scope((), pairs, pairs, pairs).select(suite)}


def forgotten(suite: dict[str, BenchmarkCase]) -> set[str]:
    """The benchmarks that judge no change, and that no list says it of."""
    listed = {*_selection.selected(suite, [*_selection.UNJUDGED, *_selection.TOO_LONG])}
    benchmarks, judges = ({name.partition("(")[0] for name in names} for names in ({*suite} - listed, judging(suite)))
    return benchmarks - judges


def test_every_benchmark_judges_some_change_or_is_in_the_list_of_those_that_judge_none(
    suite: dict[str, BenchmarkCase],
) -> None:
    assert forgotten(suite) == set(), "add these to a selection of benchmarks/_selection.py, or to UNJUDGED"
    new = "relu.Pool.track_seconds('c', 100)"
    assert forgotten(suite | {new: BenchmarkCase(new, new, {})}) == {"relu.Pool.track_seconds"}
    assert judging(suite).isdisjoint(_selection.selected(suite, _selection.UNJUDGED))


TORCH = "jitkernels/backends/torch/compiler.py"
MIXED = [  # files with selections of their own: of frameworks, of kernels, of all
    *(TORCH, "jitkernels/backends/jax/compiler.py", "jitkernels/backends/tensorflow/compiler.py"),
    *("jitkernels/kernels/softmax/__init__.py", "jitkernels/kernels/nbody/c.c"),
    *("jitkernels/case.py", "asv.conf.json"),
]
OF_THREE = [f"jitkernels/kernels/{name}/c.c" for name in ("heat_2d", "nbody", "mandelbrot")]


def test_a_mixed_change_is_judged_by_all_that_judges_its_parts(graph: Graph, suite: dict[str, BenchmarkCase]) -> None:
    alone = {file: {*of_graphs([graph], (file,)).select(suite)} for file in MIXED}
    for files in itertools.combinations(MIXED, 2):
        together = {*of_graphs([graph], files).select(suite)}
        assert alone[files[0]] | alone[files[1]] <= together, files
    assert alone[TORCH] <= {*of_graphs([graph], (TORCH, *OF_THREE)).select(suite)}


def test_a_kernel_whose_own_file_changed_is_timed_whatever_else_did(graph: Graph) -> None:
    names = ("heat_2d", "nbody", "mandelbrot")
    cases = made_cases(*names)
    in_c, in_jax = ({f"{name}.Warm.time_call('{each}', 100)" for name in names} for each in ("c", "jax"))
    shared = times_of(graph, cases, "jitkernels/case.py")
    assert not shared & {f"heat_2d.Warm.time_call('c', {size})" for size in (100, 10_000)}, "VERDICT has no such time"
    both = times_of(graph, cases, "jitkernels/case.py", "jitkernels/kernels/heat_2d/c.c")
    assert both - shared == {f"heat_2d.Warm.time_call('c', {size})" for size in (100, 10_000)}
    of_each = [f"jitkernels/kernels/{name}/{file}" for name in names for file in ("c.c", "jax.py")]
    largest = {name.replace(", 100)", ", 10000)") for name in in_c | in_jax}
    assert times_of(graph, cases, *of_each) - shared == largest, "of more than two kernels the last size alone"
    assert times_of(graph, cases, "jitkernels/kernels/heat_2d/c.c") == both - shared, "alone as together with others"
