"""How functions reach a child process: from a script without a guard, from inside a function, from a notebook."""

import importlib
import inspect
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import comparing
import nbformat
import pytest
import user_functions
from nbclient import NotebookClient

from jitkernels.functions import transport
from jitkernels.functions.arguments import Options
from jitkernels.functions.definition import Definition

SCRIPT = """
import sys
import numpy as np
import neighbour
import jitkernels

print("executed", file=sys.stderr)

def slow(x):
    return np.array([np.sqrt(value) for value in x])

report = jitkernels.compare(
    {"numpy": neighbour.roots, "python": slow},
    inputs=lambda size, rng: (rng.random(size),), sizes=[10], processes=1, lives=())
print(report.ok, sorted(row["label"] for row in report.rows))
report.to_json("r.json")

def later(x):
    return neighbour.roots(x)

if __name__ == "__main__":
    def guarded(x):
        return later(x)

    functions = {"numpy": later, "numpy: guarded": guarded}
    print(jitkernels.compare(functions, lambda size, rng: (rng.random(size),), [10], processes=1, lives=()).ok)
"""


AGAIN = """
import sys
import numpy as np
import jitkernels

OFFSET = 1

def shifted(x):
    return x + OFFSET**2

def compare():
    report = jitkernels.compare({"numpy": work, "numpy: shifted": shifted}, inputs, [3], processes=1, lives=())
    print([(row["reason"] or "right").partition(",")[0] for row in report.rows])

for power in (1, 2):
    def work(x):
        return x**power + OFFSET

    def inputs(size, rng):
        return (np.full(size, 1.0 if power == 1 else 2.0),)

    compare()

if __name__ == "__main__":
    OFFSET = int(sys.argv[1])
    compare()
"""


def test_a_function_of_a_module_is_found_by_its_file_and_name() -> None:
    where = transport.address(user_functions.right)
    file = str(Path(user_functions.__file__).resolve())
    assert where.items() > {"file": file, "module": "user_functions", "name": "right"}.items() and "pickle" not in where
    assert transport.find(where, sys.path) is user_functions.right


def test_a_module_below_a_link_is_not_executed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy refuses it, where the environment is a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "linked_functions.py").write_text("def right(x):\n    return x\n")
    (tmp_path / "link").symlink_to("real")
    monkeypatch.syspath_prepend(tmp_path / "link")
    module = importlib.import_module("linked_functions")
    assert transport.find(transport.address(module.right), sys.path) is module.right
    del sys.modules["linked_functions"]


def test_a_function_inside_of_another_is_pickled() -> None:
    factor = 3

    def inner(x: int) -> int:
        return factor * x

    where = transport.address(inner)
    assert where.keys() == {"pickle", "file", "text"}
    assert transport.find(where, [])(2) == 6


def test_a_function_that_no_process_can_get_is_named() -> None:
    lock = threading.Lock()

    def inner() -> Any:
        return lock.locked()

    words = r"\Ainner cannot reach a process of its own \(TypeError: .*\): give it undecorated, or define it at the top"
    with pytest.raises(ValueError, match=words):
        transport.address(inner)


def test_a_pickled_function_has_its_source_where_compilers_look_for_it() -> None:
    def inner(x: int) -> list[int]:
        return [x for _ in range(2)]

    copy = transport.find(transport.address(inner), [])
    assert copy is not inner
    assert inspect.getsource(copy) == inspect.getsource(inner)
    (comprehension,) = [code for code in copy.__code__.co_consts if inspect.iscode(code)] or [copy.__code__]
    assert comprehension.co_filename == __file__


