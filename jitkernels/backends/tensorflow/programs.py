"""Make and count TensorFlow's functions, and set XLA's flags. Counts are for the whole process, like TensorFlow's programs.

TensorFlow has no XLA options for one function: users set XLA_FLAGS before the first function. On a processor with AVX-512
XLA prefers vectors of 256 bits. With 512 bits, loops of arithmetic take a fourth to a third less time, other kernels 0.93 to
1.19 times as long (docs/speed.md). So XLA is told to prefer 512 bits, unless the user's own flags name a width.
"""

import functools
import os
import uuid
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jitkernels import machine, settings
from jitkernels.backends import caches
from jitkernels.backends.table import TENSORFLOW
from jitkernels.errors import Unavailable
from jitkernels.source import Source

LOG_LEVEL = "TF_CPP_MIN_LOG_LEVEL"  # read once, when the library is loaded
ERRORS, NOTHING = "2", "3"  # with its disk cache, XLA reports an error for every program that it loads from there
with settings.variable(LOG_LEVEL, os.environ.get(LOG_LEVEL, NOTHING if caches.persistent() else ERRORS)):
    import tensorflow as tf

WIDTH = "xla_cpu_prefer_vector_width"
WIDEST = 512  # bits
SINCE = (2, 18)  # of TensorFlow: 2.15 does not know the flag, and XLA ends the process for an unknown flag
(XLA_CACHE,) = (cache for cache in TENSORFLOW.caches if cache.flag)
_flags_are_read: list[bool] = []  # not empty once XLA has read them in this process
_names = ["run"]  # the last one is the name of new functions
_traced = Counter[bool]()  # functions, by whether XLA compiles the graph
_decorated: dict[bool, list[Any]] = {False: [], True: []}  # given to ``adopt``; TensorFlow counts their traces


def is_xla(options: Mapping[str, Any]) -> bool:
    """True if XLA compiles what ``tf.function`` traces with these options."""
    return bool(options.get("jit_compile"))


def device_name(device: str) -> str:
    """Return TensorFlow's name of the device; Unavailable if it finds no such device."""
    if device == "gpu" and not tf.config.list_physical_devices("GPU"):
        raise Unavailable("TensorFlow sees no GPU; on Linux, pip install 'tensorflow[and-cuda]' and NVIDIA's driver")
    return f"/{device.upper()}:0"


def on_device(device: str) -> Any:
    """Return a context in which operations run on the device."""
    return tf.device(device_name(device))


def bound(source: Source, backend: str) -> Any:
    """Return ``run`` with the keyword-only arguments that the file's ``compiler_options`` have under "run"."""
    keywords = source.options.get(backend, {}).get("run", {})
    return functools.partial(source.run, **keywords) if keywords and source.run else source.run


def function(run: Any, options: Mapping[str, Any], name: str = "") -> Any:
    """Return ``tf.function`` of ``run`` as a user would write it, except for its name and the count of its traces."""
    # A partial has no byte code. By byte code TensorFlow would take several kernels for one that is traced again and again.
    program: Any = functools.partial(_counted, run, is_xla(options))
    program.__name__ = name or _names[-1]
    return tf.function(program, **options)


def decorate(run: Any, options: Mapping[str, Any]) -> Any:
    """Return ``tf.function`` of ``run``, without any code of this library in between."""
    decorated = tf.function(run, **options)
    adopt(decorated, options)
    return decorated


def adopt(decorated: Any, options: Mapping[str, Any]) -> None:
    """Count the traces of a function that ``tf.function`` made with these options."""
    if is_xla(options):
        read_xla_flags()
    _decorated[is_xla(options)].append(decorated)


def read_xla_flags(further: str = "") -> None:
    """Make XLA read its flags, with ``further`` ones. The environment is restored.

    XLA reads flags once in a process, at its first use. Later calls have no effect.
    """
    if _flags_are_read:
        return
    flags = f"{_flags()} {further}".strip()
    with settings.variable(settings.XLA_FLAGS, flags), tf.init_scope():  # a function may be in the middle of tracing
        nothing = tf.function(lambda: tf.constant(0), jit_compile=True)
        nothing.experimental_get_compiler_ir()(stage="hlo")  # this uses XLA without compiling
    _flags_are_read.append(True)


def xla_versions() -> dict[str, str]:
    """Return the width of vectors that XLA is told to prefer, under the flag's name, if any."""
    values = [flag.partition("=")[2] for flag in _flags().split() if WIDTH in flag]
    return {WIDTH: values[-1]} if values else {}


def rename() -> None:
    """Give new functions another name, for which XLA's disk cache has no program."""
    _names.append(f"run_{uuid.uuid4().hex}")


def traces(for_xla: bool) -> int:
    """Return how many graphs were traced for XLA, or for TensorFlow's own executor."""
    return _traced[for_xla] + sum(int(each.experimental_get_tracing_count()) for each in _decorated[for_xla])


def written() -> int | None:
    """Return how many programs XLA has compiled, by its files; None if it has no directory for them."""
    return _files() - _files_before if _directory else None


def _counted(run: Any, for_xla: bool, *arguments: Any) -> Any:
    _count(for_xla)
    return run(*arguments)


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]  # TensorFlow has no annotations
def _count(for_xla: bool) -> None:
    if for_xla:
        read_xla_flags()
    _traced[for_xla] += 1


def _flags() -> str:
    """Return the user's flags; add the width if they have none and the processor has such vectors."""
    own = settings.xla_flags()
    is_known = tuple(map(int, tf.__version__.split(".")[:2])) >= SINCE
    is_wide = machine.VECTORS["avx512f"] in machine.processor()
    return f"{own} --{WIDTH}={WIDEST}".strip() if is_known and is_wide and WIDTH not in own else own


def _files() -> int:
    return len(list(Path(_directory).glob("*.pb"))) if _directory else 0


_directory = caches.directory_of(XLA_CACHE)  # XLA read it when it was loaded
_files_before = _files()
