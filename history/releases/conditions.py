"""The conditions of a run of the ladder: enough disk, and a package index."""

import shutil

from history.errors import StopError, require_free
from history.releases import index
from history.releases.table import Compiler, Release


def require_index(release: Release, python: str) -> None:
    """Raise StopError if the package index cannot be reached: without it, a failure says nothing of the release."""
    try:
        index.resolve([f"{release.package}=={release.version}"], python, "--no-deps")
    except OSError as error:
        raise StopError(f"{release} could not be installed, and {error}", 3) from error


def needed_bytes(compilers: list[Compiler], keep: bool) -> int:
    """Return the most bytes that the run needs on disk at a time.

    That is two environments, the reference's and another one, and the files that pip downloads and keeps for both. keep:
    all environments.
    """
    if keep:
        return sum(compiler.space(release) for compiler in compilers for release in compiler.releases)
    return max(
        compiler.bytes + compiler.downloads + max(map(compiler.space, compiler.releases), default=0)
        for compiler in compilers
    )


def require_disk(compilers: list[Compiler], keep: bool) -> None:
    needed = needed_bytes(compilers, keep)
    print(f"disk: {needed / 1e9:.1f} GB needed, {shutil.disk_usage('.').free / 1e9:.1f} GB free", flush=True)
    require_free(needed, "the ladder")
