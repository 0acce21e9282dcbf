"""Seconds of the first call of a process: with empty caches, and with caches that an earlier process has filled."""

import multiprocessing
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from .._library import caches
from .benchmark import CACHED, COMPILERS, _Benchmark, _Shared, check_answer, compiled


class _First(_Benchmark):
    """One sample for each process, because it has only one first call. After the clock its answer is checked, and that of
    a second call, because a program may be wrong only when it is called again."""

    params = [COMPILERS, [1_000]]  # small, so that most of the time is the compiler's
    rounds = 8  # processes
    repeat = number = min_run_count = 1
    warmup_time = 0
    timeout = 300
    has_run = False
    case: Any  # of setup
    answer = None

    def require_first_sample(self):
        """Raise RuntimeError for a second sample, which an option of asv can request: it would be a warm call."""
        if self.has_run:
            raise RuntimeError("a process has one first call, so one sample: repeat and number must be 1")
        self.has_run = True

    def time_first_call(self, backend, size):
        self.answer = self.case.call()

    def teardown(self, backend, size):
        if self.answer is not None:
            check_answer(self.case, self.answer)
            self.case.check()


class _Cold(_First):
    """Seconds of the first call of a process whose caches are empty, memory and disk.

    Inside the clock: compiling, the call, the wait. Outside: the framework's import and its one-off start.
    """

    def setup(self, backend, size):
        self.require_first_sample()
        self.scratch = tempfile.TemporaryDirectory(prefix="jitkernels-cold-")
        caches.redirect(Path(self.scratch.name))
        self.case = compiled(self.kernel, backend, size)
        self.case.start()

    def teardown(self, backend, size):
        try:
            super().teardown(backend, size)
        finally:
            if hasattr(self, "scratch"):
                self.scratch.cleanup()


class _Cached(_First, _Shared):
    """Seconds of the first call of a process whose disk caches another has filled.

    Inside the clock: the remaining compilation, reading the cache, the call, the wait. Outside: the framework's import,
    which must come after the caches' variables are set, and its one-off start. A run that shares caches among its processes
    has set them; otherwise the caches are this benchmark's own.
    """

    params = [CACHED, [1_000]]

    def setup(self, backend, size):
        self.require_first_sample()
        directory = Path(f"{self.kernel}.{backend}.{size}").resolve()
        is_own = not caches.persistent()
        if not directory.exists():
            fork = multiprocessing.get_context("fork")  # the child has this process's imports, and keeps its programs
            with ProcessPoolExecutor(1, fork) as pool:
                pool.submit(_fill, directory if is_own else None, self.kernel, backend, size).result()
            directory.mkdir(exist_ok=True)  # if all processes share caches, it only marks them as filled
        if is_own:
            caches.redirect(directory, persistent=True)
        self.case = compiled(self.kernel, backend, size)
        self.case.start()


def _fill(directory, kernel, backend, size):
    """Make the first call. directory: of the caches to fill, None for those that the environment names."""
    if directory:
        caches.redirect(directory, persistent=True)
    case = compiled(kernel, backend, size)
    case.start()
    case.check()
