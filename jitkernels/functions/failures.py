"""Explain an exception of a compiler to the function's author: the telling line, the place, the known cause."""

import os
import re
import traceback

PREAMBLE = re.compile(
    r"^(Failed in|During:|This error|Traceback|Enable |\[\d+\]|No implementation of function Function\(<built)"
)
PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')

CAUSES = {
    "size argument": "the length of the result depends on values: give the function size=(...)",
    "TracerBoolConversionError": "a branch on a traced value: jnp.where, jax.lax.cond, or static=(...) for an argument",
    "TracerIntegerConversionError": "a traced number where Python needs a whole one: name the argument in static=(...)",
    "ConcretizationTypeError": "a traced number where Python needs its value, as a shape does: name it in static=(...)",
    "TracerArrayConversionError": "a function of NumPy was called with a traced array: use jax.numpy's",
    "NonConcreteBooleanIndexError": "a mask gives a shape that depends on values: jnp.where keeps the shape",
    "JAX arrays are immutable": "JAX's arrays do not change: x = x.at[i].set(value)",
    "OperatorNotAllowedInGraphError": "a branch or loop on a tensor that AutoGraph left alone: tf.cond, tf.while_loop",
    "has been deleted": "every call gets the same arguments, so none may be donated: no donate_argnums",
    "Tensor (inferred)": "TorchScript takes an argument without annotation for a tensor: annotate it, as n: int",
    "Data-dependent branching": "a branch on a tensor's value: torch.where, or torch.cond",
    "Numba type of <class 'function'>": "Numba calls only what it compiled: decorate the helper, or itself, with njit",
    "Untyped global name": "Numba compiles globals of simple types alone: pass it as an argument, or as a tuple",
    "reflected list": "Numba has typed lists alone: numba.typed.List, or an array",
    "precise type": "a variable, often an empty list, has no type yet: make an array of the right dtype",
    "Cannot unify": "a variable has another type in another branch: give it one type before the branch",
    "(<unknown>, line": "the compiler reads the source, and no lambda in an expression: write a def",
    "must be Tensor, not": "a Python number where torch wants a tensor: torch.as_tensor(value)",
}
"""Advice, by a part of the exception's name or text."""


class Unchecked(Exception):  # noqa: N818  # no fault of the function whose answer it is
    """An answer cannot be checked. Its text says why, in one line."""


def describe(error: BaseException, file: str) -> str:
    """Return the exception in one line: its type, its telling line, the line of the user's file, and the known cause."""
    if isinstance(error, Unchecked):
        return str(error)
    text, kind = str(error).strip(), type(error).__name__
    place = _place(error, text, file)
    cause = next((advice for part, advice in CAUSES.items() if part in f"{kind} {text}"), "")
    return f"{kind}: {_telling(text)}{place}{f'; {cause}' if cause else ''}"


def _telling(text: str) -> str:
    """Return the first line after a compiler's preamble."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not PREAMBLE.match(line)), lines[0] if lines else "")


def _place(error: BaseException, text: str, file: str) -> str:
    """Return the last line of the user's file that the exception went through, or names."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if os.path.realpath(frame.filename) == os.path.realpath(file)]
    lines += [int(match["line"]) for match in PLACE.finditer(text) if file and file.endswith(match["file"].lstrip("./"))]
    return f" (line {lines[-1]} of {file.rpartition('/')[2]})" if lines else ""
