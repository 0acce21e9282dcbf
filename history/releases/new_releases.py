"""Add the releases that are newer than the table: to a patch, or as a commit on a branch."""

import datetime
import difflib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from duet.git import git
from history.releases import index
from history.releases.table import CONFIGURATION, TABLE, Release, added, configuration, read

AUTHOR = ["-c", "user.name=new-releases", "-c", "user.email=new-releases@localhost"]


def look_up() -> tuple[list[Release], dict[Path, str]]:
    """Return the releases that are newer than the table, and the new texts of both files."""
    if git(Path(), "status", "--porcelain", "--", str(TABLE), str(CONFIGURATION)):
        raise ValueError(f"{TABLE} or {CONFIGURATION} has uncommitted changes: commit or undo them first")
    text = TABLE.read_text()
    table = read(text)
    releases = [release for compiler in table.compilers.values() for release in index.newer(compiler, table.python)]
    text = added(text, releases)
    return releases, {TABLE: text, CONFIGURATION: configuration(read(text))}


def write_patch(texts: Mapping[Path, str], patch: Path) -> str:
    """Write the change for ``git apply`` and return a message that says where."""
    lines: list[str] = []
    for path, text in texts.items():
        before = path.read_text().splitlines(keepends=True)
        lines += difflib.unified_diff(before, text.splitlines(keepends=True), f"a/{path}", f"b/{path}")
    patch.write_text("".join(lines))
    return f"the change is in {patch}: git apply {patch}"


def commit_to_branch(texts: Mapping[Path, str], releases: Sequence[Release], name: str | None) -> str:
    """Commit the change on a new branch from HEAD and return a message that names it. The working tree does not change."""
    branch = name or f"new-releases-{datetime.datetime.now(datetime.UTC).date()}"
    message = f"Add {', '.join(map(str, releases))} to the ladder"
    with tempfile.TemporaryDirectory(prefix="jitkernels-new-releases-") as directory:
        tree = str(Path(directory, "tree"))
        git(Path(), "worktree", "add", "--quiet", "-b", branch, tree, "HEAD")  # git refuses a bad name
        try:
            for path, text in texts.items():
                Path(tree, path).write_text(text)
            git(Path(), "-C", tree, *AUTHOR, "commit", "--quiet", "--message", message, "--", *map(str, texts))
        finally:
            git(Path(), "worktree", "remove", "--force", tree)
    return f"the change is a commit on the branch {branch}"
