"""The rooms of docs/design.md: which may import which, without a circle, in chains that a reader can follow."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("jitkernels", "benchmarks", "duet", "gate", "history", "website", "plugins")
LONGEST_CHAIN = {"jitkernels": 9, "benchmarks": 7, "duet": 7, "gate": 7, "history": 7, "website": 9, "plugins": 3}
LONGEST_FUNCTION = 40
FRAMEWORKS = {
    "numpy": ["numpy"],
    "c": ["numpy"],
    "numba": ["numba", "llvmlite", "numpy"],
    "jax": ["jax", "jaxlib", "numpy"],
    "tensorflow": ["tensorflow", "numpy"],
    "torch": ["torch", "functorch", "numpy"],
    "triton": ["triton", "torch", "numpy", "jitkernels.kernels"],
}
"""What the files of a dialect, and the modules that drive its framework, may import beside their room's."""
TABLES = [
    "jitkernels.backends.table",
    "jitkernels.backends.forms",
    "jitkernels.kernels",
    "jitkernels.files",
    "jitkernels.machine",
    "jitkernels.settings",
]
"""What is known without a framework and without a case."""
ALLOWED = {
    "jitkernels": ["jitkernels"],
    "jitkernels/kernels": [
        "jitkernels.differences",
        "jitkernels.kernel",
        "jitkernels.kernels",
        "jitkernels.shapes",
        "numpy",
    ],
    "jitkernels/kernels/__init__.py": ["jitkernels.kernel", "jitkernels.plugins"],
    "jitkernels/kernels/*/dialect": ["{framework}"],
    "jitkernels/backends": [
        "jitkernels.backends",
        "jitkernels.errors",
        "jitkernels.machine",
        "jitkernels.plugins",
        "jitkernels.settings",
        "jitkernels.shapes",
        "jitkernels.source",
        "{framework}",
    ],
    "jitkernels/measure": ["jitkernels", "!jitkernels.command", "!jitkernels.charts"],
    "jitkernels/charts": [
        *TABLES,
        "jitkernels.charts",
        "jitkernels.measure",
        "jitkernels.quantities",
        "altair",
        "vl_convert",
    ],
    "jitkernels/functions": ["jitkernels", "!jitkernels.command", "cloudpickle", "numpy", "rich", "triton"],
    "jitkernels/command": ["jitkernels", "rich"],
    "jitkernels/cluster.py": ["dask", "distributed"],
    "jitkernels/differences.py": ["numpy"],
    "benchmarks": ["benchmarks", "asv_runner", "jitkernels", "!jitkernels.command", "!jitkernels.charts"],
    "duet": ["duet"],
    "duet/builds.py": ["duet", "asv", "build"],
    "duet/child": ["asv_runner", "duet.child", "fork", "orphans"],  # runs by its path, where duet cannot be imported
    "duet/statistics.py": ["duet", "numpy", "scipy"],
    "gate": [*TABLES, "gate", "duet", "benchmarks._selection", "asv", "numpy", "scipy"],
    "history": [
        *TABLES,
        "history",
        "duet",
        "benchmarks._launch",
        "benchmarks._selection",
        "jitkernels.measure.process",
        "jitkernels.measure.ranking",
        "jitkernels.measure.roof",
        "jitkernels.measure.rows",
        "jitkernels.measure.timing",
        "jitkernels.quantities",
        "asv",
        "msgspec",
        "packaging",
    ],
    "history/fleet": ["history", "duet", "jitkernels.cluster", *TABLES],
    "website": [
        *TABLES,
        "website",
        "jitkernels.availability",
        "history.store",
        "jitkernels.charts",
        "jitkernels.measure",
        "asv",
        "asv_tachyon",
        "msgspec",
        "packaging",
    ],
    "website/pages.py": [*TABLES, "website", "jitkernels.charts", "vl_convert"],
    "plugins": ["jitkernels"],
    "plugins/jitkernels-warp": ["jitkernels", "numpy", "warp"],
}
"""Where the imports of a file may point, by the longest prefix of its path; "!" takes a name away again."""


