"""Disk caches: a user's own are left alone, and one that cannot be written is named in one line."""

import dataclasses
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitkernels import prepare
from jitkernels.backends import caches
from jitkernels.backends.table import BACKENDS, FRAMEWORKS
from jitkernels.measure import lives, timing

KEPT = {  # by backend: the variable that names its directory
    "c": caches.ROOT,
    "numba": "NUMBA_CACHE_DIR",
    "jax": "JAX_COMPILATION_CACHE_DIR",
    "tensorflow_xla": "TF_XLA_FLAGS",
    "torch_inductor": "TORCHINDUCTOR_CACHE_DIR",
    "triton": "TRITON_CACHE_DIR",
}
KERNEL, SIZE = "square_or_cube", 10  # the smallest that every compiler has
ON_DISK = ("c", "numba", "jax", "tensorflow_xla", "torch_inductor")
FULL = Path("/dev/full")  # every write to it fails as on a full disk


def files(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture
def canaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home and caches, each with a file in it; his JAX and XLA keep everything."""
    place = tmp_path / "users"
    for variable in ("HOME", "XDG_CACHE_HOME", *KEPT.values()):
        (place / variable).mkdir(parents=True)
        (place / variable / "canary").write_text("alive")
        monkeypatch.setenv(variable, str(place / variable))
    monkeypatch.setenv("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)  # Keras writes a file at its import
    monkeypatch.setenv("TF_XLA_FLAGS", f"--tf_xla_persistent_cache_directory={place / 'TF_XLA_FLAGS'}")
    return place


COUNTS = f"""
import functools, importlib, json, os, sys
from jitkernels import prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.measure.process import fork


def count(also_forgets):
    case = prepare({KERNEL!r}, sys.argv[1], {SIZE})
    case.start()
    counts = []
    for step in (lambda: None, case.check, case.call, *([case.forget, case.check] if also_forgets else [])):
        step()
        counts.append([case.compiled(), case.compiler.from_disk()])
    print(json.dumps(counts), flush=True)


for module in (*BACKENDS[sys.argv[1]].framework.packages, *BACKENDS[sys.argv[1]].preload):
    importlib.import_module(module)
assert os.waitpid(fork(functools.partial(count, False)), 0)[1] == 0
count(True)
"""


def counted(backend: str, directory: Path) -> list[list[tuple[int, int]]]:
    """In two processes, one after the other, whose disk caches are below ``directory``: what the first call and the second
    compiled, and what they were given from disk; in the second process also what ``forget`` and a call after it did. The
    framework is imported once, and forked for the first process."""
    environment = {**os.environ, **caches.variables(directory, persistent=True)}
    answer = subprocess.run([sys.executable, "-c", COUNTS, backend], env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    processes = [json.loads(line) for line in answer.stdout.splitlines()]
    return [[(now[0] - then[0], now[1] - then[1]) for then, now in itertools.pairwise(counts)] for counts in processes]


@pytest.mark.parametrize("backend", ON_DISK)
def test_a_cold_call_compiles_a_cached_one_does_not_and_what_is_forgotten_comes_from_no_disk(
    backend: str, tmp_path: Path, canaries: Path
) -> None:
    prepare(KERNEL, backend, SIZE)  # or skip
    before = files(canaries)
    ours = tmp_path / ("the 'a' b" if backend == "tensorflow_xla" else "ours")  # XLA reads it out of flags with quotes
    (cold, warm), (cached, warm_too, _, again) = counted(backend, ours)
    assert (cold, warm) == ((1, 0), (0, 0))
    assert backend != "tensorflow_xla" or list((ours / "tensorflow").glob("*.pb"))
    assert (cached, warm_too, again) == ((0, 1), (0, 0), (1, 0))
    assert files(canaries) == before


@pytest.mark.usefixtures("lives_once")
@pytest.mark.parametrize(
    ("backend", "measured"),
    [("c", ("cold", "cached", "retrace", "memory")), ("jax", ("cold", "cached"))],  # the others redirect caches like cold
)
def test_all_that_time_measures_leaves_the_user_s_caches_as_they_are(
    backend: str, measured: tuple[str, ...], canaries: Path
) -> None:
    prepare(KERNEL, backend, SIZE)  # or skip
    before = files(canaries)
    request = timing.Request(((KERNEL, SIZE),), (backend,), 42, measured)
    (row,) = lives.steps(request)
    assert row["status"] == "ok", row["reason"]
    assert (row["cold_programs"], row["cached_programs"]) == (1, 0)
    assert files(canaries) == before


def test_a_canary_can_die(tmp_path: Path) -> None:
    """Without the library's own directories, a program does end in the user's."""
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop(caches.ROOT, None)
    script = "from jitkernels import prepare; prepare('square_or_cube', 'c', 10).check()"
    prepare("square_or_cube", "c", 10)
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert any(name.endswith(".so") for name in files(tmp_path))


def test_the_directory_may_be_the_present_one(tmp_path: Path) -> None:
    prepare("square_or_cube", "c", 10)
    script = "from jitkernels import prepare; prepare('square_or_cube', 'c', 10).check()"
    environment = {**os.environ, caches.ROOT: "."}
    subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path, check=True)
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
    assert [framework for framework in FRAMEWORKS if caches.unusable(framework)] == []


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: FULL.open("wb"))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    for cache in (cache for framework in FRAMEWORKS for cache in framework.caches):
        if cache.variable != "TRITON_CACHE_DIR":
            monkeypatch.delenv(cache.variable, raising=False)
    reason = f"cannot write {tmp_path} (No space left on device), which TRITON_CACHE_DIR names"
    reasons = {framework.dialect: caches.unusable(framework) for framework in FRAMEWORKS}
    assert {dialect: each for dialect, each in reasons.items() if each} == {"triton": reason}, "of its own compiler alone"


def test_a_user_without_a_home_has_the_directory_that_is_named_or_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv(caches.ROOT, str(tmp_path / "named"))
    assert caches.root() == tmp_path / "named"
    monkeypatch.setenv(caches.ROOT, "")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert caches.root().parent.parent == tmp_path


def test_flags_of_the_user_s_stay_and_his_directory_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_XLA_FLAGS", "--tf_xla_auto_jit=1 --tf_xla_persistent_cache_directory=/mine")
    assert caches.variables(tmp_path)["TF_XLA_FLAGS"] == "--tf_xla_auto_jit=1"
    kept = caches.variables(tmp_path, persistent=True)["TF_XLA_FLAGS"].split()
    assert kept == ["--tf_xla_auto_jit=1", f"--tf_xla_persistent_cache_directory={tmp_path / 'tensorflow'}"]


@pytest.mark.parametrize("name", ["a", "a b", "o'brien", 'the "a" b'])
def test_a_directory_may_have_spaces_and_quotes_in_its_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = r"--xla_dump_to='/a b' --re=.*\.b --tf_xla_persistent_cache_directory=/mine"
    monkeypatch.setenv("TF_XLA_FLAGS", own)
    monkeypatch.setenv("TF_XLA_FLAGS", caches.variables(tmp_path / name, persistent=True)["TF_XLA_FLAGS"])
    (cache,) = (each for each in caches.disk_caches() if each.flag)
    assert caches.directory_of(cache) == f"{tmp_path / name}/tensorflow"
    assert caches.variables(tmp_path)["TF_XLA_FLAGS"] == r"--xla_dump_to='/a b' --re=.*\.b"


FORGETS = """
import os, sys
from jitkernels.backends import caches
caches.forget()
child = os.fork()
if child:
    os.waitpid(child, 0)
    assert os.path.isdir(os.path.dirname(os.environ[caches.ROOT])), "a process that was forked took it along"
caches.forget()
print(os.environ[caches.ROOT], flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing forks there")
def test_only_what_was_made_is_removed_if_the_new_directory_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "unwritable", lambda directory, size=0: "No space left on device")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "another's").mkdir()
    with caches.restored():
        caches.forget()
        assert caches.root().is_dir()
    assert (tmp_path / "another's").is_dir()


