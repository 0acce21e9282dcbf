"""Each bad input of ``jitkernels.compare`` is an error in one line."""

import functools
import sys
from typing import Any

import numpy as np
import pytest
import user_functions

import jitkernels
from jitkernels.functions import arguments

FUNCTIONS = {"numpy": user_functions.right}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"functions": {}}, "give functions by backend"),
        ({"functions": [user_functions.right]}, "give functions by backend"),
        ({"functions": {"numpy": 3}}, "'numpy' must be a function, not a int"),
        ({"functions": {3: user_functions.right}}, "a label is a backend's name, as 'numba' or 'numba: tiled', and not 3"),
        (
            {"functions": {"gcc": user_functions.right}},
            "unknown backend 'gcc'; a label begins with one of python, numpy, numba",
        ),
        ({"functions": {"c": user_functions.right}}, "C compiles no function of Python's; a label begins with one of"),
        ({"functions": {"numpy": user_functions.generator}}, "'numpy' is a generator: its call computes nothing"),
        ({"functions": {"numpy": user_functions.coroutine}}, "'numpy' is a coroutine function: its call computes nothing"),
        (
            {"functions": {"numpy": functools.cache(user_functions.right)}},
            "'numpy' remembers its answers (lru_cache): give it",
        ),
        (
            {"functions": {"numpy": jitkernels.perf_time(user_functions.right)}},
            "'numpy' would be timed with its decorator, perf_time or value_acc: give it undecorated",
        ),
        (
            {"functions": {"numba": user_functions.namespace, "numpy": user_functions.right}},
            "numba has no namespace for xp; backends of numpy",
        ),
        ({"functions": {"array_api": user_functions.right}}, "the first parameter of an array_api function must be xp"),
        ({"functions": {"jax": user_functions.right}}, "there is no reference: reference= names the function"),
        ({"reference": "jax"}, "the reference 'jax' is none of the functions"),
        ({"reference": user_functions.right}, "the reference must be a function's label, such as 'numpy', and not the"),
        ({"reference": ["numpy"]}, "the reference ['numpy'] is none of the functions"),
        (
            {"functions": {"numpy": user_functions.two_arguments}},
            "the reference numpy cannot be called: it does not take the 1 argument that inputs gives",
        ),
        ({"sizes": 100}, "sizes must be whole numbers, one at least"),
        ({"sizes": np.array(100)}, "sizes must be whole numbers, one at least"),
        ({"sizes": "100"}, "sizes must be whole numbers, one at least"),
        ({"sizes": []}, "sizes must be whole numbers, one at least"),
        ({"sizes": ["many"]}, "each size must be a whole number from 1 to 4611686018427387904, got 'many'"),
        ({"sizes": [0]}, "each size must be a whole number from 1"),
        ({"sizes": [1.5]}, "each size must be a whole number from 1"),
        ({"inputs": 3}, "inputs must be a function of size and rng, not a int"),
        ({"inputs": lambda size: ()}, "inputs must take size and rng: too many positional arguments"),
        ({"inputs": lambda size, rng: size / 0}, "inputs(10, rng) raises ZeroDivisionError: division by zero (line "),
        ({"inputs": lambda size, rng: sys.exit(0)}, "inputs(10, rng) raises SystemExit: 0 (line "),
        ({"inputs": user_functions.too_large}, "inputs of size 10 do not fit into memory: Unable to allocate"),
        ({"inputs": lambda size, rng: [1, 2]}, "inputs must return NumPy arrays and numbers, in a tuple; entry 0 is a list"),
        ({"inputs": lambda size, rng: (np.array(["a"]),)}, "inputs must return arrays of numbers; entry 0 holds <U1"),
        (
            {"inputs": lambda size, rng: (rng.random(2 * size)[::2],)},
            "inputs must return arrays as .copy() makes them: a function gets a copy, which has no gaps",
        ),
        ({"inputs": lambda size, rng: (np.broadcast_to(rng.random(3), (size, 3)),)}, "entry 0 has other strides"),
        ({"inputs": lambda size, rng, counts=[1, 2]: (1,) * counts.pop()}, "gave other numbers the second time"),
        ({"inputs": user_functions.ever_new}, "gave other numbers the second time: draw them from rng alone"),
        ({"rtol": -1}, "rtol must be a number, 0 or more, got -1"),
        ({"atol": float("nan")}, "atol must be a number, 0 or more, got nan"),
        ({"static": "x"}, "static must be a tuple of names, as ('n',), got 'x'"),
        ({"static": ("y",)}, "static names 'y', and no function has an argument of that name: x"),
        ({"lives": "cold"}, "lives must be a tuple of names, as ('cold',), got 'cold'"),
        ({"lives": ("hot",)}, "unknown life 'hot'; known: cold, cached, retrace, memory"),
        ({"processes": 0}, "processes must be a whole number from 1 to 100, got 0"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"timeout": 0}, "timeout must be seconds, more than 0, got 0"),
        ({"timeout": float("inf")}, "timeout must be seconds, more than 0, got inf"),
    ],
)
def test_a_mistake_is_one_line(change: dict[str, Any], words: str) -> None:
    arguments = {"functions": FUNCTIONS, "inputs": user_functions.inputs, "sizes": [10], **change}
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z") as mistake:
        jitkernels.compare(**arguments)
    assert words in str(mistake.value)


def test_a_size_may_be_written_with_an_exponent() -> None:
    assert arguments.sizes([1e3, 1000, np.float64(1e6)]) == [1000, 1_000_000]


def test_without_numpy_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: None)
    with pytest.raises(ValueError, match=r"\Ainputs needs NumPy for rng: pip install 'jitkernels\[numpy\]'\Z"):
        jitkernels.compare(FUNCTIONS, user_functions.inputs, [10])
