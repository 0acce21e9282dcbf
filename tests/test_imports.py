"""Importing is light, and imports go one way."""

import ast
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FRAMEWORKS = ("numpy", "numba", "jax", "tensorflow", "torch", "triton", "rich", "asv")
REPORT = "import sys; print(sorted(set(sys.argv[1:]) & set(sys.modules)))"

# Where a module's imports may point, by the longest prefix of its path. "stdlib" is always allowed.
ALLOWED = {
    "jitkernels": ["jitkernels"],
    "jitkernels/tables.py": ["jitkernels", "rich"],
    "jitkernels/life_tables.py": ["jitkernels", "rich"],
    "jitkernels/cli.py": ["jitkernels", "rich"],
    "jitkernels/charts/curves.py": ["jitkernels", "altair"],
    "jitkernels/charts/ladder_curves.py": ["jitkernels", "altair"],
    "jitkernels/charts/ladder_marks.py": ["jitkernels", "altair"],
    "jitkernels/charts/ladder_views.py": ["jitkernels", "altair"],
    "jitkernels/charts/lists.py": ["jitkernels", "altair"],
    "jitkernels/charts/marks.py": ["jitkernels", "altair"],
    "jitkernels/charts/pictures.py": ["jitkernels", "altair", "vl_convert"],
    "jitkernels/aot": ["jitkernels", "{framework}"],
    "jitkernels/aot/table.py": ["jitkernels", "rich"],
    "jitkernels/backends": [
        "jitkernels.artifacts", "jitkernels.assembly", "jitkernels.backends", "jitkernels.caches", "jitkernels.clock",
        "jitkernels.device", "jitkernels.errors", "jitkernels.machine", "jitkernels.shapes", "jitkernels.source",
        "jitkernels.threads", "jitkernels.toolchain", "{framework}",
    ],
    "jitkernels/backends/_c_arrays.py": ["jitkernels.shapes", "jitkernels.source", "numpy"],
    "jitkernels/kernels": ["jitkernels.kernel", "jitkernels.kernels", "jitkernels.shapes", "numpy"],  # NumPy in functions
    "jitkernels/kernels/*/dialect": ["{framework}"],
    "benchmarks": ["asv_runner", "jitkernels", "benchmarks"],
    "website": [  # frameworks' tables, never a framework or a case
        "asv", "asv_tachyon", "jitkernels.backends", "jitkernels.break_even", "jitkernels.charts", "jitkernels.kernels",
        "jitkernels.speedup", "packaging", "website",
    ],
    "website/pages.py": ["jitkernels.backends", "jitkernels.charts", "vl_convert"],
    "gate": ["gate", "jitkernels.backends", "jitkernels.caches", "jitkernels.machine", "numpy", "scipy"],
    "gate/builds.py": ["asv", "gate"],
    "gate/faults.py": [],  # runs beside the worker
    "gate/suite.py": ["jitkernels.backends", "jitkernels.caches"],  # read by make bench too, which has no SciPy
    "gate/worker.py": ["asv_runner"],  # runs where gate cannot be imported
    "tools": ["asv", "gate.suite", "jitkernels.backends", "jitkernels.threads", "slices", "spent"],
    "tools/calibration.py": ["gate"],
    "tools/findings.py": ["jitkernels", "step_tables"],
    "tools/pairing.py": ["gate"],
    "tools/keep.py": ["asv", "website"],
    "tools/limit.py": ["jitkernels", "rich"],
    "tools/nightly.py": ["asv", "bench"],
    "tools/release": [
        "asv", "bench", "packaging", "release_cells", "release_environment", "release_index", "release_new",
        "gate.suite", "release_results", "release_run", "release_table", "slices",
    ],
    "tools/screenshot.py": ["playwright"],
    "tools/site.py": ["asv", "website"],
    "tools/step_tables.py": ["jitkernels"],
    "tools/steps.py": ["tools", "website"],
    "tools/again.py": ["asv", "tools", "website"],
}  # fmt: skip
COMPANIONS = {
    "numba": ["numba", "llvmlite", "numpy"],
    "jax": ["jax", "jaxlib", "numpy"],
    "tensorflow": ["tensorflow", "numpy"],
    "torch": ["torch", "functorch", "numpy"],
    "triton": ["triton", "torch", "numpy"],
    "numpy": ["numpy"],
}


