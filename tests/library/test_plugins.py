"""Another package adds a kernel and a backend; its wheel beside the library's is all that it takes."""

import json
import os
import subprocess
import sys
import textwrap
import venv
from pathlib import Path

import pytest

SAMPLE = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "jitkernels-sample"
version = "1.0"

[project.entry-points."jitkernels.kernels"]
doubled = "sample.doubled"

[project.entry-points."jitkernels.backends"]
sample = "sample:ROW"

[tool.hatch.build.targets.wheel]
packages = ["sample"]
""",
    "sample/__init__.py": """\
from jitkernels.backends.table import Backend, Framework

FRAMEWORK = Framework("sample", "sample.compiler:Sample", "#123456", absent="not written yet", kernels="sample.dialect")
ROW = Backend("sample", FRAMEWORK, "plain", "a sample", (1, 0), "cross", "interpreter")
""",
    "sample/compiler.py": """\
from jitkernels.backends.compiler import Compiler


class Sample(Compiler):
    def versions(self):
        return {"sample": "1.0"}
""",
    "sample/dialect/__init__.py": "",
    "sample/dialect/philox_pi.py": "from jitkernels.kernels.philox_pi.python import run as run\n",
    "sample/doubled/__init__.py": """\
from jitkernels.kernel import Kernel, Spelling


def check(value, size, seed, reference):
    assert value == reference()


kernel = Kernel(
    name="doubled", summary="twice a number", unit="steps", sizes=range(1, 100), default_size=3,
    inputs=lambda size, seed: (size,), check=check, work=lambda size: size, reference="python",
    metrics=lambda value, size, seed, reference: {"error": 0.0, "value": value},
    spellings={"plain": Spelling("the same")},
)
""",
    "sample/doubled/python.py": "def run(number):\n    return 2 * number\n\n\nplain = run\n",
    "sample/doubled/sample.py": "def run(number):\n    return number + number\n",
}


def write(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return directory


@pytest.fixture(scope="module")
def python(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that adds the sample's wheel to the environment with the library's."""
    sample, directory = write(tmp_path_factory.mktemp("sample"), SAMPLE), tmp_path_factory.mktemp("environment")
    venv.create(directory, with_pip=False)
    (packages,) = directory.glob("lib/python*/site-packages")
    (packages / "library.pth").write_text(str(installed.parent / packages.relative_to(directory)))
    python = directory / "bin" / "python"
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--python", python, "install", sample], check=True)
    return python


def run(python: Path | str, *arguments: str, path: Path | str = "") -> subprocess.CompletedProcess[str]:
    """What Python prints outside of this repository. path: a directory with further packages."""
    environment = {key: value for key, value in os.environ.items() if key != "JITKERNELS_REQUIRE"}
    environment["PYTHONPATH"] = str(path)
    return subprocess.run([python, *arguments], capture_output=True, text=True, env=environment, cwd="/")


def rows(python: Path | str, *arguments: str, path: Path | str = "") -> list[dict[str, object]]:
    answer = run(python, "-m", "jitkernels", *arguments, "--json", path=path)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_list_sees_the_kernel_and_the_backend(python: Path) -> None:
    reasons = {(row["kernel"], row["backend"]): row["reason"] for row in rows(python, "list")}
    for kernel, backend in (("doubled", "python"), ("doubled", "sample"), ("philox_pi", "sample")):
        assert reasons[kernel, backend] is None
    assert reasons["relu", "sample"] == "not written yet"
    assert reasons["doubled", "numpy"] == "doubled is not written in numpy"


def test_check_runs_them(python: Path) -> None:
    checked = rows(python, "check", "-b", "sample")
    answers = {row["kernel"]: (row["version"], row["value"]) for row in checked if row["status"] == "ok"}
    assert answers == {"doubled": ("sample 1.0", 6), "philox_pi": ("sample 1.0", 3.14132)}


def test_time_times_them_beside_a_built_in_backend(python: Path) -> None:
    timed = rows(python, "time", "doubled", "-b", "python", "-b", "sample")
    assert [(row["backend"], row["status"], bool(row["warm_seconds"])) for row in timed] == [
        ("python", "ok", True),
        ("sample", "ok", True),
    ]


