"""``jitkernels compare FILE.py``: which functions take part, what is printed, and each mistake in one line."""

import errno
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from shell import ROOT, jitkernels, package

from jitkernels import prepare
from jitkernels.__main__ import main
from jitkernels.command import compare
from jitkernels.functions.report import Report

FILE = """
import numpy as np
import jitkernels

sizes = [10, 1000]

def inputs(size, rng):
    return (rng.random(size),)

def sum_numpy(x):
    return x.sum()

def sum_python(x):
    return sum(x.tolist())
"""


WITHOUT_FRAMEWORKS = """
    import importlib.util
    find = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name in ("jax", "torch") else find(name, *rest)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sums.py"
    path.write_text(FILE)
    return path


def test_functions_named_after_backends_are_compared(file: Path) -> None:
    answer = jitkernels("compare", str(file), "--processes", "1", "--no-cold", "-n", "1e3")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("numpy has the shortest time at 1,000.\n")
    assert answer.stderr.splitlines()[-1] == "2/2 python python 1000 ok"


def test_only_the_name_of_a_conversion_takes_no_part() -> None:
    names = ["from_numpy", "to_numpy", "as_jax", "to_grey_numpy", "as_it_is_numba"]
    module: Any = SimpleNamespace(**{name: lambda x: x for name in names})
    assert set(compare.functions_of(module)) == {"numpy", "numba"}


def test_inputs_may_be_a_lambda_over_the_file_s_functions_and_a_conversion_takes_no_part(file: Path) -> None:
    text = FILE.replace(
        "def inputs(size, rng):\n    return",
        "inputs = lambda size, rng: grid(size, rng)\n\ndef grid(size, rng):\n    return",
    )
    file.write_text(f"{text}\n\ndef from_numpy(x):\n    return 0\n")
    answer = jitkernels("compare", str(file), "--processes", "1", "--no-cold", "-n", "1e3")
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr.splitlines()[-1] == "2/2 python python 1000 ok"


def test_a_function_named_after_a_framework_of_several_backends_is_named(file: Path) -> None:
    file.write_text(f"{FILE}\n\ndef sum_torch(x):\n    return x.sum()\n\n\ndef tensorflow(x):\n    return x\n")
    answer = jitkernels("compare", str(file), "--processes", "1", "--no-cold", "-n", "10")
    assert answer.returncode == 0, answer.stderr
    torch, tensorflow = answer.stderr.splitlines()[:2]
    assert tensorflow == "not compared: tensorflow (call it tensorflow_eager, tensorflow_graph, tensorflow_xla)"
    assert torch.startswith("not compared: sum_torch (call it sum_torch_eager, sum_torch_script, ")


def test_what_takes_no_part_is_named_if_its_name_has_a_backend_s(file: Path) -> None:
    names = ("sum_numba_tiled", "sum_tf", "to_c", "_numpy_of", "mean")
    file.write_text(FILE + "".join(f"\ndef {name}(x):\n    return x\n" for name in names))
    module = compare._module(file)
    assert [*compare.functions_of(module)] == ["numpy", "python"]
    assert [*compare._left_out(module)] == [
        "not compared: sum_numba_tiled (mark it, as jitkernels.variant('numba: ...'))",
        "not compared: sum_tf (call it sum_tensorflow_eager, sum_tensorflow_graph, sum_tensorflow_xla)",
    ]
    marked = file.with_name("marked.py")
    marked.write_text(f"{FILE}\njitkernels.variant('numpy: dot')(lambda x: x)\n")
    assert [*compare._left_out(compare._module(marked))] == [
        f"not compared: sum_{backend} (mark it, as jitkernels.variant('{backend}: ...'))" for backend in ("numpy", "python")
    ]


@pytest.mark.usefixtures("lives_once")
def test_stages_are_shown_when_asked_for(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    jax = """
import jax.numpy as jnp

def sum_jax(x):
    return jnp.sum(x)
