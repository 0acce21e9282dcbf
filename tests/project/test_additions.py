"""A new kernel changes no file. A new mode of a framework changes three: the table, asv's lists, the README."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from discovery import discover
from laboratory import copy_repository

from jitkernels import prepare

ROOT = Path(__file__).parents[2]
HOUSE_TESTS = ["tests/library/test_catalogue.py", "tests/project/test_docs.py"]  # those that look for what was forgotten
OF_THE_CATALOGUES = "not runs and not contributing and not make"  # the others run what has nothing to do with an addition

KERNEL = {
    "jitkernels/kernels/doubled/__init__.py": '''\
"""Twice a number."""

from jitkernels.kernel import Kernel


def check(value, size, seed, reference):
    assert value == 2 * size


kernel = Kernel(
    name="doubled", summary="twice a number", unit="steps", sizes=range(1, 100), default_size=3,
    inputs=lambda size, seed: (size,), check=check, work=lambda size: size, reference="python",
    metrics=lambda value, size, seed, reference: {"error": 0.0, "value": value},
    absent=dict.fromkeys(("c", "numba", "jax", "tensorflow", "torch", "triton"), "one dialect and NumPy are enough"),
)
''',
    "jitkernels/kernels/doubled/python.py": "def run(number):\n    return 2 * number\n",
    "jitkernels/kernels/doubled/numpy.py": "import numpy as np\n\n\ndef run(number):\n    return np.add(number, number)\n",
    "benchmarks/doubled.py": '''\
"""Twice a number."""

from ._suite.warm import _Warm


class Warm(_Warm):
    params = [["python", "numpy"], [1, 99]]
    param_names = ["backend", "steps"]
''',
}
MODE = "torch_export"
TRANSLATOR = '''\
"""torch.export: the function as one graph, which torch runs operation by operation."""

import torch


def translate(function):
    programs = {}

    def program(*arguments):
        shapes = tuple(argument.shape for argument in arguments)
        if shapes not in programs:
            module = torch.nn.Module()
            module.forward = function
            programs[shapes] = torch.export.export(module, arguments).module()
        return programs[shapes](*arguments)

    return program
'''
ROW = f"""\
    Backend(
        "{MODE}", TORCH, "export", "torch.export", (2, 1), "stroke", translator="jitkernels.backends.torch.export:translate"
    ),
"""
LISTS = ["BACKENDS", "ON_ARRAYS", "MODELS", "COMPILERS", "MODEL_COMPILERS", "STAGED", "NOT_CACHED", "OBSERVED"]
EDITS = {  # by file: where each text goes, and the text
    "jitkernels/backends/table.py": [(r"(?<=\),\n)(?=\)\n# fmt: on\nBACKENDS = )", ROW)],
    "benchmarks/_suite/benchmark.py": [
        (rf"(?m)(?<=^{name} = )(\[[^\]]*,\n)(?=\])", f'\\1    "{MODE}",\n') for name in LISTS
    ],
    "README.md": [(r"(?<=its interpreter \|\n)", f"| `{MODE}` | torch.export |\n")],
}
FORGOTTEN = {  # by file: what the tests must say of it
    "jitkernels/backends/table.py": [rf"jitkernels/backends/table\.py: append Backend\(.{MODE}."],
    "benchmarks/_suite/benchmark.py": [
        rf"benchmarks/_suite/benchmark\.py:\d+: append .{MODE}. to {name.replace('NOT_CACHED', 'CACHED or NOT_CACHED')}\b"
        for name in LISTS
    ],
    "README.md": [rf"README\.md: name `{MODE}`"],
}
GROWN = [  # benchmarks of each list that the mode is in
    *("philox_pi.Warm.time_call", "relu.Warm.time_call", "mlp_train.Warm.time_call", "philox_pi.Cold.time_first_call"),
    *("mlp_train.Cold.time_first_call", "philox_pi.Memory.track_run_peak", "philox_pi.Stages.track_seconds"),
    *("philox_pi.Made.track_count", "square_or_cube.Spellings.track_programs"),
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of this repository."""
    copy_repository(tmp_path)
    return tmp_path


def python(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=tree, capture_output=True, text=True)


