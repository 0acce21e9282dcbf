"""A small table of releases, and a git repository that holds it."""

import shutil
import subprocess
from pathlib import Path

from history.releases.table import BASE, CONFIGURATION, TABLE, configuration, read

ROOT = Path(__file__).parents[1]
LINE = '    { version = "VERSION", published = 2024-01-01, needs = { jitkernels-part = "1.0" } },\n'
TEXT = f"""\
python = "3.11"

[compilers.thing]
package = "jitkernels-thing"
since = "1.0"
pins = ["jitkernels-part"]
backends = ["numpy"]
bytes = 2_000
releases = [
{LINE.replace("VERSION", "1.0")}]

[compilers.still]
package = "jitkernels-still"
follow = false
since = "1.0"
pins = []
backends = []
bytes = 2_000
releases = [
]
"""
NOWHERE = "http://127.0.0.1:9/simple"  # a package index that cannot be reached


def with_versions(*versions: str) -> str:
    """Return the table's text with these releases."""
    return TEXT.replace(LINE.replace("VERSION", "1.0"), "".join(LINE.replace("VERSION", version) for version in versions))


def create_repository(path: Path) -> None:
    """Create a git repository with the table and its configuration."""
    shutil.copy(ROOT / BASE, path / BASE)
    (path / TABLE).write_text(TEXT)
    (path / CONFIGURATION).write_text(configuration(read(TEXT), path / BASE))
    git(path, "init", "--quiet", "--initial-branch", "main")
    git(path, "add", "--all")
    git(path, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "--message", "Begin")


def git(directory: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=directory, capture_output=True, text=True, check=True).stdout.strip()
