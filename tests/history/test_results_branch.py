"""Results on a branch of their own: what is taken, what is added, and that nobody's are lost, with real repositories."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asv.config import Config

from history import results_branch

ROOT = Path(__file__).parents[2]
SCRIPT = str(ROOT / "history" / "results_branch.py")


class Clone:
    """A clone of ``origin`` with results of its own."""

    def __init__(self, path: Path, origin: Path) -> None:
        self.path = path
        subprocess.run(["git", "clone", "--quiet", str(origin), str(path)], check=True, capture_output=True)

    def git(self, *arguments: str) -> str:
        answer = subprocess.run(["git", *arguments], cwd=self.path, capture_output=True, text=True, check=True)
        return answer.stdout.strip()

    def results(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.path, capture_output=True, text=True)

    def done(self, *arguments: str) -> str:
        answer = self.results(*arguments)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    def write(self, name: str, text: str = "{}") -> None:
        path = self.path / ".asv" / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self) -> dict[str, str]:
        """What lies in asv's directory of results."""
        top = self.path / ".asv" / "results"
        return {path.relative_to(top).as_posix(): path.read_text() for path in top.rglob("*") if path.is_file()}

    def kept(self) -> list[str]:
        """What the branch holds at origin."""
        self.git("fetch", "--quiet", "origin")
        return self.git("ls-tree", "-r", "--name-only", "origin/results").splitlines()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    path = tmp_path / "origin"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch", "main", str(path)], check=True)
    first = Clone(tmp_path / "first", path)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    first.git(*identity, "commit", "--quiet", "--allow-empty", "--message", "Begin")
    first.git("push", "--quiet", "origin", "HEAD:main")
    return path


@pytest.fixture
def one(origin: Path, tmp_path: Path) -> Clone:
    return Clone(tmp_path / "one", origin)


@pytest.fixture
def other(origin: Path, tmp_path: Path) -> Clone:
    return Clone(tmp_path / "other", origin)


def test_the_directory_is_asv_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert Path(Config.load("asv.conf.json").results_dir) == results_branch.RESULTS


def test_a_directory_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        results_branch.main(["add", str(tmp_path / "nowhere")])
    assert "there is no directory" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert results_branch.main(["leave", str(tmp_path / "file")]) == 1


def test_before_the_first_results_there_is_nothing_to_take(one: Clone) -> None:
    assert "no branch results yet" in one.done("take")
    assert one.read() == {}


def test_the_branch_begins_with_the_first_results_and_holds_nothing_else(one: Clone) -> None:
    one.write("a/machine.json")
    one.write("a/12345678-env.json")
    assert "2 files" in one.done("add")
    assert one.kept() == ["a/12345678-env.json", "a/machine.json"]
    assert one.git("log", "--format=%s %an %p", "origin/results") == "Add results of a results"
    assert one.git("status", "--porcelain", "--untracked-files=no") == "", "what is checked out stays as it was"


def test_what_one_adds_the_other_takes_and_has_nothing_new(one: Clone, other: Clone) -> None:
    one.write("a/12345678-env.json", '{"values": [NaN]}\n')
    one.done("add")
    assert "1 files are new" in other.done("take")
    assert other.read() == {"a/12345678-env.json": '{"values": [NaN]}\n'}
    assert "0 new files" in other.done("leave", "new")
    assert "has all of it" in other.done("add")
    assert "0 files are new" in other.done("take")


def test_only_what_is_new_or_changed_is_left_for_adding(one: Clone, other: Clone) -> None:
    one.write("a/1-env.json", "old")
    one.write("a/2-env.json", "old")
    one.done("add")
    other.done("take")
    other.write("a/2-env.json", "longer")
    other.write("b/drift.jsonl", "line")
    other.done("leave", "new")
    left = {path.relative_to(other.path / "new").as_posix() for path in (other.path / "new").rglob("*") if path.is_file()}
    assert left == {"a/2-env.json", "b/drift.jsonl"}
    other.done("add", "new")
    assert other.git("show", "origin/results:a/1-env.json") == "old"
    other.git("fetch", "--quiet")
    assert other.git("show", "origin/results:a/2-env.json") == "longer"


