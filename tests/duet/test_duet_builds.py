"""What is unpacked is the commit, or nothing is."""

import subprocess
import sys
from pathlib import Path

import pytest

from duet import SideError, builds
from duet.builds import unpack


def commit(repository: Path, **files: str) -> str:
    """The hash of a commit with a file ``kept.py``, and these: "-> target" is a symbolic link, 40 digits a submodule."""

    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "--quiet")
    (repository / "kept.py").write_text("kept = True\n")
    git("add", "kept.py")
    for name, text in files.items():
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            path.symlink_to(text.removeprefix("-> "))
        else:
            path.write_text(text)
        mode = f"160000,{text},{name}" if len(text) == 40 else ""
        git("update-index", "--add", *(["--cacheinfo", mode] if mode else [name]))
    git("commit", "--quiet", "--message", "Begin")
    return git("rev-parse", "HEAD")


@pytest.mark.parametrize(
    "files",
    [
        {},
        {".gitattributes": "*.py text\n"},
        {"notes.txt": "export-ignore"},
        {"docs/.gitattributes": "*.html export-subst\n", "docs/link.py": "-> ../kept.py"},
        {"jitkernels2/link.py": "-> ../kept.py", "tests/benchmarks/.gitattributes": "*.csv export-subst\n"},
    ],
)
def test_a_commit_is_unpacked_whole(files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    unpack(tmp_path / "repository", commit(tmp_path / "repository", **files), tmp_path / "unpacked")
    unpacked = (path for path in (tmp_path / "unpacked").rglob("*") if not path.is_dir())
    assert {str(path.relative_to(tmp_path / "unpacked")) for path in unpacked} == {"kept.py", *files}


@pytest.mark.parametrize(
    "files",
    [
        {".gitattributes": "kept.py export-ignore\n"},
        {"jitkernels/.gitattributes": "*.py export-subst\n"},
        {"jitkernels/ä/.gitattributes": "*.py export-subst\n"},
        {".gitattributes": "-> kept.py export-ignore"},
        {"benchmarks/ä/.gitattributes": "-> *.py export-subst"},
        {"sub": "1" * 40},
        {"jitkernels/ä": "1" * 40},
        {"kernel.py": "-> docs/kernel.py"},
        {"jitkernels": "-> docs"},
        {"benchmarks/ä/kernel.py": "-> ../kernel.py"},
    ],
)
def test_a_commit_whose_archive_may_differ_from_it_is_refused(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(SideError, match=r"cannot be unpacked as it is: (attributes|.* is a submodule or)"):
        unpack(tmp_path, commit(tmp_path, **files), tmp_path)


def test_a_link_out_of_the_tree_is_refused_wherever_it_is(tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    digits = commit(tmp_path / "repository", **{"docs/link.md": "-> ../../outside.md"})
    with pytest.raises(SideError, match=r"cannot be unpacked: .*docs/link\.md"):
        unpack(tmp_path / "repository", digits, tmp_path / "unpacked")


def test_a_build_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "head"
    source.mkdir()
    system = 'requires = []\nbuild-backend = "endless"\nbackend-path = ["."]\n'
    (source / "pyproject.toml").write_text(f"[build-system]\n{system}")
    (source / "endless.py").write_text("import time\n\ntime.sleep(1000)\n")
    monkeypatch.setattr(builds, "LONGEST_BUILD", 1.0)
    with pytest.raises(SideError, match=r"head cannot be built: .*TimeoutExpired"):
        builds.install(sys.executable, source, tmp_path / "library", tmp_path / "log.txt")