def loaded_by(statement: str) -> str:
    command = [sys.executable, "-c", f"{statement}\n{REPORT}", *FRAMEWORKS]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_importing_loads_no_framework() -> None:
    assert loaded_by("import jitkernels") == "[]"


def test_the_catalogues_load_no_framework() -> None:
    assert loaded_by("import jitkernels\nfor name in jitkernels.kernels.names(): jitkernels.kernels.load(name)") == "[]"


def test_the_detector_of_loaded_frameworks_can_fail() -> None:
    assert "numpy" in loaded_by("import jitkernels\njitkernels.prepare('philox_pi', 'numpy', 10)")


def processor_seconds(*arguments: str) -> float:
    """The fewest of several runs: processor time, because wall time on a shared machine measures its neighbours."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(9))


def test_importing_takes_less_than_50_ms() -> None:
    assert processor_seconds("-c", "import jitkernels") - processor_seconds("-c", "pass") < 0.050


def test_listing_takes_less_than_300_ms() -> None:
    assert processor_seconds("-m", "jitkernels", "list") < 0.300


def modules() -> list[Path]:
    tops = ("jitkernels", "benchmarks", "website", "gate", "tools")
    return sorted(path for top in tops for path in (ROOT / top).rglob("*.py"))


def allowed(path: Path) -> list[str]:
    place = path.relative_to(ROOT).as_posix()
    if place.startswith("jitkernels/kernels/") and path.name != "__init__.py" and path.parent.name != "kernels":
        place = "jitkernels/kernels/*/dialect"
    rule = max((prefix for prefix in ALLOWED if place.startswith(prefix)), key=len)
    framework = COMPANIONS.get(path.stem.removeprefix("_").removesuffix("_inside").removesuffix("_releases"), [])
    return [name for allowed in ALLOWED[rule] for name in (framework if allowed == "{framework}" else [allowed])]


def imported(source: str) -> set[str]:
    """Absolute names of what is imported, functions' own imports too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names if node.module == "jitkernels")
    return names - {"jitkernels"}


def strays(source: str, rules: list[str]) -> set[str]:
    def fine(name: str) -> bool:
        return name.partition(".")[0] in sys.stdlib_module_names or any(
            name == rule or name.startswith(f"{rule}.") for rule in rules
        )

    return {name for name in imported(source) if not fine(name)}


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_one_way(path: Path) -> None:
    assert strays(path.read_text(), allowed(path)) == set()


def test_the_detector_of_imports_can_fail() -> None:
    backend = ROOT / "jitkernels" / "backends" / "jax.py"
    assert strays("from jitkernels.case import prepare", allowed(backend)) == {"jitkernels.case"}
    assert strays("from jitkernels import case", allowed(backend)) == {"jitkernels.case"}
    assert strays("def f():\n    import torch", allowed(backend)) == {"torch"}
    dialect = ROOT / "jitkernels" / "kernels" / "philox_pi" / "jax.py"
    assert strays("import jitkernels.caches", allowed(dialect)) == {"jitkernels.caches"}


PLUMBING = sorted([*(ROOT / "jitkernels" / "backends").glob("*.py"), *(ROOT / "jitkernels" / "aot").glob("*.py")])


@pytest.mark.parametrize("path", PLUMBING, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_backends_import_frameworks_in_no_function(path: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    inner = [node for function in functions for node in ast.walk(function)]
    assert [ast.unparse(node) for node in inner if isinstance(node, ast.Import | ast.ImportFrom)] == []
