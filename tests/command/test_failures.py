"""Frameworks that are missing, broken or wrong become rows with a reason, and an exit code."""

import errno
import functools
import importlib.util
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from shell import ROOT, jitkernels, package, rows

from jitkernels import Unavailable, __main__, kernels
from jitkernels.availability import unavailable
from jitkernels.backends.table import BACKENDS
from jitkernels.measure import process


def test_a_framework_that_is_installed_but_broken_fails_loudly(tmp_path: Path) -> None:
    path = package(tmp_path, "numpy", "raise ImportError('libopenblas.so: wrong ELF class')")
    answer = jitkernels("check", "monte_carlo_pi", "-b", "numpy", "-b", "python", "--json", PYTHONPATH=path)
    broken, fine = json.loads(answer.stdout)
    assert answer.returncode == 1
    assert (broken["status"], broken["value"]) == ("failed", None)
    assert broken["reason"] == "ImportError: libopenblas.so: wrong ELF class"
    assert fine["status"] == "ok"


def test_a_child_searches_the_working_directory_only_if_this_process_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``python -m`` searches there, the console script does not."""
    (tmp_path / "numpy.py").write_text("raise ImportError('a file of the user')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    case = {"kernel": "monte_carlo_pi", "backend": "numpy", "size": 10, "seed": 42}
    elsewhere = [entry for entry in sys.path if entry]
    for path, status in ((elsewhere, "ok"), (["", *elsewhere], "failed")):
        monkeypatch.setattr(sys, "path", path)
        assert process.ask_once("tasks.check", case)["status"] == status
    (tmp_path / "deleted").mkdir()
    monkeypatch.chdir(tmp_path / "deleted")
    (tmp_path / "deleted").rmdir()
    assert process.ask_once("tasks.check", case)["status"] == "ok"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_no_room_for_a_file_is_one_line(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def list_cases(options: Any) -> int:
        raise OSError(number, "No room", "a/file")

    monkeypatch.setattr("jitkernels.command.commands.list_cases", list_cases)
    monkeypatch.setattr(__main__, "_discard_output", lambda: None)  # it redirects the test's own output
    assert __main__.main(["list"]) == 1
    assert capsys.readouterr().err == "jitkernels: cannot write a/file: No room\n"


@pytest.mark.parametrize("command", ["time philox_pi -b python -n 10", "aot relu -b c"])
def test_no_temporary_directory_is_one_line(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere"])
    assert __main__.main(command.split()) == 1
    assert capsys.readouterr().err == "jitkernels: No usable temporary directory found in ['/nowhere']\n"


FRAGILE = """
    import jitkernels.kernels.monte_carlo_pi.python as dialect, os
    right = dialect.run
    dialect.run = lambda points, seed: os.abort() if points == 20 else right(points, seed)