def test_charts_and_results_of_unknown_origin_know_the_backend(python: Path) -> None:
    code = "from jitkernels.charts import palette; print(palette.style('sample').colour, 'sample' in palette.names())"
    assert run(python, "-c", code).stdout == "#123456 False\n", "its own colour, and no place in the site's legend"
    code = "from jitkernels.backends.table import frameworks; print(frameworks()[-1].dialect)"
    assert run(python, "-c", code).stdout == "sample\n"


def test_a_spelling_that_a_plugin_s_file_lacks_is_unavailable(python: Path) -> None:
    code = "import jitkernels; jitkernels.prepare('doubled', 'sample', 3, spelling='plain')"
    assert "Unavailable: sample.py of sample has no function plain" in run(python, "-c", code).stderr


def test_importing_the_library_reads_no_entry_points(python: Path) -> None:
    code = "import sys, jitkernels; print({'importlib.metadata', 'sample'} & set(sys.modules))"
    assert run(python, "-c", code).stdout == "set()\n"
    loads = "import sys, jitkernels; jitkernels.kernels.load('relu'); print('sample.doubled' in sys.modules)"
    assert run(python, "-c", loads).stdout == "True\n"


def package(directory: Path, name: str, group: str, points: str, **modules: str) -> Path:
    """Write a package as pip leaves it: its modules, its name, and its entry points in one group."""
    information = f"{name.replace('-', '_')}-1.0.dist-info"
    metadata = {
        f"{information}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{information}/entry_points.txt": f"[{group}]\n{points}\n",
    }
    return write(directory, {**metadata, **{f"{module}.py": text for module, text in modules.items()}})


def test_two_packages_with_one_name_are_an_error_that_names_both(tmp_path: Path) -> None:
    for name in ("first", "second"):
        package(tmp_path, name, "jitkernels.kernels", "square = math")
    answer = run(sys.executable, "-m", "jitkernels", "list", path=tmp_path)
    assert answer.returncode == 2
    assert "first and second both have a jitkernels.kernel 'square': uninstall one" in answer.stderr


def test_a_plugin_with_the_name_of_a_built_in_backend_is_an_error(tmp_path: Path) -> None:
    package(tmp_path, "other", "jitkernels.backends", "numpy = math")
    answer = run(sys.executable, "-m", "jitkernels", "check", "relu", "-b", "numpy", path=tmp_path)
    assert answer.returncode == 2
    assert "jitkernels and other both have a jitkernels.backend 'numpy': uninstall one" in answer.stderr


def test_a_broken_plugin_is_a_row_with_its_reason_and_costs_the_others_nothing(tmp_path: Path) -> None:
    raises = "raise OSError('no licence\\nat all')"
    points = "broken = broken_backend\nwrong = math:pi\nlacks = lacking:ROW"
    lacking = """
        from jitkernels.backends.table import Backend, Framework
        FRAMEWORK = Framework("lacks", "lacking:Class", "#123456", kernels="lacking_kernels")
        ROW = Backend("lacks", FRAMEWORK, "plain", "a sample", (1, 0), "cross")
    """
    modules = {"broken_backend": raises, "lacking": textwrap.dedent(lacking)}
    package(tmp_path, "one", "jitkernels.backends", points, **modules)
    package(tmp_path, "two", "jitkernels.kernels", "number = math")
    broken = [row for row in rows(sys.executable, "list", path=tmp_path) if None in (row["kernel"], row["backend"])]
    assert all(row["available"] is False for row in broken)
    reasons = {row["kernel"] or row["backend"]: row["reason"] for row in broken}
    assert set(reasons) == {"broken", "wrong", "number", "lacks"}
    assert reasons["lacks"] == "the plugin of one is broken: ModuleNotFoundError: No module named 'lacking_kernels'"
    assert reasons["broken"] == "the plugin of one is broken: OSError: no licence"
    assert reasons["wrong"] == f"the plugin of one is broken: TypeError: {3.141592653589793} is no Backend named 'wrong'"
    assert "is no package with a kernel named 'number'" in str(reasons["number"])
    (checked,) = rows(sys.executable, "check", "philox_pi", "-b", "numpy", path=tmp_path)
    assert checked["status"] == "ok"
    answer = run(sys.executable, "-m", "jitkernels", "check", "philox_pi", "-b", "broken", path=tmp_path)
    assert (answer.returncode, "OSError: no licence" in answer.stderr) == (2, True)
    assert "all" in run(sys.executable, "-m", "jitkernels", "list", path=tmp_path).stdout