def line(day: int) -> str:
    return f'{{"at":"2026-01-0{day}"}}\n'


def test_what_was_measured_here_stays_beside_what_is_taken(one: Clone, other: Clone) -> None:
    one.write("a/duets.jsonl", line(1))
    one.write("a/2-env.json", "old")
    one.write("a/3-env.json", "old")
    one.done("add")
    other.done("take")
    other.write("a/duets.jsonl", line(1) + line(3))
    other.write("a/3-env.json", "anew")  # merged with "old", it would be "old"
    one.write("a/duets.jsonl", line(1) + line(2))
    one.write("a/2-env.json", "new")
    one.done("add")
    assert other.done("take").endswith("united with those here: a/duets.jsonl\n")
    united = line(1) + line(2) + line(3)
    assert other.read() == {"a/duets.jsonl": united, "a/2-env.json": "new", "a/3-env.json": "anew"}


def test_two_that_never_saw_each_other_lose_nothing_of_one_file(one: Clone, other: Clone) -> None:
    """Two hosted runners of one kind of processor measure at once; jobs of their own add what they left."""
    one.write("a/duets.jsonl", line(1) + line(3))
    other.write("a/duets.jsonl", line(1) + line(2))
    one.done("add")
    other.done("add")
    other.done("add")
    assert other.git("show", "origin/results:a/duets.jsonl") + "\n" == line(1) + line(2) + line(3)


def test_both_stay_where_two_add_at_once(one: Clone, other: Clone) -> None:
    for clone, name in ((one, "a"), (other, "b")):
        clone.done("take")
        clone.write(f"{name}/1-env.json", name)
    one.done("add")
    other.done("add")
    assert other.kept() == ["a/1-env.json", "b/1-env.json"]
    assert other.git("log", "--format=%s", "origin/results").splitlines() == ["Add results of b", "Add results of a"]


def test_who_is_second_at_the_door_goes_on_top(one: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one's push comes between this one's look at the branch and its own."""
    one.write("a/1-env.json")
    one.done("add")
    other.write("b/1-env.json")
    one.write("c/1-env.json")
    git, pushes = results_branch._git, []

    def interrupted(*arguments: str, **options: Any) -> str:
        if arguments[0] == "push":
            pushes.append(arguments)
            if len(pushes) == 1:
                one.done("add")
        return git(*arguments, **options)

    monkeypatch.setattr(results_branch, "_git", interrupted)
    monkeypatch.chdir(other.path)
    assert results_branch.main(["add"]) == 0
    assert len(pushes) == 2
    assert not any("force" in word or word.startswith("+") for push in pushes for word in push)
    assert other.kept() == ["a/1-env.json", "b/1-env.json", "c/1-env.json"]


def test_the_list_of_benchmarks_links_and_what_is_hidden_are_not_kept(one: Clone) -> None:
    for name in ("benchmarks.json", "a/1-env.json", "a/1-env.records.jsonl", "a/1-env.records.jsonl.part", "a/run.sh"):
        one.write(name)
    one.write(".github/workflows/evil.json")
    (one.path / ".asv" / "results" / "a" / "link.json").symlink_to("/etc/passwd")
    one.done("add")
    assert one.kept() == ["a/1-env.json", "a/1-env.records.jsonl"]


def test_what_git_cannot_do_is_said_in_one_line(one: Clone, origin: Path) -> None:
    one.write("a/1-env.json")
    hook = origin / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho no entry\nexit 1\n")
    hook.chmod(0o755)
    answer = one.results("add")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.startswith("git push: ") and len(answer.stderr.splitlines()) == 1
    one.git("remote", "remove", "origin")
    assert one.results("take").returncode == 1
