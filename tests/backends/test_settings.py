"""Environment variables that change a framework's programs or their speed stand in a row beside the versions."""

import json
import os
import platform
import subprocess
import sys

import pytest

from history.store.lines import conditions, note_settings
from jitkernels.backends import table

SET = {
    "JAX_ENABLE_COMPILATION_CACHE": "true",  # of a disk cache
    "NUMBA_CACHE_DIR": "/somewhere",  # too
    "NUMBA_NUM_THREADS": "1",  # a row has `threads`
    "NUMBA_OPT": "1",
    "OPENBLAS_CORETYPE": "Nehalem",
    "TF_CLI_CONFIG_FILE": "terraform.rc",  # not TensorFlow's
    "TF_XLA_FLAGS": "--tf_xla_persistent_cache_directory='a b' --tf_xla_auto_jit=2",
    "TORCHINDUCTOR_FREEZING": "",
    "XLA_FLAGS": "--xla_cpu_enable_fast_math=true",
}


@pytest.fixture
def only_these(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(table.LIBRARIES)]:
        monkeypatch.delenv(name)
    for name, value in SET.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("framework", "names"),
    [
        (table.PYTHON, []),
        (table.NUMPY, ["OPENBLAS_CORETYPE"]),
        (table.NUMBA, ["NUMBA_OPT", "OPENBLAS_CORETYPE"]),
        (table.JAX, ["OPENBLAS_CORETYPE", "XLA_FLAGS"]),
        (table.TENSORFLOW, ["OPENBLAS_CORETYPE", "TF_XLA_FLAGS", "XLA_FLAGS"]),
    ],
)
def test_a_framework_s_own_are_named(only_these: None, framework: table.Framework, names: list[str]) -> None:
    assert [name for name in table.settings_of([framework]) if name in SET] == names


def test_directories_of_another_framework_s_cache_are_no_settings(only_these: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", "/tmp/one")
    assert "TRITON_CACHE_DIR" not in table.settings_of([table.TORCH])


def test_all_stand_in_a_line_of_the_record_without_directories_of_caches(only_these: None) -> None:
    settings = conditions("3.11.7", {})["settings"]
    assert settings["TF_XLA_FLAGS"] == "--tf_xla_auto_jit=2"
    assert {name for name in settings if name in SET} == {"NUMBA_OPT", "OPENBLAS_CORETYPE", "TF_XLA_FLAGS", "XLA_FLAGS"}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the variable names a processor of x86-64")
def test_a_row_of_numpy_names_the_variable_and_what_openblas_chose() -> None:
    command = [sys.executable, "-m", "jitkernels", "check", "dense_relu", "-b", "numpy", "--json"]
    answer = subprocess.run(command, env={**os.environ, "OPENBLAS_CORETYPE": "Nehalem"}, capture_output=True, check=True)
    (row,) = json.loads(answer.stdout)
    assert "OPENBLAS_CORETYPE Nehalem" in row["version"]
    assert any(part.startswith("openblas ") and part.endswith(" Nehalem") for part in row["version"].split(", "))


def test_a_command_that_measures_names_them_first(only_these: None, capsys: pytest.CaptureFixture[str]) -> None:
    note_settings()
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("note: these variables change what is measured: ")
    assert "NUMBA_OPT=1, OPENBLAS_CORETYPE=Nehalem, " in line