def test_a_script_may_call_compare_at_its_top_level_and_again_below(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("import numpy as np\ndef roots(x):\n    return np.sqrt(x)\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    answer = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == "True ['numpy', 'python']\nTrue\n", "no child has printed, and no child compares"
    assert answer.stderr == "executed\n"
    assert (tmp_path / "r.json").exists()


def test_each_comparison_of_a_script_has_its_own_functions_inputs_and_globals(tmp_path: Path) -> None:
    """The answers are those of the script's own values: 2 and 2, 5 and 3, 9 and 27."""
    (tmp_path / "script.py").write_text(AGAIN)
    answer = subprocess.run([sys.executable, "script.py", "5"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines() == [
        "['right', 'right']",
        "['right', 'the answer is 3 at [0]']",
        "['right', 'the answer is 27 at [0]']",
    ]


def test_a_module_may_call_compare_when_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("import numpy as np\ndef roots(x):\n    return np.sqrt(x)\n")
    (tmp_path / "module.py").write_text(SCRIPT)
    command = [sys.executable, "-c", "import module"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (0, "True ['numpy', 'python']\n"), answer.stderr


def test_what_a_script_sets_before_reaches_functions_of_other_modules(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("import decimal\ndef digits(x):\n    return x + decimal.getcontext().prec\n")
    (tmp_path / "script.py").write_text("""
import decimal
import jitkernels
import neighbour

decimal.getcontext().prec = 7
shift = 10.0
inputs = lambda size, rng: (shift,)
report = jitkernels.compare({"python": neighbour.digits}, inputs, [10], processes=1, lives=())
print(report.rows[0]["reason"], report.ok)
""")
    answer = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.stdout == "None True\n", answer.stderr


def test_a_script_of_a_package_is_executed_with_its_relative_imports(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "neighbour.py").write_text("import decimal\ndecimal.getcontext().prec = 7\n")
    (tmp_path / "package" / "script.py").write_text("""
import decimal
import jitkernels
from . import neighbour

def digits(x):
    assert decimal.getcontext().prec == 7
    return x

if __name__ == "__main__":
    report = jitkernels.compare({"python": digits}, lambda size, rng: (10.0,), [10], processes=1, lives=())
    print(report.rows[0]["reason"], report.ok)
""")
    answer = subprocess.run([sys.executable, "-m", "package.script"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.stdout == "None True\n", answer.stderr


LOCKED = """
import sys, threading
import jitkernels

LOCK = threading.Lock()
OFFSET = 1

def work(x):
    with LOCK:
        return x + OFFSET

def inputs(size, rng):
    return (rng.random(size),)

if __name__ == "__main__":
    OFFSET = int(sys.argv[1])
    print(jitkernels.compare({"numpy": work}, inputs, [3], processes=1, lives=()).rows[0]["reason"])
"""


@pytest.mark.parametrize(
    ("offset", "words"),
    [("1", "None"), ("2", "ValueError: work is another one, or has other globals, than in a process")],
)
def test_a_function_that_cannot_be_pickled_is_never_another_one(tmp_path: Path, offset: str, words: str) -> None:
    (tmp_path / "script.py").write_text(LOCKED)
    answer = subprocess.run([sys.executable, "script.py", offset], cwd=tmp_path, capture_output=True, text=True)
    assert answer.stdout.startswith(words), answer.stderr


def test_a_module_s_function_with_a_global_that_the_script_changed_is_not_timed_with_the_old_one(tmp_path: Path) -> None:
    inputs = "def inputs(size, rng):\n    return (rng.random(size),)\n"
    (tmp_path / "model.py").write_text(f"STEPS = 1\n\ndef walk(x):\n    return x * STEPS\n\n{inputs}")
    for change in ("", "model.STEPS = 2\n"):
        (tmp_path / "script.py").write_text(
            f"import jitkernels, model\n{change}"
            "report = jitkernels.compare({'numpy': model.walk}, model.inputs, [3], processes=1, lives=())\n"
            "print(report.rows[0]['reason'])\n"
        )
        answer = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
        expected = "ValueError: walk is another one, or has other globals, than in a process" if change else "None"
        assert answer.stdout.startswith(expected), answer.stderr


def test_a_name_that_the_file_defines_too_late_is_named(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text("from jitkernels.functions.transport import Reached\nraise Reached\n")
    with pytest.raises(
        AttributeError,
        match=r"does not define run at its top level, above its call of",
    ):
        transport.find({"file": str(file), "module": "__main__", "name": "run"}, [])


def test_numba_s_disk_cache_reaches_the_child() -> None:
    numba = pytest.importorskip("numba")

    def inner(x: int) -> int:
        return x

    for caches in (True, False):
        copy = transport.find(transport.address(numba.njit(cache=caches)(inner)), [])
        assert bool(copy.stats.cache_path) is caches


def test_a_child_loads_triton_before_a_file_of_any_function_can_bring_tensorflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the other order LLVM, which both bring, ends the process, whichever file is executed first."""
    loaded: list[Path] = []
    monkeypatch.setattr(transport, "is_child", lambda: True)
    monkeypatch.setattr(transport, "load_triton_first", loaded.append)
    function, inputs = transport.address(user_functions.right), transport.address(comparing.require)
    options = Options(1e-6, 0.0, (), (), 1, 42, 300.0)
    Definition({"numpy": function}, inputs, {}, "numpy", 10, options, [], {}).write(tmp_path)
    assert loaded == [Path(comparing.__file__), Path(user_functions.__file__)]


def test_the_child_s_jax_has_the_flag_of_the_parent_s() -> None:
    jax = pytest.importorskip("jax")
    before = transport.dtypes()["jax"]
    assert before is jax.config.jax_enable_x64

    def inner() -> str:
        return str(jax.numpy.ones(1).dtype)

    try:
        for flag in (True, False):
            assert transport.find(transport.address(inner), [], {"jax": flag})() == f"float{64 if flag else 32}"
    finally:
        jax.config.update("jax_enable_x64", before)


def test_the_child_s_torch_has_the_default_dtype_of_the_parent_s() -> None:
    torch = pytest.importorskip("torch")
    before = transport.dtypes()["torch"]

    def inner() -> str:
        return str(torch.ones(1).dtype)

    try:
        for dtype in ("float64", "float32"):
            assert transport.find(transport.address(inner), [], {"torch": dtype})() == f"torch.{dtype}"
            assert transport.dtypes()["torch"] == dtype
    finally:
        torch.set_default_dtype(getattr(torch, before))


def test_a_notebook_shows_the_report() -> None:
    cells = [
        "import numpy as np, jitkernels",
        "def squares(x):\n    return x * x",
        """report = jitkernels.compare(
    {"numpy": squares, "python": lambda x: np.array([v * v for v in x])},
    inputs=lambda size, rng: (rng.random(size),), sizes=[10], processes=1, lives=())
report""",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=300).execute()
    (output,) = [each for each in notebook.cells[-1].outputs if each["output_type"] == "execute_result"]
    assert "has the shortest time at 10" in output["data"]["text/html"]
    assert "has the shortest time at 10" in output["data"]["text/plain"]
