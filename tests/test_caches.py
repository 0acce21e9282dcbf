"""Disk caches: a user's own are left alone, and one that cannot be written is named in one line."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitkernels import caches, prepare, timing

KEPT = {  # by backend: the variable that names its directory
    "c": caches.ROOT,
    "numba": "NUMBA_CACHE_DIR",
    "jax": "JAX_COMPILATION_CACHE_DIR",
    "tensorflow_xla": "TF_XLA_FLAGS",
    "torch_inductor": "TORCHINDUCTOR_CACHE_DIR",
    "triton": "TRITON_CACHE_DIR",
}
FULL = Path("/dev/full")  # every write to it fails as on a full disk


def files(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.parametrize("backend", KEPT)
def test_cold_and_cached_calls_leave_the_user_s_caches_as_they_are(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare("square_or_cube", backend, 10)  # or skip
    for variable in ("HOME", "XDG_CACHE_HOME", "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", *KEPT.values()):
        directory = tmp_path / variable
        directory.mkdir()
        (directory / "canary").write_text("alive")
        monkeypatch.setenv(variable, str(directory))
    monkeypatch.setenv("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")  # as a user has it who keeps everything
    monkeypatch.setenv("TF_XLA_FLAGS", f"--tf_xla_persistent_cache_directory={tmp_path / 'TF_XLA_FLAGS'}")
    monkeypatch.setattr("jitkernels.lives.PROCESSES", 1)
    before = files(tmp_path)
    asked = timing.Request((("square_or_cube", 10),), (backend,), 42, cold=True, cached=True)
    (row,) = timing.rows(asked)
    assert row["status"] == "ok", row["reason"]
    assert (row["cold_programs"], row["cached_programs"]) == ((0, 0) if row["interpreted"] else (1, 0))
    assert files(tmp_path) == before


def test_a_canary_can_die(tmp_path: Path) -> None:
    """Without the library's own directories, a program does end in the user's."""
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop(caches.ROOT, None)
    script = "from jitkernels import prepare; prepare('square_or_cube', 'c', 10).check()"
    prepare("square_or_cube", "c", 10)
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert any(name.endswith(".so") for name in files(tmp_path))


@pytest.mark.parametrize("backend", ["tensorflow_xla", "torch_inductor"])
def test_a_file_in_the_directory_s_place_is_named_in_one_line(backend: str, tmp_path: Path) -> None:
    prepare("square_or_cube", backend, 10)
    place = tmp_path / "occupied"
    place.write_text("")
    flags = f"--tf_xla_persistent_cache_directory={place}"
    environment = {**os.environ, KEPT[backend]: flags if KEPT[backend] == "TF_XLA_FLAGS" else str(place)}
    command = [sys.executable, "-m", "jitkernels", "check", "square_or_cube", "-b", backend, "--json"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    (row,) = json.loads(answer.stdout)
    assert answer.returncode == 1
    assert row["status"] == "failed"
    assert row["reason"] == f"cannot write {place} (File exists), which {KEPT[backend]} names"
    assert "Traceback" not in answer.stderr


def test_usable_directories_have_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in caches.variables(tmp_path, persistent=True).items():
        monkeypatch.setenv(variable, value)
    assert caches.unusable() is None


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: FULL.open("wb"))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    for variable in ("TORCHINDUCTOR_CACHE_DIR", caches.ROOT):
        monkeypatch.delenv(variable, raising=False)
    assert caches.unusable() == f"cannot write {tmp_path} (No space left on device), which TRITON_CACHE_DIR names"


def test_flags_of_the_user_s_stay_and_his_directory_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_XLA_FLAGS", "--tf_xla_auto_jit=1 --tf_xla_persistent_cache_directory=/mine")
    assert caches.variables(tmp_path)["TF_XLA_FLAGS"] == "--tf_xla_auto_jit=1"
    kept = caches.variables(tmp_path, persistent=True)["TF_XLA_FLAGS"].split()
    assert kept == ["--tf_xla_auto_jit=1", f"--tf_xla_persistent_cache_directory={tmp_path / 'tensorflow'}"]


def test_what_fails_inside_triton_s_compiler_is_one_line() -> None:
    case = prepare("relu", "triton", 10)
    other = dataclasses.replace(case.source, kernel="no_such_kernel")
    with pytest.raises(RuntimeError, match=r"^Triton failed on \S+: ModuleNotFoundError: .*no_such_kernel'$"):
        case.compiler.stages(other, "jit", "cpu", ())


def test_what_the_c_compiler_finds_is_one_line(tmp_path: Path) -> None:
    case = prepare("relu", "c", 10)
    broken = tmp_path / "c.c"
    broken.write_text("float run(float x) { return y; }")
    with pytest.raises(RuntimeError, match=r"^\S+ failed: .*error: .y. undeclared.*$") as raised:
        case.compiler.stages(dataclasses.replace(case.source, path=broken), "native", "cpu", ())
    assert "\n" not in str(raised.value)
