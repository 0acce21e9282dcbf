"""Where compilers keep what they compiled, on disk.

Inductor, Triton and the c backend always keep it; JAX, Numba and TensorFlow only when asked. ``redirect`` points all of
them at one directory, so that an empty directory means an empty cache and a filled one is there for a new process.
"""

import atexit
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = "JITKERNELS_CACHE_DIR"
PERSISTENT = "JITKERNELS_PERSISTENT_CACHES"

_ALWAYS = {
    ROOT: "c",
    "TORCHINDUCTOR_CACHE_DIR": "inductor",
    "TRITON_CACHE_DIR": "triton",
    "NUMBA_CACHE_DIR": "numba",
    "KERAS_HOME": "keras",  # no cache, but TensorFlow's import writes a file there
}

ENOUGH = 2**20  # bytes: more than most programs, less than any disk that is not full

_XLA_DIRECTORY = "--tf_xla_persistent_cache_directory"

_log = logging.getLogger(__name__)


def variables(directory: Path, persistent: bool = False) -> dict[str, str]:
    """Environment variables that make every compiler keep its disk cache below ``directory``.

    ``persistent`` turns on the caches that are off by default (JAX, Numba, TensorFlow's XLA), for programs of any size;
    without it they are off, though the user's own variables may have turned them on.
    """
    chosen = {variable: str(directory / folder) for variable, folder in _ALWAYS.items()}
    flags = [flag for flag in os.environ.get("TF_XLA_FLAGS", "").split() if _XLA_DIRECTORY not in flag]
    if not persistent:
        return {**chosen, PERSISTENT: "", "JAX_ENABLE_COMPILATION_CACHE": "false", "TF_XLA_FLAGS": " ".join(flags)}
    return {
        **chosen,
        PERSISTENT: "1",
        "JAX_ENABLE_COMPILATION_CACHE": "true",
        "JAX_COMPILATION_CACHE_DIR": str(directory / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",  # its default of 1 s would keep none of our kernels
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "TF_XLA_FLAGS": " ".join([*flags, _for_xla(directory)]),
    }


def counting(directory: Path) -> dict[str, str]:
    """``variables`` with a directory for XLA in TensorFlow too: it says what it compiled by the files that it leaves, and by
    nothing else. Compiling takes as long with it (0.26 to 0.33 s for ``philox_pi``) as without (0.31 to 0.41 s)."""
    chosen = variables(directory)
    return {**chosen, "TF_XLA_FLAGS": f"{chosen['TF_XLA_FLAGS']} {_for_xla(directory)}".strip()}


def _for_xla(directory: Path) -> str:
    return f"{_XLA_DIRECTORY}={directory / 'tensorflow'}"


def redirect(directory: Path, persistent: bool = False) -> None:
    """Set ``variables`` in this process and its children; before a framework is imported, to be sure to take effect."""
    os.environ.update(variables(directory, persistent))


def persistent() -> bool:
    """Whether compilers that keep nothing on disk by default are asked to."""
    return os.environ.get(PERSISTENT) == "1"


def forget() -> None:
    """Give this process an empty cache directory; what the user's own caches hold is left alone."""
    redirect(passing(), persistent())


def passing() -> Path:
    """A new, empty directory that is gone when this process has ended."""
    directory = Path(tempfile.mkdtemp(prefix="jitkernels-"))
    atexit.register(_remove, directory, os.getpid())
    return directory


def _remove(directory: Path, owner: int) -> None:
    """A forked process inherits what its parent registered, and leaves it to the parent. What cannot be removed stays: a
    compiler's own processes may still write into it."""
    if os.getpid() == owner:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def kept() -> Iterator[None]:
    """Within it, forgetting drops what is in memory; afterwards the disk caches are those of before."""
    before = dict(os.environ)
    try:
        yield
    finally:
        empty = os.environ.get(ROOT)
        os.environ.clear()
        os.environ.update(before)
        if empty and empty != before.get(ROOT):
            shutil.rmtree(Path(empty).parent)


def unusable() -> str | None:
    """Which directory that this process was given for programs cannot hold ENOUGH bytes, and why; None where all can.

    Asked where a compiler has failed: what compilers say of a full disk names the disk in few cases.
    """
    chosen = {variable: os.environ.get(variable) for variable in (*_ALWAYS, "JAX_COMPILATION_CACHE_DIR", "TMPDIR")}
    flags = [flag for flag in os.environ.get("TF_XLA_FLAGS", "").split() if flag.startswith(_XLA_DIRECTORY)]
    chosen["TF_XLA_FLAGS"] = flags[-1].partition("=")[2] if flags else None
    for variable, directory in chosen.items():
        try:
            if directory:
                Path(directory).mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=directory) as file:
                    file.write(bytes(ENOUGH))
        except OSError as error:
            return f"cannot write {directory} ({error.strerror}), which {variable} names"
    return None


def root() -> Path:
    """The directory for what this library itself compiles, made if need be.

    JITKERNELS_CACHE_DIR, or ``jitkernels`` in the user's cache directory; a temporary one, with a warning, where that
    cannot be written.
    """
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jitkernels"
    directory = Path(os.environ.get(ROOT) or default)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):  # os.access says yes to root even on a read-only file system
            return directory
    except OSError as error:
        fallback = passing()
        _log.warning("cannot write %s (%s); compiling into %s instead", directory, error.strerror, fallback)
        os.environ[ROOT] = str(fallback)
        return fallback
