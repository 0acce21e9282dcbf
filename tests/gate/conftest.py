"""A laboratory for each test, and its first commit, which is BASE."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from laboratory import Laboratory, Template, build_once

from duet import builds


@pytest.fixture
def laboratory(measured_laboratory: Template, tmp_path: Path) -> Laboratory:
    """The test's own copy of the measured laboratory. The gate installs nothing into asv's environment: tests share it."""
    return measured_laboratory.copy(tmp_path / "laboratory", shares_environment=True)


@pytest.fixture
def base(laboratory: Laboratory) -> str:
    return laboratory.git("rev-list", "--max-parents=0", "HEAD")


@pytest.fixture(autouse=True)
def _libraries_once(shared_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gates in the process of the tests build each library once in a test run, as that of BASE, which all of them have. A
    gate in a process of its own builds both."""
    install = builds.install

    def install_once(python: str, source: Path, library: Path, log: Path) -> None:
        files = [source / "pyproject.toml", *sorted((source / "jitkernels").rglob("*.*"))]
        texts = (f"{file.relative_to(source)}\0{file.read_bytes().hex()}" for file in files)
        name = hashlib.sha256("\0".join(texts).encode()).hexdigest()
        built = build_once(shared_directory / f"library-{name}", lambda path: install(python, source, path, log))
        shutil.copytree(built, library, copy_function=os.link)

    monkeypatch.setattr(builds, "install", install_once)
