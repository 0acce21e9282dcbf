"""The square of an even number, the cube of any other: a branch on a value, which a compiler that traces cannot see.

``run(x) -> y``: x float32, y float32 with ``y = x * x`` where ``x % 2 == 0`` and ``y = x * x * x`` elsewhere; NaN is not
even and stays NaN. Size n is the number itself: x = n. Every y up to 256^3 = 2^24 is a float32, so nothing is rounded.

``run`` is what an expert of the compiler writes. The other spellings show what happens to a first attempt.

Source: "JAX's jit" (the seed article's ``square_or_cube``, which ends in an error).
"""

from jitkernels.kernel import Kernel, Raises, Spelling
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

TOLERANCE = 0.0  # whole numbers up to 2^24: nothing is rounded
LADDER = ("torch_dynamo", "torch_aot", "torch_inductor")

C = "the compiler of C sees the branch before there is a value: run is the naive spelling"
NOT_TRACED = "nothing is traced: run is the naive spelling, and both branches are there"

kernel = Kernel(
    name="square_or_cube",
    summary="a branch on a value: the square of an even number, the cube of another",
    unit="number",
    sizes=range(0, 257),
    default_size=3,
    inputs=lambda size, seed: (_arrays.number(size, "float32"),),  # the number itself; the seed has no effect
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: 1,
    work_unit="branches",
    no_cost="a multiplication or two are no work: the call itself takes the time",
    arguments={"x": Array("float32")},
    results={"y": Array("float32")},
    absent={"python": "the NumPy version is already plain Python"},
    spellings={
        "naive": Spelling(
            "Python's if",
            absent={"c": C, "triton": "run is Python's if: Triton reads the source, and makes a branch of it"},
        ),
        "static": Spelling(
            "Python's if, on a number that is part of the program: one program a number",
            static=("x",),
            absent={
                "c": C,
                "numpy": NOT_TRACED,
                "numba": "numba.literally makes constants of whole numbers, not of floats",
                "triton": "a float is no constexpr worth compiling for: run branches where it runs",
            },
        ),
        "where": Spelling(
            "both branches, and a choice of one result",
            absent={"c": C, "triton": "its compiler turns short branches into a choice by itself"},
        ),
        "cond": Spelling(
            "the framework's own function of two functions",
            absent={"c": C, "numpy": NOT_TRACED, "numba": NOT_TRACED, "triton": "a branch in Triton is Python's if"},
        ),
    },
    patterns={
        "run": ("new_value",),
        "naive": ("new_value", "whole"),
        "static": ("same", "new_value"),
        "where": ("new_value",),
        "cond": ("new_value",),
    },
    raises=(
        Raises("naive", ("jax",), "TracerBoolConversionError", "Attempted boolean conversion of traced array"),
        Raises("naive", LADDER, "Unsupported", "Data-dependent branching", patterns=("whole",)),
        Raises(
            "naive",
            ("tensorflow_graph", "tensorflow_xla"),
            "OperatorNotAllowedInGraphError",
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed",
            patterns=("whole",),
        ),
        Raises("cond", ("torch_script",), "UnsupportedNodeError", "function definitions aren't supported"),
    ),
)
