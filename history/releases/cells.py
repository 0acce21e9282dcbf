"""Which cells the ladder measures: kernels, sizes and lives whose change from release to release is worth its minutes."""

import re
from collections.abc import Iterable, Sequence

REFERENCE_KERNEL = "c"  # by the system's compiler: no release of a framework changes it, so what moves is the machine

_PI = r"(monte_carlo_pi|philox_pi)"
_ON_ARRAYS = r"(dense_relu\.{0}\({1}, 100\)|black_scholes\.{0}\({1}, 1000000\)|mandelbrot\.{0}\({1}, 400\)"
_MODELS = r"|mlp_(infer|train)\.{0}\({1}, 32\))"
_COMPILER = [
    _PI + r"\.Warm\.time_call\({1}, (1000|1000000|10000000)\)",
    _PI + r"\.Cold\.time_first_call\({1}, 1000\)",
    _PI + r"\.Accuracy\.track_\w+\({1}, 1000000\)",
    r"philox_pi\.(Made|Stages)\.track_\w+\({1}, 1000, '\w+'\)",
    (_ON_ARRAYS + _MODELS).replace("{0}", r"Warm\.time_call"),
    (_ON_ARRAYS + _MODELS).replace("{0}", r"Error\.track_error"),
    r"(dense_relu|black_scholes|mlp_train)\.(Counts|Fusions)\.track_\w+\({1}, \d+\)",
]
INTERPRETED = "triton"  # where there is no GPU: smaller arrays, whose times are filed apart
_SMALL = r"(dense_relu\.{0}\({1}, 20\)|black_scholes\.{0}\({1}, 10000\)|(mandelbrot|softmax|layer_norm)\.{0}\({1}, 100\))"
_INTERPRETER = [
    _PI + r"\.Interpreted\.time_call\({1}, 1000000\)",
    _SMALL.replace("{0}", r"Interpreted\.time_call"),
    _SMALL.replace("{0}", r"Error\.track_error"),
]
_C = [_PI + r"\.Warm\.time_call\({1}, (1000000|10000000)\)", _ON_ARRAYS.replace("{0}", r"Warm\.time_call") + ")"]
_DRIFT = [
    r"philox_pi\.Warm\.time_call\({1}, (1000000|10000000)\)",
    r"philox_pi\.Cold\.time_first_call\({1}, 1000\)",
    r"philox_pi\.Stages\.track_seconds\({1}, 1000, 'total'\)",
]


def of_release(cells: Iterable[str], backends: Sequence[str]) -> list[str]:
    """A release's cells, of its compiler's backends and of the reference kernel. cells: as asv spells them."""
    interpreted = [backend for backend in backends if backend == INTERPRETED]
    return _matching(cells, [(_COMPILER, backends), (_INTERPRETER, interpreted), (_C, [REFERENCE_KERNEL])])


def of_drift(cells: Iterable[str], backends: Iterable[str]) -> list[str]:
    """What is measured again and again of the reference release."""
    return _matching(cells, [(_DRIFT, backends), (_DRIFT[:1], [REFERENCE_KERNEL])])


def _matching(cells: Iterable[str], wanted: Iterable[tuple[list[str], Iterable[str]]]) -> list[str]:
    patterns = [
        re.compile(pattern.replace("{1}", f"'{backend}'"))
        for group, backends in wanted
        for backend in backends
        for pattern in group
    ]
    return [cell for cell in cells if any(pattern.fullmatch(cell) for pattern in patterns)]