def test_a_process_that_forgot_leaves_no_directory_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    answer = subprocess.run([sys.executable, "-c", FORGETS], env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    places = answer.stdout.split()
    assert len(set(places)) == 2 and all(place.startswith(f"{tmp_path}/jitkernels-") for place in places)
    assert list(tmp_path.glob("jitkernels-*")) == []


def test_what_fails_inside_triton_s_compiler_is_one_line() -> None:
    case = prepare("relu", "triton", 10)
    other = dataclasses.replace(case.source, kernel="no_such_kernel")
    with pytest.raises(RuntimeError, match=r"^Triton failed on \S+: ModuleNotFoundError: .*no_such_kernel'$"):
        case.compiler.stages(other, ())


def test_what_the_c_compiler_finds_is_one_line(tmp_path: Path) -> None:
    case = prepare("relu", "c", 10)
    before = case.compiler.programs()
    broken = tmp_path / "c.c"
    broken.write_text("float run(float x) { return y; }")
    with pytest.raises(RuntimeError, match=r"^\S+ failed: .*error: .y. undeclared.*$") as raised:
        case.compiler.stages(dataclasses.replace(case.source, path=broken), ())
    assert "\n" not in str(raised.value)
    assert case.compiler.programs() == before, "nothing was compiled"


def test_each_backend_that_keeps_programs_on_disk_is_tested() -> None:
    keeps = {BACKENDS[name].dialect for name in ON_DISK}
    assert keeps == {"c", "numba", "jax", "tensorflow", "torch"}
