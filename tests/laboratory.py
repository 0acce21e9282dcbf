"""A copy of this repository where real asv commands run, with NumPy as the only framework in its environment.

It has only small sizes, because the first figure of a backend computes the figures of all sizes; and short warm-ups, because
no test of it needs a steady time.
"""

import contextlib
import fcntl
import fnmatch
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[1]
ASV = str(Path(sys.executable).with_name("asv"))
ENVIRONMENTS = Path(".asv", "env")
ALL_SIZES = "[1_000, 10_000, 100_000, 1_000_000, 10_000_000]"  # of the figures of accuracy
WARM_UP = "WARM_UP_SECONDS = 0.15"
SMALL = (
    r"^philox_pi\.(Warm\.time_call|Accuracy\.track_hits)\('(python|numpy|c)', 1000\)"
    r"|^monte_carlo_pi\.Warm\.time_call\('c', 1000\)"
)


def heeding_ctrl_c(command: list[str]) -> list[str]:
    """Return ``command`` with the default SIGINT: a shell that runs the tests in the background makes them ignore it."""
    shim = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    return [sys.executable, "-c", shim, *command]


def copy_repository(path: Path) -> None:
    """Copy this repository's files as they are now, committed or not, without the results that are stored in it."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if not name.startswith("results/") and (ROOT / name).exists():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes((ROOT / name).read_bytes())


def build_once(path: Path, build: Callable[[Path], object]) -> Path:
    """Build ``path`` in the first process that needs it, while the others wait, and return it."""
    complete = path.with_name(f"{path.name}.complete")
    with path.with_name(f"{path.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not complete.exists():
            shutil.rmtree(path, ignore_errors=True)  # the rest of a failed build
            build(path)
            complete.touch()
    return path


def install_once(directory: Path, install: Callable[..., None], python: str, source: Path, library: Path, log: Path) -> None:
    """Install as ``install`` (``duet.builds.install``) does, but build equal sources once, in ``directory``."""
    files = [source / "pyproject.toml", *sorted((source / "jitkernels").rglob("*.*"))]
    texts = (f"{file.relative_to(source)}\0{file.read_bytes().hex()}" for file in files)
    name = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    built = build_once(directory / f"library-{name}", lambda path: install(python, source, path, log))
    shutil.copytree(built, library, copy_function=os.link)


class Template:
    """A laboratory that tests can only copy, so no test sees another's changes. It is built once in a test run."""

    def __init__(self, path: Path, build: Callable[[Path], object]) -> None:
        self._path = build_once(path, build)

    def copy(self, path: Path, shares_environment: bool = False) -> "Laboratory":
        """Return a copy. Installed packages are hard links: pip and Python replace such files and never write into them.

        shares_environment: asv's environments are those of this template, for tests that install nothing into them.
        """

        def copy_file(source: str, target: str) -> object:
            return os.link(source, target) if "/site-packages/" in source else shutil.copy2(source, target)

        def left_out(directory: str, names: list[str]) -> list[str]:
            if shares_environment and Path(directory) == self._path / ENVIRONMENTS.parent:
                return [ENVIRONMENTS.name]
            return fnmatch.filter(names, "*.pyc.*")  # Python renames such a file as soon as it is written

        shutil.copytree(self._path, path, symlinks=True, ignore=left_out, copy_function=copy_file)
        if shares_environment:
            (path / ENVIRONMENTS).symlink_to(self._path / ENVIRONMENTS)
        return Laboratory(path)


class Laboratory:
    """A git repository at ``path`` with the branch main. Nothing in it changes this repository."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path) -> "Laboratory":
        """Return a new laboratory with one commit. asv builds its environment at the first run."""
        copy_repository(path)
        laboratory = cls(path)
        laboratory._shrink_environment()
        laboratory.rewrite("benchmarks/_suite/exact.py", ALL_SIZES, "[1_000, 10_000]")
        laboratory.rewrite("benchmarks/_suite/warm.py", WARM_UP, "WARM_UP_SECONDS = 0.02")
        laboratory.git("init", "--quiet", "--initial-branch", "main")
        laboratory.commit("Begin")
        laboratory.asv("machine", "--yes")
        return laboratory

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=laboratory", "-c", "user.email=laboratory@example.org"]
        answer = subprocess.run(["git", *identity, *arguments], cwd=self.path, capture_output=True, text=True, check=True)
        return answer.stdout.strip()

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")

    def change_library(self) -> str:
        """Commit a changed comment of the library, so that asv builds and measures the library again."""
        with (self.path / "jitkernels" / "errors.py").open("a") as file:
            file.write("# another line\n")
        return self.commit("Change the library")

    def changed(self, base: str, file: str, old: str, new: str) -> str:
        """Commit a change of a file on ``base``, and return to the current branch."""
        before = self.git("rev-parse", "--abbrev-ref", "HEAD")
        self.git("checkout", "--quiet", "--detach", base)
        try:
            self.rewrite(file, old, new)
            return self.commit(f"Change {file}")
        finally:
            self.git("checkout", "--quiet", before)

    def rewrite(self, file: str, old: str, new: str) -> None:
        """Replace the first ``old`` of a file by ``new``, without a commit."""
        path = self.path / file
        text = path.read_text()
        assert old in text, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new, 1))

    def gate(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the gate in this process, which has its imports already; return its exit code and output."""
        from gate import cli  # here: it imports SciPy

        output, errors = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.path), mock.patch.dict(os.environ, environment), warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"os\.fork", RuntimeWarning)  # asv forks, and JAX warns if it is installed
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                code = cli.main([*arguments])
        return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())

    def judged(
        self, base: str, head: str, bench: str, *more: str, **environment: str
    ) -> tuple[int, dict[str, dict[str, Any]]]:
        """Return the gate's exit code and findings by cell."""
        answer = self.gate(base, head, "--bench", bench, "--json", "verdict.json", *more, **environment)
        file = self.path / "verdict.json"
        assert file.exists(), answer.stderr
        verdict = json.loads(file.read_text())
        file.unlink()
        assert verdict["exit_code"] == answer.returncode
        return answer.returncode, {finding["cell"]: finding for finding in verdict["findings"]}

    def asv(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        installs = {"run", "continuous"}.intersection(arguments[:1])
        assert not (installs and (self.path / ENVIRONMENTS).is_symlink()), "asv would install into what other tests share"
        return self.run([ASV, *arguments], **environment)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.path, env={**os.environ, **environment}, capture_output=True, text=True)

    def results(self, commit: str) -> dict[str, Any]:
        """Return the commit's one file of results. It must be JSON, with NaN for a skipped cell."""
        (file,) = (self.path / ".asv" / "results").glob(f"*/{commit[:8]}-*.json")

        def only_nan(token: str) -> float:
            assert token == "NaN", f"{token} in {file.name}"
            return float("nan")

        return json.loads(file.read_text(), parse_constant=only_nan)

    def values(self, commit: str, benchmark: str) -> dict[tuple[str, ...], float | None]:
        """Return one benchmark's results by parameters."""
        values, parameters, *_ = self.results(commit)["results"][benchmark]
        return dict(zip(itertools.product(*parameters), values, strict=True))

    def _shrink_environment(self) -> None:
        file = self.path / "asv.conf.json"
        text = file.read_text()
        for name in ("numba", "jax", "tensorflow-cpu", "torch", "triton"):
            text, found = re.subn(rf'^\s*"{name}": .*\n', "", text, flags=re.MULTILINE)
            assert found == 1, f"{name} is no line of asv.conf.json's matrix"
        file.write_text(text)
