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
        path.parent.mkdir(exist_ok=True)
        if text.startswith("-> "):
            path.symlink_to(text.removeprefix("-> "))
        else:
            path.write_text(text)
        mode = f"160000,{text},{name}" if len(text) == 40 else ""
        git("update-index", "--add", *(["--cacheinfo", mode] if mode else [name]))
    git("commit", "--quiet", "--message", "Begin")
    return git("rev-parse", "HEAD")


@pytest.mark.parametrize("files", [{}, {".gitattributes": "*.py text\n"}, {"notes.txt": "export-ignore"}])
def test_a_commit_is_unpacked_whole(files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    unpack(tmp_path / "repository", commit(tmp_path / "repository", **files), tmp_path / "unpacked")
    assert {path.name for path in (tmp_path / "unpacked").iterdir()} == {"kept.py", *files}


@pytest.mark.parametrize(
    "files",
    [
        {".gitattributes": "kept.py export-ignore\n"},
        {"ä/.gitattributes": "*.py export-subst\n"},
        {".gitattributes": "-> kept.py export-ignore"},
        {"ä/.gitattributes": "-> *.py export-subst"},
        {"sub": "1" * 40},
        {"kernel.py": "-> docs/kernel.py"},
    ],
)
def test_a_commit_whose_archive_may_differ_from_it_is_refused(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(SideError, match=r"cannot be unpacked as it is: it has submodules, symbolic links, or attributes"):
        unpack(tmp_path, commit(tmp_path, **files), tmp_path)


def test_a_build_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "head"
    source.mkdir()
    system = 'requires = []\nbuild-backend = "endless"\nbackend-path = ["."]\n'
    (source / "pyproject.toml").write_text(f"[build-system]\n{system}")
    (source / "endless.py").write_text("import time\n\ntime.sleep(1000)\n")
    monkeypatch.setattr(builds, "LONGEST_BUILD", 1.0)
    with pytest.raises(SideError, match=r"head cannot be built: .*TimeoutExpired"):
        builds.install(sys.executable, source, tmp_path / "library", tmp_path / "log.txt")