"""
    prepare("softmax", "jax", 1)  # Unavailable skips the test
    file.write_text(FILE.partition("def sum_numpy")[0] + jax)
    assert main(["compare", str(file), "--reference", "jax", "--processes", "1", "--stages", "-n", "10"]) == 0
    output = capfd.readouterr().out
    assert "stages of a first call" in output and "trace " in output


@pytest.mark.usefixtures("lives_once")
def test_json_alone_is_printed_and_a_page_is_written(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = file.with_name("sums.html")
    file.write_text(f"{FILE}\nprint('a file may print')\n")
    assert main(["compare", str(file), "--processes", "1", "--json", "--html", str(page)]) == 0
    told = json.loads(capfd.readouterr().out)
    assert [(row["label"], row["size"]) for row in told["rows"]] == [
        (label, size) for size in (10, 1000) for label in ("numpy", "python")
    ]
    assert all(row["cold_seconds"] > 0 for row in told["rows"])
    text = page.read_text()
    assert "<h1>sums</h1>" in text and told["answer"] in text


def test_a_page_that_cannot_be_written_does_not_cost_the_table(
    file: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def to_html(report: Report, page: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    prepare("softmax", "numpy", 1)  # Unavailable skips the test
    monkeypatch.setattr(Report, "to_html", to_html)
    page = file.with_name("sums.html")
    assert main(["compare", str(file), "--processes", "1", "--no-cold", "-n", "10", "--html", str(page)]) == 1
    output = capfd.readouterr()
    assert output.out.startswith("numpy has the shortest time") or output.out.startswith("python has the shortest time")
    assert output.err.splitlines()[-1] == f"jitkernels: cannot write {page}: No space left on device"


def test_marked_functions_have_labels_of_their_own(file: Path) -> None:
    marks = """
    @jitkernels.variant("numpy: dot")
    def dot(x):
        return np.dot(x, np.ones_like(x))

    @jitkernels.variant("numpy: wrong")
    def wrong(x):
        return x.sum() + 1

    reference = "numpy: dot"
    """
    file.write_text(FILE + textwrap.dedent(marks))
    answer = jitkernels("compare", str(file), "--processes", "1", "--no-cold", "-n", "10", "--json")
    assert answer.returncode == 1, "a wrong answer is a failure"
    assert [(row["label"], row["status"]) for row in json.loads(answer.stdout)["rows"]] == [
        ("numpy: dot", "ok"),
        ("numpy: wrong", "wrong"),
    ]


@pytest.mark.parametrize("caller", ["jitkernels", "helper"])
def test_a_file_that_calls_compare_itself_is_read_as_far_as_that_call(file: Path, caller: str) -> None:
    call = f"""
from pathlib import Path
import {caller}