def answer(tree: Path, *arguments: str) -> Any:
    """What a Python process in the tree prints as JSON."""
    process = python(tree, *arguments)
    assert process.returncode == 0, process.stdout + process.stderr
    return json.loads(process.stdout)


def discovered(tree: Path) -> dict[str, list[list[str]]]:
    """asv's parameters by the name of the benchmark."""
    return {each["name"]: each["params"] for each in discover(tree / "benchmarks", tree)["benchmarks"]}


def house_tests(tree: Path, selection: str) -> subprocess.CompletedProcess[str]:
    """Run some of the house's tests, without the fixtures of all tests, which import frameworks."""
    return python(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", *HOUSE_TESTS, "-k", selection)


def add_mode(tree: Path, forget: str = "") -> None:
    (tree / "jitkernels/backends/torch/export.py").write_text(TRANSLATOR)
    for name, edits in EDITS.items():
        for place, text in edits:
            before = (tree / name).read_text()
            assert re.search(place, before), f"{Path(__file__).name}: EDITS finds no place for the text in {name}"
            if name != forget:
                (tree / name).write_text(re.sub(place, text, before, count=1))


def test_a_kernel_is_a_folder_and_a_module_of_benchmarks(tree: Path) -> None:
    prepare("philox_pi", "numpy", 1)
    for name, text in KERNEL.items():
        (tree / name).parent.mkdir(exist_ok=True)
        assert not (tree / name).exists()
        (tree / name).write_text(text)
    reasons = {
        row["backend"]: row["reason"]
        for row in answer(tree, "-m", "jitkernels", "list", "--json")
        if row["kernel"] == "doubled"
    }
    assert reasons["python"] is None and "enough" in reasons["jax"]
    checked = answer(tree, "-m", "jitkernels", "check", "doubled", "-b", "python", "-b", "numpy", "--json")
    assert [(row["status"], row["value"]) for row in checked] == [("ok", 6), ("ok", 6)]
    assert "doubled.Warm.time_call" in discovered(tree)
    script = "import json; from website.read import catalogue; print(json.dumps(catalogue.kernel('doubled')))"
    assert answer(tree, "-c", script)["unit"] == "steps"
    tests = house_tests(tree, OF_THE_CATALOGUES)
    assert tests.returncode == 0, tests.stdout


def test_a_mode_is_a_row_an_entry_of_asv_s_lists_and_a_row_of_the_readme(tree: Path) -> None:
    prepare("relu", "torch_eager", 1)
    add_mode(tree)
    rows = [row for row in answer(tree, "-m", "jitkernels", "list", "--json") if row["backend"] == MODE]
    assert {row["reason"] for row in rows if row["kernel"] == "relu"} == {None}
    (checked,) = answer(tree, "-m", "jitkernels", "check", "relu", "-b", MODE, "--json")
    assert checked["status"] == "ok", checked
    before, after = discovered(ROOT), discovered(tree)
    assert {name: after[name][0] for name in GROWN} == {name: [*before[name][0], MODE] for name in GROWN}
    assert all(after[name][0][: len(params[0])] == params[0] for name, params in before.items()), "results keep their places"
    script = (
        "import json; from website.read import catalogue; from jitkernels.charts import palette;"
        f"style = palette.style('{MODE}');"
        f"print(json.dumps([catalogue.backend('{MODE}'), style.colour, style.dash, style.shape]))"
    )
    described, *style = answer(tree, "-c", script)
    assert described == {"name": MODE, "dialect": "torch", "what": "torch.export", "eager": "torch_eager"}
    assert style == ["#089be1", [2, 1], "stroke"]
    tests = house_tests(tree, OF_THE_CATALOGUES)
    assert tests.returncode == 0, tests.stdout


@pytest.mark.parametrize("file", EDITS)
def test_a_test_names_the_file_that_was_forgotten(file: str, tree: Path) -> None:
    add_mode(tree, forget=file)
    tests = house_tests(tree, "table")
    assert tests.returncode == 1, tests.stdout
    assert [advice for advice in FORGOTTEN[file] if not re.search(advice, tests.stdout)] == [], tests.stdout
