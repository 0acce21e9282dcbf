"""Call patterns: what a compiler does when its user calls the same function again, in one way or another.

A call pattern is a way to make ``CALLS`` calls of one function. Observed is the user's own call, ``jax.jit(f)(x)``: nothing
of this library's plumbing stands in between, so that what is counted is the compiler's doing. An exception is an
observation too; which ones are known, a kernel's ``raises`` says.

Each backend is observed in a process of its own (``python -m jitkernels.measure.patterns``), and each
observation starts with nothing compiled in memory. Disk caches stay: a program that comes from there was asked for all the
same, and is counted.
"""

import contextlib
import functools
import inspect
import io
import json
import os
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from jitkernels import kernels, results, settings, source
from jitkernels.backends import caches
from jitkernels.backends.table import Backend, find_backend
from jitkernels.case import DEFAULT_SEED, prepare
from jitkernels.errors import Unavailable
from jitkernels.kernel import Kernel, Raises

CALLS = 3  # the first compiles, the second may compile what is more general, the third shows whether that was enough
DTYPES = ("float32", "int32", "int16")  # one a call; every framework has them
TRANSLATED = "tf__"  # AutoGraph's translation of a function has the function's name after this, and runs in its stead
PATTERNS = {
    "same": "the same arguments",
    "new_value": "a new value at each call, of the same type and shape",
    "new_number": "a new value at each call, as a Python number",
    "new_shape": "a new shape at each call",
    "new_dtype": "a new dtype at each call",
    "anew": "the same arguments; the same function decorated anew for each call",
    "anew_closure": "the same arguments; a function made and decorated anew for each call, as inside a loop or a method",
    "whole": "the same arguments; the compiler told to trace the function as it stands and to take all of it",
}
Row = dict[str, Any]
Cell = tuple[str, str, str]


def cells(names: Sequence[str], spellings: Sequence[str] = ()) -> list[Cell]:
    """Kernel, spelling and pattern of all that there is to observe, or of some spellings.

    Raises ValueError where a kernel has no such spelling, or no call patterns at all.
    """
    found = []
    for kernel in map(kernels.load, names):
        if not kernel.patterns:
            known = ", ".join(name for name in kernels.names() if kernels.load(name).patterns)
            raise ValueError(f"{kernel.name} has one spelling and no call patterns; those that have: {known}")
        chosen = [kernel.valid_spelling(name) for name in spellings] or list(kernel.patterns)
        found += [(kernel.name, name, pattern) for name in chosen for pattern in kernel.patterns[name]]
    return found


def expected(kernel: Kernel, backend: str, spelling: str, pattern: str) -> Raises | None:
    """The exception that is known to come, or None where an answer is."""
    for known in kernel.raises:
        if known.spelling == spelling and backend in known.backends and pattern in (known.patterns or PATTERNS):
            return known
    return None


def ask(backend: str, wanted: Iterable[Cell]) -> Iterator[Row]:
    """The observations of a fresh process, in order; where it dies, the cell it was at has failed and is the last."""
    wanted = list(wanted)
    command = [sys.executable, "-m", "jitkernels.measure.patterns"]
    with (
        tempfile.TemporaryFile("w+") as said,  # compilers warn of what is done to them here on purpose
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps([backend, wanted]))
            process.stdin.close()
            answered = 0
            for line in process.stdout:
                answered += 1
                yield json.loads(line)
            process.wait()
            if answered < len(wanted):
                said.seek(0)
                print(said.read(), file=sys.stderr)
                reason = f"its process ended with exit status {process.returncode}"
                yield _row(wanted[answered], backend, outcome="failed", reason=reason, as_expected=False)
        finally:
            process.kill()  # nothing is left running when the caller stops early


def observe(kernel: str, backend: str, spelling: str, pattern: str) -> Row:
    """One observation in this process.

    outcome: ok | raised | wrong | unavailable. exception, message: where it raised, the type's name and the line that tells
    most. programs: compiled. body_runs: how often Python ran the body of what was handed to the compiler. graph_breaks: how
    often the compiler left a part of it to Python. printed: how often the function's message was printed. held: the types
    of what is in the list ``held`` of the dialect's file. as_expected: whether the outcome is what the kernel's spec says.
    """
    cell, spec, line = (kernel, spelling, pattern), kernels.load(kernel), find_backend(backend)
    try:
        seen = _Calls(spec, line, spelling, pattern).make()
    except Unavailable as error:
        return _row(cell, backend, outcome="unavailable", reason=error.reason)
    known = expected(spec, backend, spelling, pattern)
    text = seen.pop("message", "")
    raised_it = known is not None and seen.get("exception") == known.exception and known.message in text
    message = _line(text, known.message if known and raised_it else "")
    as_expected = raised_it if known else seen["outcome"] == "ok"
    return _row(cell, backend, **seen, message=message, as_expected=as_expected)