def sources() -> list[Path]:
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, text=True).split()
    return sorted(ROOT / name for name in listed if name.startswith(ROOMS) and (ROOT / name).exists())


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def rules(path: Path) -> list[str]:
    """What the file may import, with its framework's modules put in."""
    name, parts = place(path), path.relative_to(ROOT).parts
    is_dialect = parts[:2] == ("jitkernels", "kernels") and len(parts) == 4 and path.name != "__init__.py"
    key = "jitkernels/kernels/*/dialect" if is_dialect else max((key for key in ALLOWED if name.startswith(key)), key=len)
    framework = parts[2].removesuffix(".py") if parts[:2] == ("jitkernels", "backends") else path.stem
    return [each for rule in ALLOWED[key] for each in (FRAMEWORKS.get(framework, []) if rule == "{framework}" else [rule])]


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def strays(names: set[str], allowed: list[str]) -> set[str]:
    """Imports that no rule allows."""
    refused = [rule[1:] for rule in allowed if rule.startswith("!")]
    return {
        name
        for name in names
        if name.partition(".")[0] not in sys.stdlib_module_names
        and (
            any(is_within(name, package) for package in refused) or not any(is_within(name, package) for package in allowed)
        )
    }


@functools.cache
def modules() -> dict[str, Path]:
    return {place(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in sources()}


def imported(text: str, package: str = "") -> set[str]:
    """Absolute names of what is imported, by functions and by ``import_module`` too; ``package``: of relative imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            full = {f"{base}.{alias.name}": alias for alias in node.names}
            names.update(name if name in modules() else base for name in full)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            names.update(word.value for word in node.args[:1] if isinstance(word, ast.Constant))
    return names


def imports_of(path: Path) -> set[str]:
    parts = place(path).removesuffix(".py").split("/")
    return imported(path.read_text(), ".".join(parts[:-1])) - {"jitkernels"}


@pytest.mark.parametrize("path", sources(), ids=place)
def test_imports_go_one_way(path: Path) -> None:
    assert strays(imports_of(path), rules(path)) == set(), f"{place(path)} may import {', '.join(rules(path))}"


def test_the_detector_of_imports_can_fail() -> None:
    backend, dialect = ROOT / "jitkernels/backends/jax/compiler.py", ROOT / "jitkernels/kernels/philox_pi/jax.py"
    assert strays(imported("from jitkernels.case import prepare"), rules(backend)) == {"jitkernels.case"}
    assert strays(imported("def f():\n    import torch"), rules(backend)) == {"torch"}
    assert strays(imported("import jitkernels.backends.caches"), rules(dialect)) == {"jitkernels.backends.caches"}
    assert strays(imported("from gate import judge"), rules(ROOT / "history" / "bench.py")) == {"gate.judge"}
    plugin = ROOT / "plugins" / "jitkernels-warp" / "jitkernels_warp" / "compiler.py"
    assert strays(imported("from duet import sides"), rules(plugin)) == {"duet.sides"}
    assert strays(imported("from jitkernels import machine"), rules(ROOT / "duet" / "turns.py")) == {"jitkernels.machine"}
    measure = ROOT / "jitkernels" / "measure" / "process.py"
    assert strays(imported("from jitkernels.command import commands"), rules(measure)) == {"jitkernels.command.commands"}


@functools.cache
def arrows() -> dict[str, set[str]]:
    return {
        name: {each for each in imports_of(path) if each in modules() and each != name} for name, path in modules().items()
    }


def test_no_imports_run_in_a_circle() -> None:
    left = dict(arrows())
    while free := [name for name, targets in left.items() if not targets & set(left)]:
        for name in free:
            del left[name]
    assert sorted(left) == [], "these import each other, or what does"


@functools.cache
def chain(name: str) -> tuple[str, ...]:
    """The longest chain of imports within the module's room that begins with it."""
    room = name.partition(".")[0]
    inside = [target for target in arrows()[name] if target.partition(".")[0] == room]
    return (name, *max(map(chain, inside), key=len, default=()))


@pytest.mark.parametrize("room", ROOMS)
def test_a_chain_of_imports_is_short_enough_to_follow(room: str) -> None:
    test_no_imports_run_in_a_circle()
    longest = max((chain(name) for name in modules() if name.partition(".")[0] == room), key=len, default=())
    assert len(longest) <= LONGEST_CHAIN[room], " -> ".join(longest)


def functions_in(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text())
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize("path", sources(), ids=place)
def test_a_function_fits_a_screen(path: Path) -> None:
    functions = functions_in(path)
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


PLUMBING = [path for path in sources() if place(path).startswith("jitkernels/backends/")]


@pytest.mark.parametrize("path", PLUMBING, ids=place)
def test_backends_import_frameworks_in_no_function(path: Path) -> None:
    functions = functions_in(path)
    inner = [node for function in functions for node in ast.walk(function)]
    assert [ast.unparse(node) for node in inner if isinstance(node, ast.Import | ast.ImportFrom)] == []
