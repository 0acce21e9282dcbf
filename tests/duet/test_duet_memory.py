"""Where processes that are compared get their memory from."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from duet import memory

ARRAYS = """
def pages():
    with open("/proc/self/stat") as stat:
        return int(stat.read().rpartition(")")[2].split()[7])

def arrays():
    return [b"x" * (4 << 20) for _ in range(4)]

for _ in range(3):
    arrays()
before = pages()
for _ in range(20):
    arrays()
with open("/proc/self/maps") as maps:
    print(pages() - before, "jemalloc" in maps.read())
"""


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    memory.jemalloc.cache_clear()
    yield
    memory.jemalloc.cache_clear()


def new_pages(variables: dict[str, str]) -> tuple[int, bool]:
    """Of twenty times four arrays of 4 MiB, freed before the next four; and whether jemalloc was there."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_", "LD_"))}
    said = subprocess.run(
        [sys.executable, "-c", ARRAYS], env={**plain, **variables}, capture_output=True, text=True, check=True
    )
    pages, there = said.stdout.split()
    return int(pages), there == "True"


@pytest.mark.skipif(sys.platform != "linux", reason="page faults are counted by Linux, and variables read by its loader")
def test_what_is_freed_stays_with_the_process() -> None:
    by_default, there = new_pages({})
    assert (by_default > 10_000, there) == (True, False)
    for variables, allocator in ((memory.GLIBC, "glibc"), (memory.variables(), memory.allocator())):
        pages, there = new_pages(variables)
        assert (pages < 100, there) == (True, allocator == "jemalloc")


def test_a_system_without_jemalloc_has_its_own_allocator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    assert (memory.allocator(), memory.variables()) == ("glibc", memory.GLIBC)


def test_jemalloc_is_loaded_before_what_the_user_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.util.find_library", {"jemalloc": "libjemalloc.so.2"}.get)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("LD_PRELOAD", "another.so")
    assert memory.allocator() == "jemalloc"
    assert memory.variables()["LD_PRELOAD"].split() == ["libjemalloc.so.2", "another.so"]