"""


def test_what_comes_after_a_case_that_kills_its_process_is_measured(tmp_path: Path) -> None:
    path = package(tmp_path, "sitecustomize", FRAGILE)
    sizes = [word for size in (10, 20, 30) for word in ("-n", str(size))]
    answer = jitkernels("check", "monte_carlo_pi", "-b", "python", *sizes, "--json", PYTHONPATH=path)
    assert answer.returncode == 1
    assert [(row["size"], row["status"]) for row in json.loads(answer.stdout)] == [
        (10, "ok"), (20, "failed"), (30, "ok"),
    ]  # fmt: skip
    assert json.loads(answer.stdout)[1]["reason"] == "its process ended with exit status -6: SIGABRT"


def test_a_framework_that_kills_its_process_is_a_row(tmp_path: Path) -> None:
    path = package(tmp_path, "numpy", "import os; os.abort()")
    answer = jitkernels("time", "monte_carlo_pi", "-b", "numpy", "-n", "10", "-n", "20", "--json", PYTHONPATH=path)
    assert answer.returncode == 1
    assert [(row["size"], row["status"], row["warm_seconds"]) for row in json.loads(answer.stdout)] == [
        (10, "failed", None), (20, "failed", None),
    ]  # fmt: skip


def test_a_process_that_dies_before_it_has_read_its_request_has_an_exit_status() -> None:
    request = {"task": "tasks.check", "calls": [{"kernel": "relu"}] * 100_000}  # more than a pipe holds
    assert process.Started(request, {}, python="/bin/false").end(60) == 1


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
    (row,) = rows("time", "philox_pi", "-b", "numba", PYTHONPATH=path, JITKERNELS_REQUIRE="")
    assert row["status"] == "unavailable"
    assert row["reason"] == "numba is not installed: pip install 'jitkernels[numba]'"
    required = jitkernels("time", "philox_pi", "-b", "numba", PYTHONPATH=path, JITKERNELS_REQUIRE="jax,numba")
    assert required.returncode == 1
    named = jitkernels("check", "philox_pi", "-b", "numba", PYTHONPATH=path, JITKERNELS_REQUIRE="")
    assert named.returncode == 1, "who names a backend wants it checked"
    answer, line = named.stdout.splitlines()
    assert (answer, line) == ("nothing was checked; 1 case cannot run here", f"not here: numba ({row['reason']})")


def test_a_kernel_that_is_not_written_for_a_backend_cannot_be_required() -> None:
    row, _ = rows("check", "relu", "-b", "python", "-b", "numpy", JITKERNELS_REQUIRE="python")
    assert row["status"] == "unavailable"
    assert row["reason"].startswith("plain Python has no matrices")


@pytest.mark.parametrize(
    ("backend", "variable", "reason"),
    [
        ("c", "CC", "CC names 'no-such-compiler', which is no program: install gcc or clang, or name one in CC"),
        ("torch_inductor", "CXX", "CXX names 'no-such-compiler', which is no program: install g++, or name one in CXX"),
    ],
)
def test_no_compiler_is_a_reason(backend: str, variable: str, reason: str) -> None:
    if here := unavailable(kernels.load("philox_pi"), BACKENDS[backend], "cpu"):
        raise Unavailable(here)
    environment = {variable: "no-such-compiler", "JITKERNELS_REQUIRE": ""}
    (row,) = rows("time", "philox_pi", "-b", backend, **environment)
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


NO_VERSION = "does not work (it cannot tell its version): install gcc or clang, or name one in CC"


@pytest.mark.parametrize("command", ["check relu -b c", "time relu -b c", "show relu c", "aot relu -b c"])
def test_a_c_compiler_that_does_not_run_is_one_line(command: str) -> None:
    is_show, is_check = command.startswith("show"), command.startswith("check")
    arguments = [*command.split(), *([] if is_show else ["--json"])]
    answer = jitkernels(*arguments, CC="/bin/false", JITKERNELS_REQUIRE="")
    reason = f"the C compiler /bin/false {NO_VERSION}"
    assert answer.returncode == (1 if is_show or is_check else 0)
    assert answer.stderr.count("\n") == 1, "one line for the step, or for the reason"
    if is_show:
        assert answer.stderr == f"jitkernels: relu on c: unavailable: {reason}\n"
    else:
        assert [(row["status"], row["reason"]) for row in json.loads(answer.stdout)] == [("unavailable", reason)]
        assert jitkernels(*arguments, CC="/bin/false", JITKERNELS_REQUIRE="c").returncode == 1


def test_a_broken_c_compiler_does_not_disturb_the_list() -> None:
    answer = jitkernels("list", "--json", CC="/bin/false")
    assert (answer.returncode, answer.stderr) == (0, "")


def test_what_a_kernel_prints_is_not_among_the_json(tmp_path: Path) -> None:
    path = package(tmp_path, "sitecustomize", PRINTING)
    answer = jitkernels("check", "philox_pi", "-b", "python", "-n", "10", "--json", PYTHONPATH=path)
    (row,) = json.loads(answer.stdout)
    assert row["status"] == "ok"
    assert "noise" in answer.stderr


PRINTING = """
    import jitkernels.kernels.philox_pi.python as dialect
    right = dialect.run
    dialect.run = lambda points, seed: print("noise") or right(points, seed)
"""


def test_of_what_a_quiet_process_wrote_before_it_died_the_end_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = """
        import os, sys
        if any("jitkernels.measure.process" in word for word in sys.orig_argv):
            os.write(2, b"a line\\n" * 1000 + b"cut off: \\xe2\\x96")  # in the middle of a letter
            os._exit(3)
    """
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "sitecustomize", program))
    case = {"kernel": "relu", "backend": "numpy", "size": 10, "seed": 42}
    answer = process.ask_once("tasks.check", case, start=functools.partial(process.Started, is_quiet=True))
    assert (answer["status"], "exit status 3" in answer["reason"]) == ("failed", True)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == process.SHOWN and lines[-1].startswith("cut off: ")
