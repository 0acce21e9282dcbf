"""The class that drives one backend on one device. Each framework has a subclass in its own module."""

import contextlib
import dataclasses
import functools
import importlib.metadata
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.table import PYTHON, Backend, Framework, catalogue, frameworks, settings_of
from jitkernels.source import Source

OF_PYTHON = frozenset({bool, int, float, complex, str, bytes, type(None)})  # types of values that are not on a device


class Compiler:
    """One backend on one device. The defaults are those of an interpreter: nothing is compiled, nothing is asynchronous.

    Arguments and results are the framework's own ("native") unless NumPy or Python is named. Any method may raise
    ``Unavailable``; callers catch nothing else. Programs are counted and forgotten for the whole process, because the
    frameworks keep them so.
    """

    def __init__(self, backend: Backend, device: str) -> None:
        self.backend, self.device = backend, device
        self.is_eager = backend.kind == "eager"

    @property
    def interpreted(self) -> bool:
        """True if an interpreter stands in for the compiler, so that a time would be the interpreter's."""
        return self.device in self.backend.framework.interpreted_on

    def versions(self) -> dict[str, str]:
        """Return what the speed depends on: ``installed``, and the environment variables that are set, by name."""
        return {**self.installed(), **settings_of([self.backend.framework])}

    def installed(self) -> dict[str, str]:
        """Return installed versions of the framework and its compiler's parts, by package name."""
        return {package: _version(package) for package in self.backend.framework.packages}

    def threads(self) -> int:
        """Return how many threads a compiled program may use now."""
        return 1

    def limit(self, count: int) -> None:
        """Make compiled programs use ``count`` threads from now on; no effect if they always have one.

        Raises RuntimeError if the framework's runtime has started with another number and cannot change it.
        """

    def start(self) -> None:
        """Pay the framework's one-off costs (threads, LLVM, CUDA context, toolchain): no cold clock includes them."""

    def compile(self, source: Source) -> Callable[..., Any]:
        """Return the callable that a user of this backend would make from ``source``.

        It takes what ``put`` returned, and returns without waiting. It may compile at its first call.
        """
        assert source.run is not None
        return self.jit(source.run, source.static)

    def put(self, value: Any) -> Any:
        """Return a Python number or NumPy array as a native argument on the device."""
        return value

    def place(self, value: Any) -> Any:
        """Return an argument of a user's own function as its user makes it: arrays on the device, numbers unchanged."""
        return self.put(value) if hasattr(value, "shape") else value

    @staticmethod
    def wait(result: Any) -> Any:
        """Wait until the device has finished ``result``, and return it."""
        return result

    @staticmethod
    def fetch(result: Any) -> Any:
        """Return ``result`` as Python numbers and NumPy arrays."""
        return map_entries(plain, result)

    def forget(self) -> None:
        """Drop every program that this process has compiled, also from disk caches."""

    def programs(self) -> int:
        """Return how many programs this process has so far, compiled or from a disk cache."""
        return 0

    def from_disk(self) -> int:
        """Return how many of ``programs`` came from a disk cache; 0 without one."""
        return 0

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Callable[..., Any]:
        """Return ``function`` as its user decorates it, without any code of this library in between.

        static: names of the arguments that the compiler sees as constants. whole: the compiler must trace the
        whole function unchanged, instead of translating Python first or leaving parts to Python. Unavailable if there is
        no Python function to compile.
        """
        return function

    def program(self, function: Callable[..., Any], static: Sequence[str] = ()) -> Callable[..., Any]:
        """Return what ``jit`` returns, or a program that does its work in the first call if decorating compiles."""
        return self.jit(function, static)

    def adopt(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that its user has decorated, as it is called on the device, and count its programs as far as the
        framework does not."""
        return function

    def breaks(self) -> int:
        """Return how often the compiler has left a part of a function to Python since the last ``forget``."""
        return 0

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Return the seconds of one fresh compilation, by stage and as a whole; no stages without a compiler.

        If a call compiles, the whole is the first call, including the run.
        """
        return Stages()

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return what the compiler makes of ``source`` for these arguments; no texts without a compiler."""
        return Artifacts()


def map_entries(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply ``function`` to a value, or to all entries of nested tuples, lists and dictionaries."""
    if isinstance(value, dict):
        return {name: map_entries(function, entry) for name, entry in value.items()}
    if not isinstance(value, tuple | list):
        return function(value)
    build = getattr(value, "_make", type(value))  # a named tuple, as from numpy.linalg, takes its entries one by one
    return build([map_entries(function, entry) for entry in value])


def plain(value: Any) -> Any:
    """Return a number of NumPy's, or an array without axes, as Python's number, and any other value as it is."""
    return value.item() if getattr(value, "shape", None) == () else value


@functools.cache
def class_of(framework: Framework) -> type[Compiler]:
    """Return the class that drives the framework. Imports the framework."""
    compiler: type[Compiler] = pkgutil.resolve_name(framework.compiler)
    return compiler


def load_drivers() -> None:
    """Import the drivers of the frameworks that this process has imported: later, a device would go on computing while a
    clock is stopped for the import."""
    for framework in frameworks():
        if framework.packages and sys.modules.keys() >= set(framework.packages):
            _load_driver(framework)


@functools.cache
def _load_driver(framework: Framework) -> None:
    """Import the driver, or try it once. One that cannot be imported matters only to a result of its framework."""
    with contextlib.suppress(Exception):
        class_of(framework)


def _version(package: str) -> str:
    return str(getattr(sys.modules[package], "__version__", None) or importlib.metadata.version(package))


def class_of_result(result: Any) -> type[Compiler]:
    """Return the class that drives the result's framework; plain Python's for anything else."""
    return class_of(framework_of(_package(result)))


@functools.cache
def framework_of(package: str) -> Framework:
    """Return the framework whose results' classes are in this package; plain Python for any other."""
    return next((framework for framework in frameworks() if package in framework.packages), PYTHON)


def unfinished(result: Any) -> Iterator[tuple[Any, type[Compiler]]]:
    """Yield the parts of a result that a device may still compute, each with the class that waits for it. result: of any
    framework, or a list, tuple, dictionary or dataclass of results; nothing is known of other objects."""
    if isinstance(result, dict | list | tuple):
        parts = result.values() if isinstance(result, dict) else result
        if not OF_PYTHON.issuperset(map(type, parts)):
            for part in parts:
                yield from unfinished(part)
    elif dataclasses.is_dataclass(result) and not isinstance(result, type):
        for field in dataclasses.fields(result):
            yield from unfinished(getattr(result, field.name, None))
    elif (driver := class_of_result(result)).wait is not Compiler.wait:
        yield result, driver


def require_awaited(result: Any, compiler: Compiler) -> None:
    """Raise TypeError if a part of a result is of another framework, for which ``compiler`` does not wait."""
    for part, driver in unfinished(result):
        if driver.wait is not compiler.wait:
            framework = framework_of(_package(part))
            *most, last = [row.name for row in catalogue().values() if row.framework is framework]
            labels = f"{', '.join(most)} or {last}" if most else last
            reason = f"it returns an array of {framework.dialect}, which may not be finished"
            raise TypeError(f"{reason}: label it {labels}, so that the clock waits for it, or return an array of NumPy")


def fetch(result: Any) -> Any:
    """Return one result of any framework as Python numbers or NumPy arrays."""
    return class_of_result(result).fetch(result)


def _package(result: Any) -> str:
    return type(result).__module__.partition(".")[0]
