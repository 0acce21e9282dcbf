"""A number multiplied n times: a loop whose length is a value, which a compiler that traces cannot see.

``run(x, n) -> y``: x float32, n int32, y float32 with y = x * x * ... * x (n factors), one multiplication after the other.
Size n is the number of multiplications, and x = 1 + 1/n, so that y comes near e.

``run`` is what an expert of the compiler writes. The other spellings show what happens to a first attempt.

Source: "JAX's jit" (the seed article's ``multiply_n_times``, which ends in an error, and its way out: to compile the
multiplication alone and leave the loop to Python).
"""

from typing import Any

from jitkernels.kernel import Kernel, Raises, Reference, Spelling
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

ROUNDING = 2.0**-24  # of one float32 multiplication, relative to its result; x itself is a float32 already
LADDER = ("torch_dynamo", "torch_aot", "torch_inductor")


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Return x = 1 + 1/n as a float32, and n; the seed has no effect."""
    return _arrays.number(1 + 1 / size, "float32"), _arrays.number(size, "int32")


def check(value: Any, size: int, seed: int, reference: Reference) -> None:
    """Check that the error is within the sum of n roundings."""
    _close.within(int(reference.inputs()[1]) * ROUNDING)(value, size, seed, reference)


C = "the compiler of C sees the loop before there is a value: run is the naive spelling"

kernel = Kernel(
    name="repeated_multiply",
    summary="a loop on a value: a number multiplied n times",
    unit="multiplications",
    sizes=range(1, 2**12),  # from 2^12 on, a missing factor changes y by less than n roundings
    default_size=5,
    inputs=inputs,
    check=check,
    metrics=_close.metrics,
    work=lambda size: size,
    work_unit="multiplications",
    no_cost="each multiplication waits for the one before: no rate limits it",
    arguments={"x": Array("float32"), "n": Array("int32")},
    results={"y": Array("float32")},
    absent={"python": "the NumPy version is already plain Python"},
    spellings={
        "naive": Spelling(
            "Python's while",
            absent={"c": C, "triton": "run is Python's loop: Triton reads the source, and makes a loop of it"},
        ),
        "static": Spelling(
            "Python's while, on a number that is part of the program: unrolled, one program a number",
            static=("n",),
            absent={
                "c": C,
                "numpy": "nothing is traced: run is the naive spelling",
                "triton": "a constexpr loop is unrolled by tl.static_range; a longer one than a handful is not for it",
            },
        ),
        "per_iteration": Spelling(
            "the multiplication compiled, the loop Python's",
            absent={
                "c": "C is called once: a loop of Python's around it would measure ctypes",
                "triton": "a launch for one multiplication would measure the launches",
            },
        ),
    },
    patterns={
        "run": ("new_value",),
        "naive": ("new_value", "whole"),
        "static": ("same", "new_value"),
        "per_iteration": ("new_value",),
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
    ),
)
