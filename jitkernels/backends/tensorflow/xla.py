"""XLA's flags in TensorFlow, which has no XLA options for one function: users set XLA_FLAGS before the first function.

On a processor with AVX-512 XLA prefers vectors of 256 bits. With 512 bits, loops of arithmetic take a fourth to a third
less time, other kernels 0.93 to 1.19 times as long (docs/speed.md). So XLA is told to prefer 512 bits, unless the user's
own flags name a width.
"""

import os
from pathlib import Path

from jitkernels import machine, settings

import tensorflow as tf  # isort: skip

FLAGS = "XLA_FLAGS"
WIDTH = "xla_cpu_prefer_vector_width"
WIDEST = 512  # bits
SINCE = (2, 18)  # of TensorFlow: 2.15 does not know the flag, and XLA ends the process for an unknown flag
_read: list[bool] = []  # not empty once XLA has read them in this process


def read_flags(further: str = "") -> None:
    """Make XLA read its flags, with ``further`` ones. The environment is restored.

    XLA reads flags once in a process, at its first use. Later calls have no effect.
    """
    if _read:
        return
    flags = f"{_flags()} {further}".strip()
    with settings.variable(FLAGS, flags), tf.init_scope():  # a function may be in the middle of tracing
        nothing = tf.function(lambda: tf.constant(0), jit_compile=True)
        nothing.experimental_get_compiler_ir()(stage="hlo")  # this uses XLA without compiling
    _read.append(True)


def versions() -> dict[str, str]:
    """Return the width of vectors that XLA is told to prefer, under the flag's name, if any."""
    values = [flag.partition("=")[2] for flag in _flags().split() if WIDTH in flag]
    return {WIDTH: values[-1]} if values else {}


def _flags() -> str:
    """Return the user's flags; add the width if they have none and the processor has such vectors."""
    own = os.environ.get(FLAGS, "").strip()
    if own and not own.startswith("-"):  # XLA takes it for the name of a file, and goes on without one
        file = Path(own)
        own = file.read_text(encoding="utf-8").strip() if file.is_file() else ""
    is_known = tuple(map(int, tf.__version__.split(".")[:2])) >= SINCE
    is_wide = machine.VECTORS["avx512f"] in machine.processor()
    return f"{own} --{WIDTH}={WIDEST}".strip() if is_known and is_wide and WIDTH not in own else own
