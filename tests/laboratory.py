"""A copy of this repository where real asv commands run, with NumPy as the only framework in its environment."""

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ASV = str(Path(sys.executable).with_name("asv"))
SMALL = r"_pi\.(Warm\.time_call|Accuracy\.track_).*'(python|numpy|c)', 1000\)"


def heeding_ctrl_c(command: list[str]) -> list[str]:
    """``command``, with SIGINT as it is in a terminal: a shell that put the tests in the background had it ignored."""
    shim = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    return [sys.executable, "-c", shim, *command]


class Laboratory:
    """Its ``path`` is a git repository with the branch main; nothing it does touches this one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        for name in listed.stdout.splitlines():
            if name.startswith("results/") or not (ROOT / name).exists():
                continue  # what was measured elsewhere is no part of a laboratory
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes((ROOT / name).read_bytes())
        self._shrink_environment()
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("Begin")
        self.asv("machine", "--yes")

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=laboratory", "-c", "user.email=laboratory@example.org"]
        answer = subprocess.run(["git", *identity, *arguments], cwd=self.path, capture_output=True, text=True, check=True)
        return answer.stdout.strip()

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")

    def change_library(self) -> str:
        """A commit that changes a comment of the library, so that it is built and measured anew."""
        with (self.path / "jitkernels" / "errors.py").open("a") as file:
            file.write("# another line\n")
        return self.commit("Change the library")

    def changed(self, base: str, file: str, old: str, new: str) -> str:
        """A commit on ``base`` in which a file says something else; the working tree stays as it was."""
        before = self.git("rev-parse", "--abbrev-ref", "HEAD")
        self.git("checkout", "--quiet", "--detach", base)
        try:
            path = self.path / file
            text = path.read_text()
            assert old in text, f"{file} has no {old!r}"
            path.write_text(text.replace(old, new, 1))
            return self.commit(f"Change {file}")
        finally:
            self.git("checkout", "--quiet", before)

    def gate(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run([sys.executable, "-m", "gate", *arguments], **environment)

    def judged(
        self, base: str, head: str, bench: str, *more: str, **environment: str
    ) -> tuple[int, dict[str, dict[str, Any]]]:
        """The gate's exit code, and its findings by cell."""
        answer = self.gate(base, head, "--bench", bench, "--json", "verdict.json", *more, **environment)
        file = self.path / "verdict.json"
        assert file.exists(), answer.stderr
        verdict = json.loads(file.read_text())
        file.unlink()
        assert verdict["exit_code"] == answer.returncode
        return answer.returncode, {finding["cell"]: finding for finding in verdict["findings"]}

    def asv(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run([ASV, *arguments], **environment)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.path, env={**os.environ, **environment}, capture_output=True, text=True, timeout=400
        )

    def results(self, commit: str) -> dict[str, Any]:
        """The commit's one file of results, as strict as asv writes it: NaN is its word for a skipped cell."""
        (file,) = (self.path / ".asv" / "results").glob(f"*/{commit[:8]}-*.json")

        def only_nan(token: str) -> float:
            assert token == "NaN", f"{token} in {file.name}"
            return float("nan")

        return json.loads(file.read_text(), parse_constant=only_nan)

    def values(self, commit: str, benchmark: str) -> dict[tuple[str, ...], float | None]:
        """One benchmark's results by parameters."""
        values, parameters, *_ = self.results(commit)["results"][benchmark]
        return dict(zip(itertools.product(*parameters), values, strict=True))

    def _shrink_environment(self) -> None:
        file = self.path / "asv.conf.json"
        text = file.read_text()
        for name in ("numba", "jax", "tensorflow-cpu", "torch", "triton"):
            text, found = re.subn(rf'^\s*"{name}": .*\n', "", text, flags=re.MULTILINE)
            assert found == 1, f"{name} is no line of asv.conf.json's matrix"
        file.write_text(text)
