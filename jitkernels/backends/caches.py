"""Compilers' caches on disk. The table of backends lists their environment variables.

Inductor, Triton and the c backend always keep what they compiled; JAX, Numba and TensorFlow only on request. ``redirect``
makes all of them use one directory. If it is empty, so are the caches; if it is filled, a new process can use it.
"""

import atexit
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jitkernels import settings
from jitkernels.backends.table import C, DiskCache, Framework, frameworks

(ROOT,) = (cache.variable for cache in C.caches)
PERSISTENT = "JITKERNELS_PERSISTENT_CACHES"
ENOUGH = 2**20  # bytes: more than most programs need, and free on any disk that is not full

_log = logging.getLogger(__name__)


def disk_caches() -> list[DiskCache]:
    """Return the disk caches of all compilers."""
    return [cache for framework in frameworks() for cache in framework.caches]


def variables(directory: Path, persistent: bool = False) -> dict[str, str]:
    """Return environment variables that make every compiler keep its disk cache below ``directory``.

    persistent: turn on the caches that are off by default (JAX, Numba, TensorFlow's XLA), for programs of any size;
    otherwise turn them off, even if the user's variables turned them on.
    """
    chosen = {PERSISTENT: "1" if persistent else ""}
    for cache in disk_caches():
        chosen.update(cache.on if persistent else cache.off)
        if cache.flag:
            chosen[cache.variable] = _flags(cache, directory if persistent else None)
        elif persistent or not cache.is_optional:
            chosen[cache.variable] = str(directory / cache.folder)
    return chosen


def counting(directory: Path) -> dict[str, str]:
    """Return ``variables`` with a directory for XLA in TensorFlow too: only its files tell how much XLA compiled.

    Compiling takes as long with it (0.26 to 0.33 s for ``philox_pi``) as without (0.31 to 0.41 s).
    """
    return {**variables(directory), **{cache.variable: _flags(cache, directory) for cache in disk_caches() if cache.flag}}


def directory_of(cache: DiskCache) -> str:
    """Return the directory that the environment names for the cache; "" if it names none."""
    value = os.environ.get(cache.variable, "")
    if not cache.flag:
        return value
    named = [flag.partition("=")[2] for flag in settings.flags_of(value) if flag.startswith(f"{cache.flag}=")]
    return re.sub(r"\\(.)", r"\1", named[-1].strip("\"'")) if named else ""


def _flags(cache: DiskCache, directory: Path | None) -> str:
    """Return the user's flags, with the cache's flag if there is a ``directory``."""
    flags = [flag for flag in settings.flags_of(os.environ.get(cache.variable, "")) if cache.flag not in flag]
    return " ".join([*flags, f"{cache.flag}={quoted(str(directory / cache.folder))}"] if directory else flags)


def quoted(value: str) -> str:
    """Return a flag's value as XLA reads it: in quotes if it has spaces or quotes."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if re.search(r"[\s\"']", value) else value


def redirect(directory: Path, persistent: bool = False) -> None:
    """Set ``variables`` in this process and its children. Call it before a framework is imported, because some
    frameworks read variables only then."""
    os.environ.update(variables(directory, persistent))


def persistent() -> bool:
    """True if compilers that keep nothing on disk by default are told to do so."""
    return os.environ.get(PERSISTENT) == "1"


def forget() -> None:
    """Give this process an empty cache directory; the user's own caches are left alone."""
    redirect(temporary_directory(), persistent())


def temporary_directory() -> Path:
    """Return a new, empty directory that is removed when this process ends."""
    directory = Path(tempfile.mkdtemp(prefix="jitkernels-"))
    atexit.register(_remove, directory, os.getpid())
    return directory


def _remove(directory: Path, owner: int) -> None:
    """Remove the directory, in the process that made it: a forked process inherits what its parent registered.

    Files that cannot be removed stay: a compiler's own processes may still write there.
    """
    if os.getpid() == owner:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def restored() -> Iterator[None]:
    """A context in which ``forget`` drops programs in memory. Afterwards the disk caches are as before."""
    before = dict(os.environ)
    try:
        yield
    finally:
        empty = os.environ.get(ROOT)
        os.environ.clear()
        os.environ.update(before)
        if empty and empty != before.get(ROOT):
            shutil.rmtree(Path(empty).parent, ignore_errors=True)


def unusable(framework: Framework) -> str | None:
    """Return the framework's first directory for programs that cannot hold ENOUGH bytes, with the reason and the variable
    that names it; None if all can. For use after its compiler has failed, because few compilers report a full disk.
    """
    directories = {cache.variable: directory_of(cache) for cache in (*framework.caches, *C.caches)}
    for variable, directory in {**directories, "TMPDIR": os.environ.get("TMPDIR", "")}.items():
        if directory and (reason := unwritable(Path(directory), ENOUGH)):
            return f"cannot write {directory} ({reason}), which {variable} names"
    return None


def unwritable(directory: Path, size: int = 0) -> str | None:
    """Return why so many bytes cannot be written into the directory, or None. Makes the directory if it is missing."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory) as file:  # os.access is true for root even on a read-only file system
            file.write(bytes(size))
    except OSError as error:
        return error.strerror
    return None


def root() -> Path:
    """Return the directory for what this library itself compiles; make it if it is missing.

    It is JITKERNELS_CACHE_DIR, or ``jitkernels`` in the user's cache directory; if that
    cannot be written, a temporary one, with a warning.
    """
    try:
        directory = Path(os.environ.get(ROOT) or _default()).absolute()  # a bare file name is none for the linker
        reason = unwritable(directory)
    except RuntimeError as error:  # the user has no home
        directory, reason = Path("~", ".cache", "jitkernels"), str(error)
    if reason:
        fallback = temporary_directory() / C.caches[0].folder  # below it, as ``variables`` has it
        fallback.mkdir()
        _log.warning("cannot write %s (%s); compiling into %s instead", directory, reason, fallback)
        os.environ[ROOT] = str(fallback)
        return fallback
    return directory


def _default() -> Path:
    """Return ``jitkernels`` in the user's cache directory. RuntimeError without HOME and an entry in passwd."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jitkernels"
