"""The command line: what others script against, and what a person's mistakes get."""

import importlib.util
import json
import os
import pty
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import CELLS
from laboratory import heeding_ctrl_c

from jitkernels import Unavailable
from jitkernels.command import tables

ROW = {
    "kernel", "backend", "size", "seed", "device", "version", "status", "reason", "value", "error", "warm_seconds",
    "cold_seconds", "cached_seconds", "retrace_seconds", "stages", "peak_bytes", "work_per_second",
}  # fmt: skip
MEASURED = {"cold_seconds", "cached_seconds", "retrace_seconds", "stages", "peak_bytes"}
COMMAND = [sys.executable, "-m", "jitkernels"]


def jitkernels(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, env={**os.environ, **environment}, timeout=300
    )


def rows(*arguments: str, **environment: str) -> list[dict[str, Any]]:
    answer = jitkernels(*arguments, "--json", **environment)
    assert answer.returncode == 0, answer.stderr

    def refuse(token: str) -> None:
        pytest.fail(f"{token} is not JSON")

    return json.loads(answer.stdout, parse_constant=refuse)


def test_list_has_a_row_for_every_cell() -> None:
    listed = rows("list")
    assert [(row["kernel"], row["backend"]) for row in listed] == CELLS
    for row in listed:
        assert set(row) == {"kernel", "backend", "available", "reason"}
        assert row["available"] is (row["reason"] is None)


def test_check_checks_and_names_versions() -> None:
    for row in rows("check", "philox_pi", "-b", "python", "-b", "c", "-n", "1e3"):
        assert (row["status"], row["hits"], row["size"]) == ("ok", 782, 1000)
        assert row["version"]


def test_time_gives_every_key_and_null_for_what_was_not_asked() -> None:
    (row,) = rows("time", "philox_pi", "-b", "c", "-n", "100_000")
    assert set(row) >= ROW
    assert {key for key in ROW if row[key] is None} == MEASURED | {"reason"}
    assert row["value"] == 4 * row["hits"] / 100_000
    assert row["work_per_second"] == pytest.approx(100_000 / row["warm_seconds"])
    assert row["warm_samples"] >= 8
    low, high = row["warm_quartiles"]
    assert low <= row["warm_seconds"] <= high
    assert re.search(r"\((AVX-512|AVX2|SVE|NEON)\)$", row["processor"]), "a name alone hides what its vectors are"
    assert row["threads"] == 1


def test_time_measures_every_life_that_is_asked_for() -> None:
    (row,) = rows("time", "philox_pi", "-b", "c", "-n", "1e5", "--cold", "--cached", "--retrace", "--memory")
    assert all(row[key] is not None for key in MEASURED)
    assert row["cold_seconds"] > row["cached_seconds"], "the C compiler takes a while; loading what it made does not"
    assert set(row["stages"]) == {"compile", "load"}
    assert row["peak_bytes"] < 50e6


def test_time_gives_a_row_for_every_backend_and_size_in_order() -> None:
    timed = rows("time", "monte_carlo_pi", "-b", "c", "-b", "python", "-n", "1e3", "-n", "1e4", "--seed", "7")
    assert [(row["backend"], row["size"]) for row in timed] == [
        ("c", 1000), ("c", 10_000), ("python", 1000), ("python", 10_000),
    ]  # fmt: skip
    assert {row["seed"] for row in timed} == {7}


def test_time_takes_several_kernels_and_compares_with_eager_mode() -> None:
    timed = rows("time", "relu", "philox_pi", "-b", "numpy", "-b", "jax_eager", "-b", "jax", "-n", "10")
    assert [(row["kernel"], row["backend"]) for row in timed] == [
        (kernel, backend) for kernel in ("relu", "philox_pi") for backend in ("numpy", "jax_eager", "jax")
    ]
    for row in timed:
        assert (row["speedup"] is not None) == (row["backend"] == "jax")
        assert row["work_unit"] == {"relu": "entries", "philox_pi": "points"}[row["kernel"]]
    assert timed[0]["value"] is None, "a matrix is not one number"
    assert timed[5]["speedup"] == pytest.approx(timed[4]["warm_seconds"] / timed[5]["warm_seconds"])


