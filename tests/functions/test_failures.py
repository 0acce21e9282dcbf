"""An exception of a real compiler in one line: the telling line, the line of the user's file, the known cause."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitkernels
from jitkernels import kernels
from jitkernels.functions.failures import CAUSES, describe

HELD: list[int] = []


def branches(x):
    if x[0] > 0:
        return x
    return -x


def indexes(x):
    return x[: int(x.sum())]


def assigns(x):
    x[0] = 1
    return x


def calls_numpy(x):
    return np.sort(x)


def masks(x):
    return x[x > 0.5]


def finds_unique(x):
    from jax import numpy as jnp

    return jnp.unique(x)


def appends(x):
    HELD.append(1)
    return x


def begins_with_an_empty_list(x):
    values = []
    return len(values) + x


def has_two_types(x):
    value = 1 if x[0] > 2 else "one"
    return value


CASES = [
    ("jax", branches, "TracerBoolConversionError"),
    ("jax", assigns, "JAX arrays are immutable"),
    ("jax", calls_numpy, "TracerArrayConversionError"),
    ("jax", masks, "NonConcreteBooleanIndexError"),
    ("jax", finds_unique, "size argument"),
    ("jax", indexes, "ConcretizationTypeError"),
    ("numba", appends, "Untyped global name"),
    ("numba", begins_with_an_empty_list, "precise type"),
    ("numba", has_two_types, "Cannot unify"),
]


def inputs(size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    return (rng.random(size, dtype="float32"),)


def test_a_donated_argument_has_its_advice() -> None:
    jitkernels.prepare("softmax", "jax", kernels.load("softmax").default_size)  # Unavailable skips the test
    import jax

    double, array = jax.jit(lambda x: 2 * x, donate_argnums=0), jax.numpy.ones(10)
    double(array).block_until_ready()
    with pytest.raises(ValueError, match="donated") as raised:
        double(array)
    assert CAUSES["has been deleted"] in describe(raised.value, __file__)


@pytest.mark.parametrize("backend", ["jax", "numba"])
def test_a_known_cause_stands_beside_the_exception_and_its_line(backend: str) -> None:
    jitkernels.prepare("softmax", backend, kernels.load("softmax").default_size)  # Unavailable skips the test
    own: dict[str, tuple[Callable[..., Any], str]] = {
        f"{name}: {function.__name__}": (function, cause) for name, function, cause in CASES if name == backend
    }
    functions = {"numpy": np.negative, **{label: function for label, (function, _) in own.items()}}
    rows = jitkernels.compare(functions, inputs, [10], processes=1, lives=()).rows
    reasons = {row["label"]: row["reason"] for row in rows}
    for label, (function, cause) in own.items():
        assert CAUSES[cause] in reasons[label], (label, reasons[label])
        assert "\n" not in reasons[label]
        first = function.__code__.co_firstlineno
        lines = [f"(line {line} of test_failures.py)" for line in range(first, first + 5)]
        assert any(line in reasons[label] for line in lines), (label, reasons[label])
