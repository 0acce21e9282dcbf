"""Which commits make history measures: names, ranges, merges, and what is not here."""

import subprocess
from pathlib import Path

import pytest

from history.commits.choose import commits, in_line, in_order, subject


def git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "protocol.file.allow=always"]
    return subprocess.run(
        ["git", *identity, *arguments], cwd=directory, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit(repository: Path, file: str, subject: str) -> str:
    path = repository / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(subject)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", subject)
    return git(repository, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "repository"
    path.mkdir()
    git(path, "init", "--quiet", "--initial-branch", "main")
    return path


def test_a_range_has_the_commits_that_change_the_library_oldest_first(repository: Path) -> None:
    first = commit(repository, "jitkernels/a.py", "one")
    second = commit(repository, "jitkernels/a.py", "two")
    commit(repository, "tests/a.py", "a test")
    third = commit(repository, "jitkernels/a.py", "three")
    assert commits(repository, f"{first}..main") == [second, third]
    assert commits(repository, f"main, {first[:8]}  {first}") == [first, third]
    assert subject(repository, third) == "three"


def test_a_merge_is_one_step_of_a_range(repository: Path) -> None:
    first = commit(repository, "jitkernels/a.py", "one")
    git(repository, "checkout", "--quiet", "-b", "side")
    beside = commit(repository, "jitkernels/b.py", "beside")
    git(repository, "checkout", "--quiet", "main")
    second = commit(repository, "jitkernels/a.py", "two")
    git(repository, "merge", "--quiet", "--no-edit", "side")
    merge = git(repository, "rev-parse", "HEAD")
    assert commits(repository, f"{first}..main") == [second, merge]
    assert commits(repository, f"{beside} {merge}") == [beside, merge], (
        "by its own name, a commit of a branch is measured too"
    )


def test_an_amended_commit_is_no_neighbour_of_its_later_form(repository: Path) -> None:
    parent, first = (commit(repository, "jitkernels/a.py", subject) for subject in ("parent", "first form"))
    git(repository, "commit", "--quiet", "--amend", "--message", "second form")
    second = git(repository, "rev-parse", "HEAD")
    child = commit(repository, "jitkernels/a.py", "child")
    measured = [child, second, first, parent, "f" * 40]
    assert in_line(repository, second, measured) == [parent, second, child]
    assert in_line(repository, first, measured) == [parent, first]
    assert in_line(repository, parent, measured)[0] == parent and len(in_line(repository, parent, measured)) == 4


def test_what_is_not_here_is_named_and_a_shallow_clone_says_what_helps(repository: Path, tmp_path: Path) -> None:
    first = commit(repository, "jitkernels/a.py", "one")
    commit(repository, "jitkernels/a.py", "two")
    with pytest.raises(ValueError, match="no commit 'nowhere' here"):
        commits(repository, "nowhere")
    with pytest.raises(ValueError, match=r"^no commit or range 'v1\.\.main' here$"):
        commits(repository, "v1..main")
    with pytest.raises(ValueError, match="',' names no commit"):
        commits(repository, ",")
    with pytest.raises(ValueError, match=r"no commit of main\.\.main changes jitkernels"):
        commits(repository, "main..main")
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    with pytest.raises(ValueError, match="git fetch --unshallow"):
        commits(tmp_path / "shallow", f"{first}..main")
    assert in_order(tmp_path / "shallow", [first]) == [], "a stored commit that a clone lacks has no place in it"
