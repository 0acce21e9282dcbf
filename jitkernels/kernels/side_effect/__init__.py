"""The square of a number, by functions that also print and append to a list: what a compiler does with side effects.

``run(num) -> squared``: num float32, squared float32 with ``squared = num ** 2``. Size n is the number itself, up to 4096,
whose square 2^24 is a float32: nothing is rounded.

``run`` has no side effect, as every compiler expects; with it, the call patterns find when a compiler compiles again.
``prints`` and ``appends`` are the article's two functions. What they print, and what the file's list ``held`` holds
afterwards, shows when Python ran and on which values.

Source: "JAX's jit" (the seed article's ``number_squared``, and its chapter on caching).
"""

from jitkernels.kernel import Kernel, Raises, Spelling
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

TOLERANCE = 0.0  # whole numbers up to 2^24: nothing is rounded
LADDER = ("torch_dynamo", "torch_aot", "torch_inductor")
CACHING = ("same", "new_value", "new_number", "new_shape", "new_dtype", "anew", "anew_closure")

C = "a program in C has no list of Python's, and its printing is no effect of tracing"
TRITON = "a kernel in Triton writes to memory alone; run, which launches it, is Python's and no part of the program"

kernel = Kernel(
    name="side_effect",
    summary="the square of a number, by functions that also print and append to a list",
    unit="number",
    sizes=range(0, 4097),
    default_size=3,
    inputs=lambda size, seed: (_arrays.number(size, "float32"),),  # the number itself; the seed has no effect
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: 1,
    work_unit="squares",
    no_cost="a multiplication or two are no work: the call itself takes the time",
    arguments={"num": Array("float32")},
    results={"squared": Array("float32")},
    absent={"python": "the NumPy version is already plain Python"},
    spellings={
        "prints": Spelling("prints its argument", absent={"c": C, "triton": TRITON}),
        "appends": Spelling("appends the square to a list of its module", absent={"c": C, "triton": TRITON}),
        "static": Spelling(
            "on a number that is part of the program",
            static=("num",),
            absent={
                "c": C,
                "numpy": "nothing is compiled, so nothing is a constant of the program",
                "numba": "numba.literally makes constants of whole numbers, not of floats",
                "triton": "a float is no constexpr worth compiling for",
            },
        ),
    },
    patterns={
        "run": CACHING,
        "prints": ("new_value", "whole"),
        "appends": ("new_value", "whole"),
        "static": ("new_value",),
    },
    raises=(
        Raises("appends", ("numba", "numba_parallel"), "TypingError", "Untyped global name 'held'"),
        Raises(
            "appends", ("torch_script",), "RuntimeError", "attribute lookup is not defined on python value of type 'list'"
        ),
        Raises("prints", LADDER, "Unsupported", "Failed to trace builtin operator", patterns=("whole",)),
        Raises("run", ("torch_script",), "RuntimeError", "Expected a value of type 'Tensor", patterns=("new_number",)),
        Raises("run", ("triton",), "TypeError", "must be Tensor, not float", patterns=("new_number",)),
    ),
)