class _Calls:
    """The calls of one pattern, ready to be made: what is decorated, with which arguments, and what should come out."""

    def __init__(self, kernel: Kernel, backend: Backend, spelling: str, pattern: str) -> None:
        case = prepare(kernel.name, backend.name, kernel.default_size, spelling=spelling)
        self.kernel, self.backend, self.compiler, self.pattern = kernel, backend, case.compiler, pattern
        self.source = source.load(kernel, backend.dialect, spelling)
        self.device = settings.device()
        self.function = _copy(self.source.run)
        self.parts = {name: _copy(part) for name, part in self.source.parts.items()}
        self.held: list[Any] = getattr(inspect.getmodule(self.function), "held", [])
        self.inputs = [self._inputs(call) for call in range(CALLS)]

    def make(self) -> Row:
        """Make the calls, each answer checked."""
        with caches.restored():
            self.compiler.forget()
        self.held.clear()
        programs = self.compiler.programs()
        handed_over = [part for part in self.parts.values() or (self.function,) if part]
        printed, frames = io.StringIO(), _Frames([function.__code__ for function in handed_over])
        seen: Row = {"outcome": "ok"}
        try:
            with contextlib.redirect_stdout(printed), frames:
                answers = self._answers()
            self._check(answers)
        except AssertionError as error:
            seen = {"outcome": "wrong", "reason": str(error)}
        except Unavailable:
            raise
        except Exception as error:  # what a compiler raises is what was to be observed
            seen = {"outcome": "raised", "exception": type(error).__name__, "message": str(error)}
        return {
            **seen,
            "programs": self.compiler.programs() - programs,
            "body_runs": frames.count,
            "graph_breaks": self.compiler.breaks(),
            "printed": printed.getvalue().count("Received"),
            "held": [type(value).__name__ for value in self.held],
        }

    def _answers(self) -> list[Any]:
        program = self._decorated()
        answers = []
        for call, inputs in enumerate(self.inputs):
            if self.pattern.startswith("anew") and call:
                program = self._decorated()
            answers.append(results.fetch(results.wait(program(*inputs[0]))))
        return answers

    def _decorated(self) -> Callable[..., Any]:
        if self.pattern == "anew_closure":  # another function of the same code, as a ``def`` makes each time it is executed
            self.function = _again(self.function)
            self.parts = {name: _again(part) for name, part in self.parts.items()}
        if self.parts:
            decorated = {name: self._jit(part) for name, part in self.parts.items()}
            return lambda *arguments: self.function(*arguments, **decorated)
        return self._jit(self.function)

    def _jit(self, function: Any) -> Callable[..., Any]:
        static = () if self.parts else self.source.static
        program: Callable[..., Any] = self.compiler.jit(function, static, self.pattern == "whole")
        return program

    def _inputs(self, call: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The arguments of one call as the framework's own, and as NumPy's."""
        moves = self.pattern in ("new_value", "new_number")
        numbers = self.kernel.inputs(self.kernel.default_size + (call if moves else 0), DEFAULT_SEED)
        first, *others = numbers
        if self.pattern == "new_dtype":
            first = first.astype(DTYPES[call])
        if self.pattern == "new_shape":
            first = first.repeat(2 + call)  # not 1, which compilers take for a broadcast
        numbers = (first, *others)
        static = {list(self.kernel.arguments).index(name) for name in self.source.static}
        plain = range(len(numbers)) if self.pattern == "new_number" else static
        native = tuple(value.item() if place in plain else self.compiler.put(value) for place, value in enumerate(numbers))
        return native, numbers

    def _check(self, answers: list[Any]) -> None:
        reference: Any = source.load(self.kernel, "numpy").run
        for answer, (_, numbers) in zip(answers, self.inputs, strict=True):
            truth = reference(*[number.astype("float64") if number.dtype.kind == "f" else number for number in numbers])
            self.kernel.check(answer, self.kernel.default_size, DEFAULT_SEED, functools.partial(_same, truth))


class _Frames:
    """Counts how often Python runs these functions: their own code, not what a compiler made of it."""

    def __init__(self, codes: list[types.CodeType]) -> None:
        self.codes = codes
        self.translations = {TRANSLATED + code.co_name for code in codes}
        self.count = 0

    def __enter__(self) -> None:
        names = self.translations | {code.co_name for code in self.codes}

        def called(frame: types.FrameType, event: str, argument: object) -> None:
            if frame.f_code.co_name in names:  # all that is done for each of a compiler's own millions of calls
                self._count(frame.f_code)

        sys.settrace(called)  # not setprofile, to which Numba reports calls of its machine code

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _count(self, code: types.CodeType) -> None:
        self.count += code.co_name in self.translations or any(code is known for known in self.codes)


def _same(value: Any) -> Any:
    return value


def _copy(function: Any) -> Any:
    """The same function with a code object of its own: no compiler has seen it. C's, which is none, as it is."""
    return _of(function, function.__code__.replace()) if function else None


def _again(function: Any) -> Any:
    """Another function of the same code object."""
    return _of(function, function.__code__) if function else None


def _of(function: Any, code: types.CodeType) -> Any:
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
    made.__annotations__ = function.__annotations__
    return made


def _line(text: str, part: str) -> str | None:
    """The first line with something on it that holds ``part``."""
    return next((line.strip() for line in text.splitlines() if line.strip() and part in line), None)


def _row(cell: Cell, backend: str, **seen: Any) -> Row:
    kernel, spelling, pattern = cell
    row = {"kernel": kernel, "backend": backend, "spelling": spelling, "pattern": pattern, "calls": CALLS}
    counts = dict.fromkeys(("programs", "body_runs", "graph_breaks", "printed", "held"))
    blank = {**counts, "exception": None, "message": None, "reason": None, "as_expected": None}
    return {**row, "outcome": None, **blank, **seen}


def main() -> None:
    """Observe the cells on standard input; what frameworks print must not end up among the answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")  # Numba's, that parallel=True found nothing to do; TorchScript's, that it will go
    backend, wanted = json.load(sys.stdin)
    for kernel, spelling, pattern in wanted:
        print(json.dumps(observe(kernel, backend, spelling, pattern)), file=answers, flush=True)


if __name__ == "__main__":
    main()
