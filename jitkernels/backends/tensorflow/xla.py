"""XLA's flags in TensorFlow, which passes XLA no options for one function: a user sets XLA_FLAGS before the first one.

On a processor with AVX-512 XLA prefers vectors of 256 bits. With wider ones loops of arithmetic take a fourth to a third
less time, and other kernels about the same (docs/speed.md). So XLA is told to prefer 512 bits, unless the user's own flags
say what it prefers.
"""

import os

from jitkernels import machine, settings

import tensorflow as tf  # isort: skip

FLAGS = "XLA_FLAGS"
WIDTH = "xla_cpu_prefer_vector_width"
WIDEST = 512  # bits
SINCE = (2, 18)  # of TensorFlow: 2.15 does not know the flag, and XLA ends a process with an unknown one
_read: list[bool] = []  # not empty once XLA has read them in this process


def read_flags(further: str = "") -> None:
    """Have XLA read its flags, with ``further`` ones. The environment stays as it was.

    XLA reads flags once a process, at its first use. Where it has, nothing happens.
    """
    if _read:
        return
    flags = f"{_flags()} {further}".strip()
    with settings.variable(FLAGS, flags), tf.init_scope():  # a function may be on its way into a graph
        nothing = tf.function(lambda: tf.constant(0), jit_compile=True)
        nothing.experimental_get_compiler_ir()(stage="hlo")  # XLA is used, and compiles nothing
    _read.append(True)


def versions() -> dict[str, str]:
    """Return the width of vectors that XLA is told to prefer, under the flag's name; nothing where it is told none."""
    values = [flag.partition("=")[2] for flag in _flags().split() if WIDTH in flag]
    return {WIDTH: values[-1]} if values else {}


def _flags() -> str:
    """Return the user's flags, with the width where they have none and the processor is wide enough."""
    own = os.environ.get(FLAGS, "")
    is_known = tuple(map(int, tf.__version__.split(".")[:2])) >= SINCE
    is_wide = machine.VECTORS["avx512f"] in machine.processor()
    return f"{own} --{WIDTH}={WIDEST}".strip() if is_known and is_wide and WIDTH not in own else own
