"""Call patterns: what a compiler does when its user calls the same function several times.

A call pattern is a way to make ``CALLS`` calls of one function. The user's own call is observed, ``jax.jit(f)(x)``, without
this library's code around it, so that the counts are the compiler's. An exception is an observation too; a kernel's
``raises`` lists the known ones.

Each backend is observed in its own process. Each observation starts with nothing compiled in memory. Disk caches stay: a
program from there counts as compiled.
"""

import contextlib
import functools
import inspect
import io
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jitkernels import kernels
from jitkernels.backends import caches
from jitkernels.case import Case, prepare
from jitkernels.errors import Unavailable
from jitkernels.kernel import Kernel, Raises, Reference
from jitkernels.measure import process
from jitkernels.measure.rows import OBSERVATION, Row
from jitkernels.source import copy_of

CALLS = 3  # the first compiles; the second may compile a more general program; the third shows if that is enough
DTYPES = ("float32", "int32", "int16")  # one for each call; every framework has them
TRANSLATED = "tf__"  # prefix of AutoGraph's translation of a function, which runs in its place
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
CallPattern = tuple[str, str, str]  # kernel, spelling, pattern


def call_patterns(kernel_names: Sequence[str], spellings: Sequence[str] = ()) -> list[CallPattern]:
    """Return kernel, spelling and pattern of all observations, or of those of some spellings.

    Raises ValueError if a kernel lacks a spelling, or has no call patterns.
    """
    chosen: list[CallPattern] = []
    for kernel in map(kernels.load, kernel_names):
        if not kernel.patterns:
            known = ", ".join(name for name in kernels.names() if kernels.load(name).patterns)
            raise ValueError(f"{kernel.name} has no call patterns; those that have: {known}")
        for name in dict.fromkeys(spellings) or kernel.patterns:
            kernel.spelling(name)  # raises if there is none
            chosen += [(kernel.name, name, pattern) for pattern in kernel.patterns.get(name, ())]
    return chosen


def known_exception(kernel: Kernel, backend: str, spelling: str, pattern: str) -> Raises | None:
    """Return the known exception, or None if an answer is expected."""
    here = (known for known in kernel.raises if known.spelling == spelling and backend in known.backends)
    return next((known for known in here if pattern in (known.patterns or PATTERNS)), None)


def rows(backend: str, patterns: Sequence[CallPattern]) -> Iterator[Row]:
    """Yield the observations of one process, in order. If it dies, that one failed, and a new process continues."""
    calls = [
        {"kernel": kernel, "backend": backend, "spelling": spelling, "pattern": pattern}
        for kernel, spelling, pattern in patterns
    ]
    quiet = functools.partial(process.Started, is_quiet=True)
    answers = process.ask("patterns.observe", calls, start=quiet)  # compilers warn about these calls
    for call, answer in zip(calls, answers, strict=True):
        yield answer["figures"] or _row(call, {"outcome": "failed", "reason": answer["reason"], "as_expected": False})


def observe(kernel: str, backend: str, spelling: str, pattern: str) -> Row:
    """Make one observation in this process.

    outcome: ok | raised | wrong | unavailable. exception, message: the type's name and the most telling line, if it
    raised. programs: number compiled. body_runs: how often Python ran the body of the compiled function. graph_breaks: how
    often the compiler left a part of it to Python. printed: how often the function's message was printed. held: types of the
    entries of the list ``held`` in the dialect's file. as_expected: True if the kernel's spec has the same outcome.
    """
    call = {"kernel": kernel, "backend": backend, "spelling": spelling, "pattern": pattern}
    try:
        figures = _Calls(kernel, backend, spelling, pattern).make()
    except Unavailable as error:
        return _row(call, {"outcome": "unavailable", "reason": error.reason})
    known = known_exception(kernels.load(kernel), backend, spelling, pattern)
    text = figures.pop("message", "")
    raised_it = known is not None and figures.get("exception") == known.exception and known.message in text
    part = known.message if known and raised_it else ""
    message = next((line.strip() for line in text.splitlines() if line.strip() and part in line), None)
    as_expected = raised_it if known else figures["outcome"] == "ok"
    return _row(call, {**figures, "message": message, "as_expected": as_expected})


