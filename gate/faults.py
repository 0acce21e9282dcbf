"""What calibration makes go wrong on HEAD, inside of the process that measures; the library's code stays as it is.

Loaded by its path, beside the worker: here neither ``gate`` nor a package but Python's own can be imported.
"""

import sys
import time

SLOWER, CHANGED, LOST, WRONG = "slower", "changed", "lost", "wrong"


def put(benchmark, fault):
    """Let the benchmark go wrong. benchmark: asv_runner's, before its setup.

    fault: ``kind``, one of the words above; of SLOWER ``factor``, of CHANGED ``by``, of WRONG ``project``, the package whose
    cases answer wrongly. What is given back is to be done to a tracked value.
    """
    kind = fault["kind"]
    if kind == SLOWER:
        benchmark.func = slowed(benchmark.func, fault["factor"])
    if kind == LOST:
        benchmark._setups = [skip]
    if kind == WRONG:
        mislead(sys.modules[f"{fault['project']}.case"].Case)
    return (lambda value: value + fault["by"]) if kind == CHANGED else (lambda value: value)


def slowed(function, factor):
    """``function``, whose calls take ``factor`` times as long: it waits, busy, in proportion to what each call took."""

    def slow(*arguments):
        begin = time.perf_counter()
        answer = function(*arguments)
        until = begin + (time.perf_counter() - begin) * factor
        while time.perf_counter() < until:
            pass
        return answer

    return slow


def skip(*arguments):
    raise NotImplementedError("calibration takes it away")


def mislead(case):
    """The class's ``check`` is given a wrong answer. The reference's answer, which is another case's, stays right."""
    check = case.check

    def misled(self):
        right = self.value
        self.value = lambda: wrong(right())
        return check(self)

    case.check = misled


def wrong(value):
    """Nothing like ``value``: a number, an array, or several of them."""
    if isinstance(value, dict):
        return {name: wrong(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(map(wrong, value))
    return 2 * value + 1
