"""Laboratories: what a test does to its own is in no other."""

import hashlib
from pathlib import Path

from laboratory import Laboratory, Template


def content(laboratory: Laboratory) -> dict[str, str]:
    """Return a checksum of every file, by its place in the laboratory, but for what Python compiles when it imports."""
    files = [path for path in laboratory.path.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    return {str(path.relative_to(laboratory.path)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_run_and_a_commit_change_no_other_laboratory(
    measured_laboratory: Template, laboratory: Laboratory, tmp_path: Path
) -> None:
    before = content(laboratory)
    commit = laboratory.change_library()
    assert laboratory.asv("run", "HEAD^!", "--bench", r"philox_pi\.Accuracy\.track_hits\('c', 1000\)").returncode == 0
    assert laboratory.asv("publish").returncode == 0
    assert laboratory.results(commit) and content(laboratory) != before
    assert content(measured_laboratory.copy(tmp_path / "another")) == before
