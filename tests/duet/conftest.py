"""A suite whose benchmarks end in every way, and processes over it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from duet import Side
from duet.process import Child

IMPORT = """
import os, sys, time

if os.environ.get("BREAKS"):
    sys.exit("no framework")
if os.environ.get("HANGS"):
    os.fork()  # a helper, which has all that this process has open
    time.sleep(1000)
"""
SUITE = '''
import os, signal, sys, threading, time
from pathlib import Path

FILES = Path(os.environ["FILES"])


def wrote(name, text):
    with (FILES / name).open("a") as file:
        file.write(text)


class Ends:
    def track_well(self):
        return 7

    def track_process(self):
        return os.getpid()

    def track_verbose(self):
        raise RuntimeError("x" * 400)

    def track_crash(self):
        os._exit(3)

    def track_signal(self):
        os.kill(os.getpid(), 9)

    def track_hang(self):
        wrote("hangs", f"{os.getpid()} ")
        time.sleep(1000)

    def track_stop(self):
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(1000)

    def track_closes_and_hangs(self):
        os.closerange(3, 256)
        time.sleep(1000)

    def track_brood(self):
        """Starts processes in groups, sessions and by shells of their own, and returns."""
        for number in range(int(os.environ["BROOD"])):
            if not os.fork():
                if number % 2:
                    os.setsid()
                if number % 3 == 0:
                    os.execlp("sleep", "sleep", "1000")
                if number % 5 == 0:
                    os.execve(sys.executable, ["python", "-c", "import time; time.sleep(1000)"], {})
                time.sleep(1000)
        return 7

    def track_brood_and_hang(self):
        self.track_brood()
        self.track_hang()

    def track_brood_and_crash(self):
        self.track_brood()
        self.track_crash()

    def track_full(self):
        raise OSError(28, "No space left on device")

    def track_core(self):
        return len(os.sched_getaffinity(0))

    def track_threads_of_a_product(self):
        import numpy

        numpy.ones((500, 500)) @ numpy.ones((500, 500))
        return len(os.listdir("/proc/self/task"))

    def track_directory(self):
        return len(list(Path().iterdir()))

    def track_neighbours(self):
        return sum(Path(each, "orphans.py").exists() for each in sys.path)


class Turns:
    warmup_time = 0
    ticks = 0.0

    @staticmethod
    def timer():
        """A clock that only work() advances."""
        return Turns.ticks

    def work(self, seconds, name):
        Turns.ticks += seconds
        wrote(name, name[-1])

    def setup(self):
        wrote("setups", f"{os.getpid()} ")
        self.another = threading.Thread(target=threading.Event().wait, daemon=True)
        self.another.start()

    def time_cores(self):
        threads = os.listdir("/proc/self/task")
        wrote("cores", f"{len(set().union(*(os.sched_getaffinity(int(thread)) for thread in threads)))} ")

    def time_crash(self):
        os._exit(3)

    def time_hang(self):
        time.sleep(1000)

    def time_short(self):
        self.work(0.001, "short")

    def time_long(self):
        self.work(0.05, "long")
'''


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("suite") / "suite"
    root.mkdir()
    (root / "__init__.py").write_text(IMPORT)
    (root / "ends.py").write_text(SUITE)
    return root


Start = Callable[..., Child]


@pytest.fixture
def start(suite: Path, tmp_path: Path) -> Start:
    """A function that starts a child process with the suite; its benchmarks write into ``tmp_path``."""
    side = Side("head", sys.executable, None, suite)

    def start(core: int | None = None, discover: bool = False, **variables: str) -> Child:
        return Child(side, tmp_path / "log.txt", {"FILES": str(tmp_path), **variables}, core, discover)

    return start


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="session")
def child(suite: Path, files: Path) -> Iterator[Child]:
    """One child process for all tests, which measures one case after another; its benchmarks write into ``files``."""
    with Child(Side("head", sys.executable, None, suite), files / "log.txt", {"FILES": str(files)}) as process:
        assert process.answer() == {"ready": True}
        yield process