Path(__file__).with_name("read").touch()
report = {caller}.compare({{"numpy": sum_numpy}}, inputs, sizes)
Path(__file__).with_name("compared").touch()
"""
    file.write_text(FILE + call)
    helper = "import jitkernels\ndef compare(*arguments):\n    return jitkernels.compare(*arguments)\n"
    file.with_name("helper.py").write_text(helper)
    answer = jitkernels("compare", str(file), "--processes", "1", "--no-cold", "-n", "10")
    assert answer.returncode == 0, answer.stderr
    assert file.with_name("read").exists()
    assert not file.with_name("compared").exists()
    assert [line.split()[1] for line in answer.stderr.splitlines()] == ["numpy", "python"]


def test_a_function_of_the_array_api_is_marked_once(file: Path) -> None:
    marked = "\n@jitkernels.variant('array_api')\ndef total(xp, x):\n    return xp.sum(x)\n"
    file.write_text(FILE + marked)
    environment = {"PYTHONPATH": package(file.parent, "sitecustomize", WITHOUT_FRAMEWORKS), "JITKERNELS_REQUIRE": ""}
    answer = jitkernels("compare", str(file), "--processes", "1", "--no-cold", "-n", "10", "--json", **environment)
    assert answer.returncode == 0, answer.stderr
    assert [(row["label"], row["status"]) for row in json.loads(answer.stdout)["rows"]] == [
        ("numpy", "ok"), ("jax", "unavailable"), ("torch_inductor", "unavailable"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (
            FILE + "\ndef mean_numpy(x):\n    return x.mean()",
            [],
            "mean_numpy is a second function named after numpy: rename it, or mark all that take part with",
        ),
        (
            FILE + "\njitkernels.variant('numpy')(sum_numpy)\njitkernels.variant('numpy')(sum_python)",
            [],
            "two functions are 'numpy': name one of them, as 'numpy: other'",
        ),
        (
            FILE + "\nfor power in 1, 2:\n    @jitkernels.variant('numpy')\n    def f(x, power=power):\n        return x",
            [],
            "two functions are 'numpy': name one of them, as 'numpy: other'",
        ),
        (
            FILE + "\njitkernels.variant('numpy')(lambda x: x)\njitkernels.variant('numpy')(lambda x: 2 * x)",
            [],
            "two functions are 'numpy': name one of them, as 'numpy: other'",
        ),
        (FILE + "\n@jitkernels.variant\ndef f(x):\n    return x", [], "a label is a backend's name, as 'numba' or"),
        (
            FILE + "\nimport functools\n@functools.cache\n@jitkernels.variant('numpy: f')\ndef f(x):\n    return x",
            [],
            "f was marked before another decorator changed it: put jitkernels.variant above it",
        ),
        (FILE + "\ndef reference(x):\n    return x", [], "the reference must be a function's label, such as 'numpy'"),
        (FILE + "\nraise SystemExit(4)", [], "cannot be imported: SystemExit: 4 (line 16 of sums.py)"),
        (
            FILE.replace("rng.random(size)", "1 / 0"),
            [],
            "inputs(10, rng) raises ZeroDivisionError: division by zero (line 8",
        ),
        (None, [], "there is no file"),
        ("x = 1", [], "has no functions: name one after a backend, as softmax_numba, or mark it with jitkernels.variant"),
        ("def f_numpy(x):\n    return x", [], "defines no inputs(size, rng)"),
        (FILE.replace("sizes = ", "other = "), [], "defines no sizes, and there is no -n SIZE"),
        (FILE + "\n1 / 0", [], "cannot be imported: ZeroDivisionError: division by zero (line 16 of sums.py)"),
        (FILE + "\nimport no_such_module", [], "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"),
        (FILE, ["-n", "many"], "each size must be a whole number from 1 to 4611686018427387904, got 'many'"),
        (FILE, ["--reference", "jax"], "the reference 'jax' is none of the functions"),
        (FILE, ["--processes", "0"], "processes must be a whole number from 1 to 100, got 0"),
        (FILE, ["--timeout", "soon"], "argument --timeout: invalid float value: 'soon'"),
        (FILE, ["--html", "page.txt"], "--html must end in .html, got 'page.txt'"),
        (FILE, ["--html", "page.svg"], "--html must end in .html, got 'page.svg'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_status_2(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str | None, arguments: list[str], words: str
) -> None:
    path = tmp_path / "sums.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit) as end:
        main(["compare", str(path), *arguments])
    output = capfd.readouterr()
    assert (end.value.code, output.out) == (2, "")
    assert words in output.err and len(output.err.splitlines()) == 1, output.err


def test_a_file_with_the_name_of_a_framework_is_refused(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text(FILE)
    with pytest.raises(ValueError, match=r"numpy\.py hides the package numpy: rename it\Z"):
        compare._module(tmp_path / "numpy.py")


def test_a_file_of_the_user_s_takes_no_standard_module_s_place_in_the_processes_that_measure(file: Path) -> None:
    """The console script does not search the working directory; ``-P`` leaves it out here too."""
    file.with_name("random.py").write_text("raise ImportError('a file of the user')")
    script = "from jitkernels.__main__ import main; raise SystemExit(main())"
    words = ["compare", file.name, "--processes", "1", "--no-cold", "-n", "10"]
    answer = subprocess.run(
        [sys.executable, "-P", "-c", script, *words],
        cwd=file.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