class _Calls:
    """The calls of one pattern: the function to decorate, and the arguments of each call."""

    def __init__(self, kernel: str, backend: str, spelling: str, pattern: str) -> None:
        case = prepare(kernel, backend, kernels.load(kernel).default_size, spelling=spelling)
        self.compiler, self.source, self.pattern = case.compiler, case.source, pattern
        self.function: Any = self.source.run and copy_of(self.source.run, new_code=True)  # none in C
        self.parts = {name: copy_of(part, new_code=True) for name, part in self.source.parts.items()}
        self.held: list[Any] = getattr(inspect.getmodule(self.function), "held", [])
        self.cases = [self._case(case, call) for call in range(CALLS)]

    def make(self) -> Row:
        """Make the calls, and check each answer."""
        with caches.restored():
            self.compiler.forget()
        self.held.clear()
        programs = self.compiler.programs()
        printed = io.StringIO()
        functions = [part for part in self.parts.values() or (self.function,) if part]
        try:
            with contextlib.redirect_stdout(printed), _body_runs(functions) as body_runs:
                answers = self._answers()
        except Unavailable:
            raise
        except Exception as error:  # a compiler's exception is an observation
            outcome: Row = {"outcome": "raised", "exception": type(error).__name__, "message": str(error)}
        else:
            outcome = self._checked(answers)
        return {
            **outcome,
            "programs": self.compiler.programs() - programs,
            "body_runs": len(body_runs),
            "graph_breaks": self.compiler.breaks(),
            "printed": printed.getvalue().count("Received"),
            "held": [type(value).__name__ for value in self.held],
        }

    def _checked(self, answers: list[Any]) -> Row:
        try:
            for answer, case in zip(answers, self.cases, strict=True):
                case.kernel.check(answer, case.size, case.seed, Reference(case))
        except AssertionError as error:
            return {"outcome": "wrong", "reason": str(error)}
        return {"outcome": "ok"}

    def _answers(self) -> list[Any]:
        program = self._decorated()
        answers = []
        for call, case in enumerate(self.cases):
            if self.pattern.startswith("anew") and call:
                program = self._decorated()
            arguments = [value.item() for value in case.inputs()] if self.pattern == "new_number" else case.arguments
            answers.append(self.compiler.fetch(self.compiler.wait(program(*arguments))))
        return answers

    def _decorated(self) -> Callable[..., Any]:
        if self.pattern == "anew_closure":
            self.function = self.function and copy_of(self.function)
            self.parts = {name: copy_of(part) for name, part in self.parts.items()}
        if self.parts:
            decorated = {name: self._jit(part) for name, part in self.parts.items()}
            return lambda *arguments: self.function(*arguments, **decorated)
        return self._jit(self.function)

    def _jit(self, function: Any) -> Callable[..., Any]:
        static = () if self.parts else self.source.static
        return self.compiler.jit(function, static, self.pattern == "whole")

    def _case(self, case: Case, call: int) -> Case:
        """Return the case with the inputs of one call."""
        moves = self.pattern in ("new_value", "new_number")
        first, *others = case.kernel.inputs(case.size + (call if moves else 0), case.seed)
        if self.pattern == "new_dtype":
            first = first.astype(DTYPES[call])
        if self.pattern == "new_shape":
            first = first.repeat(2 + call)  # not 1, which compilers treat as a broadcast
        return case.with_unchecked_inputs(first, *others)


@contextlib.contextmanager
def _body_runs(functions: Sequence[Any]) -> Iterator[list[str]]:
    """A context that appends a function's name to the list each time Python runs the body of one of these functions, or
    AutoGraph's translation of it. Compiled code does not count."""
    codes = [function.__code__ for function in functions]
    translations = {TRANSLATED + code.co_name for code in codes}
    names = translations | {code.co_name for code in codes}
    runs = list[str]()

    def count_call(frame: types.FrameType, event: str, argument: object) -> None:
        name = frame.f_code.co_name
        if name not in names:  # this test first, because a compiler itself makes millions of calls
            return
        if name in translations or any(frame.f_code is code for code in codes):
            runs.append(name)

    sys.settrace(count_call)  # not setprofile: Numba reports calls of machine code to it
    try:
        yield runs
    finally:
        sys.settrace(None)


def _row(call: Row, figures: Row) -> Row:
    return {**dict.fromkeys(OBSERVATION), **call, "calls": CALLS, **figures}