def test_samples_of_several_processes_are_pooled() -> None:
    timed = rows("time", "relu", "philox_pi", "-b", "c", "-b", "numpy", "-b", "python", "-n", "10", "--processes", "2",
                 JITKERNELS_REQUIRE="")  # fmt: skip
    assert [(row["kernel"], row["backend"], row["warm_samples"]) for row in timed] == [
        ("relu", "c", 20), ("relu", "numpy", 20), ("relu", "python", None),
        ("philox_pi", "c", 20), ("philox_pi", "numpy", 20), ("philox_pi", "python", 20),
    ]  # fmt: skip


def test_the_mean_speed_up_is_shown_when_several_cells_have_one() -> None:
    shown = jitkernels("time", "relu", "philox_pi", "-b", "jax_eager", "-b", "jax", "-n", "10").stdout
    assert "speed-up over the framework's own eager mode" in shown
    assert "geometric mean" in shown


def test_a_size_past_memory_is_a_row_with_the_bytes() -> None:
    (row,) = rows("time", "relu", "-b", "numpy", "-n", "1e6", JITKERNELS_REQUIRE="")
    assert row["status"] == "unavailable"
    assert row["reason"].startswith("1000000 rows need at least 2.4e+05 GB of memory, and ")


def test_tables_say_on_what_they_were_measured() -> None:
    answer = jitkernels("time", "philox_pi", "-b", "c")
    assert answer.returncode == 0
    assert "on " in answer.stdout.splitlines()[-1]
    assert answer.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["time", "philox_pi", "-n", "0"], "points must be a whole number from 1 to 1099511627776, got 0"),
        (["time", "philox_pi", "-n", "-1"], "got -1"),
        (["time", "philox_pi", "-n", "1.5"], "got '1.5'"),
        (["time", "philox_pi", "-n", "many"], "got 'many'"),
        (["time", "philox_pi", "-n", "nan"], "got 'nan'"),
        (["time", "philox_pi", "-n", "1e999999999"], "got '1e999999999'"),
        (["time", "philox_pi", "-n", "1099511627777"], "got 1099511627777"),
        (["check", "philox_pi", "--seed", "-1"], "seed must be a whole number from 0 to 18446744073709551615, got -1"),
        (["check", "philox_pi", "--seed", "18446744073709551616"], "got 18446744073709551616"),
        (["check", "philox_pi", "--seed", "0.5"], "got '0.5'"),
        (["time", "pie"], "unknown kernel 'pie'; known: "),
        (["time", "philox_pi", "pie"], "unknown kernel 'pie'"),
        (["check", "pie"], "unknown kernel 'pie'"),
        (["time", "philox_pi", "-b", "gcc"], "unknown backend 'gcc'; known: python, numpy, c"),
        (["show", "philox_pi", "gcc"], "unknown backend 'gcc'"),
        (["show", "philox_pi", "c", "jaxpr"], "c has no stage 'jaxpr'; known: assembly"),
        (["patterns", "pie"], "unknown kernel 'pie'"),
        (["patterns", "dense"], "dense has one spelling and no call patterns; those that have: repeated_multiply"),
        (["patterns", "square_or_cube", "-s", "hasty"], "square_or_cube has no spelling 'hasty'; known: run, naive"),
        (["patterns", "-b", "gcc"], "unknown backend 'gcc'"),
        (["time", "relu", "--processes", "0"], "processes must be a whole number from 1 to 100, got 0"),
        (["time"], "the following arguments are required: KERNEL"),
        (["rank"], "invalid choice: 'rank'"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_2(arguments: list[str], complaint: str) -> None:
    answer = jitkernels(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert complaint in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_an_unknown_device_is_a_usage_error() -> None:
    answer = jitkernels("list", JITKERNELS_DEVICE="tpu")
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert "unknown device 'tpu' in JITKERNELS_DEVICE; known: cpu, gpu" in answer.stderr


@pytest.mark.parametrize("command", [[], ["list"], ["check"], ["time"], ["show"], ["patterns"]])
def test_every_command_has_help(command: list[str]) -> None:
    answer = jitkernels(*command, "--help")
    assert answer.returncode == 0
    assert answer.stdout.startswith("usage: jitkernels")


def package(directory: Path, name: str, source: str) -> str:
    (directory / f"{name}.py").write_text(textwrap.dedent(source))
    return f"{directory}{os.pathsep}{Path(__file__).parents[2]}"


def test_a_framework_that_is_installed_but_broken_fails_loudly(tmp_path: Path) -> None:
    path = package(tmp_path, "numpy", "raise ImportError('libopenblas.so: wrong ELF class')")
    answer = jitkernels("check", "monte_carlo_pi", "-b", "numpy", "-b", "python", "--json", PYTHONPATH=path)
    broken, fine = json.loads(answer.stdout)
    assert answer.returncode == 1
    assert (broken["status"], broken["value"]) == ("failed", None)
    assert broken["reason"] == "ImportError: libopenblas.so: wrong ELF class"
    assert fine["status"] == "ok"


FRAGILE = """
    import jitkernels.kernels.monte_carlo_pi.python as dialect, os
    right = dialect.run
    dialect.run = lambda points, seed: os.abort() if points == 20 else right(points, seed)
"""


def test_what_comes_after_a_cell_that_kills_its_process_is_measured(tmp_path: Path) -> None:
    path = package(tmp_path, "sitecustomize", FRAGILE)
    sizes = [word for size in (10, 20, 30) for word in ("-n", str(size))]
    answer = jitkernels("check", "monte_carlo_pi", "-b", "python", *sizes, "--json", PYTHONPATH=path)
    assert answer.returncode == 1
    assert [(row["size"], row["status"]) for row in json.loads(answer.stdout)] == [
        (10, "ok"), (20, "failed"), (30, "ok"),
    ]  # fmt: skip
    assert json.loads(answer.stdout)[1]["reason"] == "its process ended with exit status -6"


def test_a_framework_that_kills_its_process_is_a_row(tmp_path: Path) -> None:
    path = package(tmp_path, "numpy", "import os; os.abort()")
    answer = jitkernels("time", "monte_carlo_pi", "-b", "numpy", "-n", "10", "-n", "20", "--json", PYTHONPATH=path)
    assert answer.returncode == 1
    assert [(row["size"], row["status"], row["warm_seconds"]) for row in json.loads(answer.stdout)] == [
        (10, "failed", None), (20, "failed", None),
    ]  # fmt: skip


WRONG = """
    import jitkernels.kernels.philox_pi.python as dialect
    dialect.run = lambda points, seed: 7
"""


def test_a_wrong_answer_is_never_timed(tmp_path: Path) -> None:
    path = package(tmp_path, "sitecustomize", WRONG)
    answer = jitkernels("time", "philox_pi", "-b", "python", "-n", "1000", "--json", PYTHONPATH=path)
    (row,) = json.loads(answer.stdout)
    assert answer.returncode == 1
    assert (row["status"], row["warm_seconds"], row["value"]) == ("wrong", None, None)
    assert row["reason"] == "7 hits, not 782 (1000 points, seed 42)"


HIDDEN = """
    import importlib.util
    find = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name == "numba" else find(name, *rest)
"""


def test_a_missing_framework_is_a_reason_unless_it_is_required(tmp_path: Path) -> None:
    path = package(tmp_path, "sitecustomize", HIDDEN)
    (row,) = rows("check", "philox_pi", "-b", "numba", PYTHONPATH=path, JITKERNELS_REQUIRE="")
    assert row["status"] == "unavailable"
    assert row["reason"] == "numba is not installed: pip install 'jitkernels[numba]'"
    required = jitkernels("check", "philox_pi", "-b", "numba", PYTHONPATH=path, JITKERNELS_REQUIRE="jax,numba")
    assert required.returncode == 1


def test_a_kernel_that_is_not_written_for_a_backend_cannot_be_required() -> None:
    (row,) = rows("check", "relu", "-b", "python", JITKERNELS_REQUIRE="python")
    assert row["status"] == "unavailable"
    assert row["reason"].startswith("a matrix is no value of plain Python")


@pytest.mark.parametrize(
    ("backend", "variable", "reason"),
    [
        ("c", "CC", "there is no C compiler: install gcc or clang, or name one in CC"),
        ("torch_inductor", "CXX", "there is no C++ compiler: install g++, or name one in CXX"),
    ],
)
def test_no_compiler_is_a_reason(backend: str, variable: str, reason: str) -> None:
    environment = {variable: "no-such-compiler", "JITKERNELS_REQUIRE": ""}
    (row,) = rows("check", "philox_pi", "-b", backend, **environment)
    assert (row["status"], row["reason"]) == ("unavailable", reason)


def without(tool: str, directory: Path) -> str:
    """Where a Triton is found that has lost one of NVIDIA's programs: the installed one's files but for that, and for its
    builds for other GPUs."""
    spec = importlib.util.find_spec("triton")
    if spec is None or spec.origin is None:
        raise Unavailable("triton is not installed")
    installed = Path(spec.origin).parent
    programs = installed / "backends" / "nvidia" / "bin"
    for kept in (installed, *reversed(programs.relative_to(installed).parents[:-1]), programs):
        kept = installed / kept
        copy = directory / "triton" / kept.relative_to(installed)
        copy.mkdir(parents=True, exist_ok=True)
        for file in kept.iterdir():
            if not (kept == programs and file.name.startswith(tool)) and not programs.is_relative_to(file):
                (copy / file.name).symlink_to(file)
    return str(directory)


@pytest.mark.parametrize("backend", ["triton"])
@pytest.mark.parametrize("tool", ["ptxas", "cuobjdump"])
def test_a_program_that_triton_misses_is_a_reason(tool: str, backend: str, tmp_path: Path) -> None:
    answer = jitkernels("show", "relu", backend, "ptx", PYTHONPATH=without(tool, tmp_path))
    assert answer.returncode == 1
    reason = rf"there is no {tool}\S*: it comes with Triton; .* in TRITON_{tool.upper()}\w*_PATH"
    assert re.fullmatch(rf"jitkernels: relu on triton: unavailable: {reason}\n", answer.stderr)


@pytest.mark.parametrize("directory", ["/proc/jitkernels", "/dev/null/jitkernels"])
def test_a_cache_that_cannot_be_written_is_replaced_with_a_warning(directory: str) -> None:
    answer = jitkernels("check", "philox_pi", "-b", "c", "--json", JITKERNELS_CACHE_DIR=directory)
    assert answer.returncode == 0
    assert answer.stderr.count("\n") == 1
    assert f"cannot write {directory}" in answer.stderr


def test_what_a_kernel_prints_is_not_among_the_json(tmp_path: Path) -> None:
    path = package(tmp_path, "sitecustomize", "import atexit; atexit.register(print, 'noise')")
    answer = jitkernels("check", "philox_pi", "-b", "python", "-n", "10", "--json", PYTHONPATH=path)
    json.loads(answer.stdout.removesuffix("noise\n"))


def test_show_prints_the_artifact_alone_on_standard_output() -> None:
    answer = jitkernels("show", "philox_pi", "c", "assembly")
    assert answer.returncode == 0
    assert "\t.globl\trun" in answer.stdout
    assert '"instructions":' in answer.stderr


def test_show_says_where_there_is_no_compiler() -> None:
    answer = jitkernels("show", "philox_pi", "numpy")
    assert answer.returncode == 1
    assert answer.stderr == "jitkernels: numpy compiles nothing, so there is nothing to show\n"


def test_ctrl_c_ends_without_a_traceback_and_leaves_nothing_running() -> None:
    command = [*COMMAND, "time", "monte_carlo_pi", "-b", "python", "-n", "1e10"]
    process = subprocess.Popen(heeding_ctrl_c(command), stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(1.5)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_bar_shows_on_a_terminal_and_nowhere_else() -> None:
    terminal, other = pty.openpty()
    subprocess.run([*COMMAND, "check", "-b", "python", "--json"], stdout=subprocess.PIPE, stderr=other, check=True)
    os.close(other)
    assert "measuring" in os.read(terminal, 100_000).decode()
    os.close(terminal)
    assert jitkernels("check", "-b", "python").stderr == ""


def test_brackets_in_a_reason_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    reason = "numba is not installed: pip install 'jitkernels[numba]' [/red]"
    for table in tables.listing([{"kernel": "relu", "backend": "numba", "available": False, "reason": reason}]):
        tables.show(table)
    assert reason in capsys.readouterr().out
