"""Which benchmark cases a run measures.

A **benchmark case** is one benchmark with one combination of its parameters, as asv writes it: ``name('numba', 1000)``. A
selection is a list of regular expressions, and selects every case that one of them matches. A test requires that each
alternative of each expression matches a case.
"""

import re
from collections.abc import Iterable, Sequence

# The gate takes these from BASE's suite, and ``dialect_of`` from its own checkout. Of HEAD's suite it takes selections only.
from ._launch import dialect_of as dialect_of
from ._launch import group as group
from ._launch import needs_threads as needs_threads
from ._launch import variables as variables

# Selections for commits. PI: the cost of a call, and of its work, on all backends.

SLOW_TO_BEGIN = "python|torch_dynamo|torch_aot"
"""These backends need seconds for a call of philox_pi at a million points, or for tracing it, which every process repeats.
Tracing takes one to three seconds even for a thousand points."""
LONG_CALLS = "jax_eager|tensorflow_eager|triton"
"""These backends need 60 to 140 ms for a call of philox_pi at a million points: too few calls fit into a pair."""
_MODEL_COMPILERS = "jax|tensorflow_xla|torch_eager|torch_inductor"
_COMPILERS = f"c|numba|{_MODEL_COMPILERS}"
_MODES = f"{_COMPILERS}|tensorflow_graph|torch_script"
PI = [
    r"^monte_carlo_pi\.(Warm|Interpreted)\.time_call\('(?!numba_parallel).*, 1000\)$",
    rf"^philox_pi\.Warm\.time_call\('(?!{SLOW_TO_BEGIN}|{LONG_CALLS}).*, 1000000\)$",
    rf"^philox_pi\.(Warm|Interpreted)\.time_call\('({LONG_CALLS})', 100000\)$",
    r"^philox_pi\.Warm\.time_call\('python', 1000\)$",
]
PI_AT_SIZE = [
    r"^monte_carlo_pi\.Warm\.time_call\('(?!python).*, 1000000\)$",
    r"^monte_carlo_pi\.(Warm|Interpreted)\.time_call\('(python|triton)', 100000\)$",
]
ACCURACY = [
    r"^monte_carlo_pi\.Accuracy\.track_error\(.*, 1000000\)$",
    rf"^philox_pi\.Accuracy\.track_hits\('(?!{SLOW_TO_BEGIN}).*, 1000000\)$",
    rf"^philox_pi\.Accuracy\.track_hits\('({SLOW_TO_BEGIN})', 1000\)$",
]
FOUR = [
    rf"^dense_relu\.Warm\.time_call\('({_COMPILERS})', 20\)$",
    rf"^black_scholes\.Warm\.time_call\('({_COMPILERS})', 1000000\)$",
    rf"^mandelbrot\.Warm\.time_call\('({_COMPILERS})', 100\)$",
    rf"^mlp_train\.Warm\.time_call\('({_MODEL_COMPILERS})', 32\)$",
]


def _others(compilers: str, of_models: str) -> list[str]:
    """Return a warm call of each other kernel on these backends, at a size that takes 0.1 to 20 ms on most."""
    return [
        rf"^dense\.Warm\.time_call\('({compilers})', 20\)$",
        rf"^(layer_norm|relu|softmax)\.Warm\.time_call\('({compilers})', 100\)$",
        rf"^heat_2d\.Warm\.time_call\('({compilers})', 256\)$",
        rf"^nbody\.Warm\.time_call\('({compilers})', 200\)$",
        rf"^(side_effect|square_or_cube)\.Warm\.time_call\('({compilers})', 3\)$",
        rf"^repeated_multiply\.Warm\.time_call\('({compilers})', 1000\)$",
        rf"^attention_(infer|train)\.Warm\.time_call\('({of_models})', 1\)$",
        rf"^mlp_infer\.Warm\.time_call\('({of_models})', 32\)$",
        rf"^convnet_(infer|train)\.Warm\.time_call\('({of_models})', 64\)$",
    ]


VERDICT = [*PI, *FOUR, *_others("numba|jax|torch_inductor", "jax|torch_inductor")]
"""The times that judge a change of code that all kernels share."""
HISTORY = [
    *VERDICT,
    rf"^(black_scholes|monte_carlo_pi|philox_pi)\.Warm\.time_call\('({_MODES})', 1000000\)$",
    *_others(_COMPILERS, _MODEL_COMPILERS),
]
"""What a commit's duet with the anchor measures, and what judges a change of one framework: more compilers."""
PER_COMMIT = "|".join([*VERDICT, *ACCURACY])
"""What calibration measures. ``gate --all`` measures all exact figures and FIRST_CALLS too."""
FIRST_VIEW = [  # the ends of both curves; cold starts without Inductor's, which takes minutes; each backend's error
    r"^(monte_carlo_pi|philox_pi)\.(Warm|Interpreted)\.time_call\(.*, (1000|1000000)\)$",
    r"^philox_pi\.Accuracy\.track_(hits|error|z)\(.*, 1000000\)$",
    r"^philox_pi\.Cold\.time_first_call\('(c|numba|jax|tensorflow_xla)', 1000\)$",
]
QUICK = "|".join([*PI, *PI_AT_SIZE, *ACCURACY, *FOUR, *FIRST_VIEW])
"""What ``make bench`` measures of a commit: some of the verdict's cases, and the site's first view."""
NIGHT = "."
"""What ``make nightly`` and ``make bench FULL=1`` measure: everything."""

FIRST_CALLS = [r"^philox_pi\.Cold\.time_first_call\('(c|jax|numba|torch_inductor)', 1000\)$"]
"""The first calls that judge a change of their compiler: slowdowns of these by 50 % are found (docs/gate.md)."""
FEW = 2  # kernels or frameworks
ONE_KERNEL = [
    r"^\w+\.(Warm|Interpreted|Apart|Loop)\.time_call\(",
    r"^\w+\.Spellings\.time_call\('\w+', '(?!run)",
]
"""The times that judge a change of one or two kernels, except TOO_LONG."""
TOO_LONG = [
    r"_pi\.(Warm|Interpreted)\.time_call\(.*, (10000|100000|10000000|100000000)\)$",
    r"_pi\.(Warm|Interpreted)\.time_call\('(python|triton)', 1000000\)$",
    rf"^philox_pi\.Warm\.time_call\('({SLOW_TO_BEGIN}|jax_eager|tensorflow_eager)', 1000000\)$",
    r"^(attention_train\.Warm.*, 32|heat_2d\.Warm.*, 1024|mandelbrot\.Warm.*, 400|nbody\.Warm.*, 1000)\)$",
    r"^(layer_norm|softmax)\.Warm\.time_call\('\w+_(eager|graph|aot)', 10000\)$",
    r"^heat_2d\.Interpreted\.",
]
"""Sizes with calls of about 0.1 s or longer on many backends, so that few fit into a pair; and sizes between others."""
UNJUDGED = [
    r"\.(Cached|Dispatch|FirstStep|Memory|Roof|Stages|Threads)\.",
    r"^(?!philox_pi)\w+\.Cold\.",
    r"\.Retraces\.track_seconds\(",
    r"\.AheadOfTime\.track_(build_seconds|bytes|first_call_seconds|first_calls_spread|load_seconds|warm_over_jit)\(",
]
"""Benchmarks that judge no change. A process has one noisy figure of them, or a warm call judges their part of the code."""

# What measures a release of a compiler: kernels, sizes and lives whose changes between releases are worth the minutes.
# BACKEND stands for the backends of the release's compiler.

REFERENCE_KERNEL = "c"  # by the system's compiler: no release of a framework changes it, so its changes are the machine's
INTERPRETED = "triton"  # without a GPU: smaller arrays, filed separately
_PI = r"^(monte_carlo_pi|philox_pi)\."
_ARRAYS = ((r"^dense_relu\.", 100), (r"^black_scholes\.", 1_000_000), (r"^mandelbrot\.", 400))
_WHOLE = r"(?!'\w+_(eager|graph|dynamo|aot|script)')"  # other modes need up to a second for a call of these sizes
_SMALL = ((r"^dense_relu\.", 20), (r"^black_scholes\.", 10_000), (r"^(mandelbrot|softmax|layer_norm)\.", 100))
RELEASE = [
    _PI + r"Warm\.time_call\(BACKEND, (1000|1000000|10000000)\)$",
    _PI + r"Cold\.time_first_call\(BACKEND, 1000\)$",
    _PI + r"Accuracy\.track_\w+\(BACKEND, 1000000\)$",
    r"^philox_pi\.(Made|Stages)\.track_\w+\(BACKEND, 1000, '\w+'\)$",
    *(rf"{kernel}(Warm\.time_call|Error\.track_error)\(BACKEND, {size}\)$" for kernel, size in _ARRAYS),
    r"^mlp_(infer|train)\.(Warm\.time_call|Error\.track_error)\(BACKEND, 32\)$",
    r"^(dense_relu|black_scholes|mlp_train)\.Counts\.track_\w+\(BACKEND, \d+\)$",
    r"^mlp_train\.Fusions\.track_\w+\(BACKEND, \d+\)$",
    r"^philox_pi\.Instructions\.track_count\(BACKEND, \d+\)$",
]
RELEASE_INTERPRETED = [
    _PI + r"Interpreted\.time_call\(BACKEND, 1000000\)$",
    *(rf"{kernel}(Interpreted\.time_call|Error\.track_error)\(BACKEND, {size}\)$" for kernel, size in _SMALL),
]
RELEASE_REFERENCE = [
    _PI + r"Warm\.time_call\(BACKEND, (1000000|10000000)\)$",
    *(rf"{kernel}Warm\.time_call\(BACKEND, {size}\)$" for kernel, size in _ARRAYS),
]
RELEASE_DUET = [
    _PI + r"Warm\.time_call\(BACKEND, (1000|1000000)\)$",
    _PI + r"Cold\.time_first_call\(BACKEND, 1000\)$",
    r"^dense_relu\.Warm\.time_call\(BACKEND, (20|100)\)$",
    r"^black_scholes\.Warm\.time_call\(BACKEND, (10000|1000000)\)$",
    r"^mandelbrot\.Warm\.time_call\(BACKEND, (100|400)\)$",
    r"^heat_2d\.Warm\.time_call\(BACKEND, 256\)$",
    r"^nbody\.Warm\.time_call\(BACKEND, 200\)$",
    rf"^(heat_2d\.Warm\.time_call\({_WHOLE}BACKEND, 1024|nbody\.Warm\.time_call\({_WHOLE}BACKEND, 1000)\)$",
    r"^mlp_(infer|train)\.Warm\.time_call\(BACKEND, (1|32)\)$",
    r"^attention_infer\.Warm\.time_call\(BACKEND, (1|32)\)$",
]
RELEASE_DUET_INTERPRETED = [
    _PI + r"Interpreted\.time_call\(BACKEND, 1000\)$",
    *(rf"{kernel}Interpreted\.time_call\(BACKEND, {size}\)$" for kernel, size in _SMALL),
]
RELEASE_DUET_REFERENCE = [r"^philox_pi\.Warm\.time_call\(BACKEND, 1000000\)$"]
DRIFT_REFERENCE = [r"^philox_pi\.Warm\.time_call\(BACKEND, (1000000|10000000)\)$"]
DRIFT = [
    *DRIFT_REFERENCE,
    r"^philox_pi\.Cold\.time_first_call\(BACKEND, 1000\)$",
    r"^philox_pi\.Stages\.track_seconds\(BACKEND, 1000, 'total'\)$",
]

# What ranks backends: each kernel at its most telling size, on the compilers, C, and whole operations.

_RANKED = "numpy|c|numba|numba_parallel|jax|tensorflow_xla|torch_eager|torch_inductor"
RANKED = [*_RANKED.split("|"), "triton"]  # those that are installed
_RANKED_MODELS = "numpy|jax|tensorflow_xla|torch_eager|torch_inductor"
_RANKED_SIZES = [
    ("monte_carlo_pi|philox_pi|black_scholes", _RANKED, 1_000_000),
    ("dense|dense_relu|relu", _RANKED, 100),
    ("softmax|layer_norm", _RANKED, 10_000),
    ("heat_2d", _RANKED, 256),
    ("mandelbrot", _RANKED, 400),
    ("nbody|repeated_multiply", _RANKED, 1_000),
    ("side_effect|square_or_cube", _RANKED, 3),
    ("attention_infer|attention_train|mlp_infer|mlp_train", _RANKED_MODELS, 32),
    ("convnet_infer|convnet_train", "jax|tensorflow_xla|torch_eager|torch_inductor", 64),
]
_SIZES_ON_GPU = [  # large enough for a GPU, and its host computes the reference answer within seconds
    ("monte_carlo_pi|philox_pi", 100_000_000),
    ("black_scholes", 1_000_000),
    ("softmax|layer_norm", 10_000),
    ("dense_relu", 300),
    ("heat_2d|mlp_infer|mlp_train", 1024),
    ("mandelbrot|nbody", 1_000),
    ("attention_infer|attention_train|convnet_infer|convnet_train", 64),
]
RANKING = [rf"^({kernels})\.Warm\.time_call\('({backends})', {size}\)$" for kernels, backends, size in _RANKED_SIZES]


def of_verdict(cases: Iterable[str]) -> list[str]:
    """Return the cases whose times judge a change: all short calls if one or two kernels change; a selection if more do, a
    wider one if these are of one or two frameworks; and first calls."""
    names = list(cases)
    first_calls = selected(names, FIRST_CALLS)
    if len({case.partition(".")[0] for case in names}) > FEW:
        return selected(names, HISTORY if len({dialect_of(case) for case in names}) <= FEW else VERDICT) + first_calls
    too_long = {*selected(names, TOO_LONG)}
    return [case for case in selected(names, ONE_KERNEL) if case not in too_long] + first_calls


def of_release(cases: Iterable[str], backends: Sequence[str]) -> list[str]:
    """Return the cases that measure a release: of its compiler's backends, and of the reference kernel."""
    return _of_release(cases, backends, RELEASE, RELEASE_INTERPRETED, RELEASE_REFERENCE)


def of_release_duet(cases: Iterable[str], backends: Sequence[str]) -> list[str]:
    """Return the times that compare two releases: of their compiler's backends, and of the reference kernel."""
    return _of_release(cases, backends, RELEASE_DUET, RELEASE_DUET_INTERPRETED, RELEASE_DUET_REFERENCE)


def _of_release(
    cases: Iterable[str], backends: Sequence[str], own: list[str], interpreted: list[str], reference: list[str]
) -> list[str]:
    groups = ((own, backends), (interpreted, {INTERPRETED} & {*backends}), (reference, [REFERENCE_KERNEL]))
    return selected(cases, [each for expressions, names in groups if names for each in of_backends(expressions, names)])


def of_drift(cases: Iterable[str], backends: Iterable[str]) -> list[str]:
    """Return the cases of the reference release that are measured repeatedly."""
    return selected(cases, [*of_backends(DRIFT, backends), *of_backends(DRIFT_REFERENCE, [REFERENCE_KERNEL])])


def of_ranking(cases: Iterable[str], kernels: Sequence[str] = ()) -> list[str]:
    """Return the cases that rank backends: RANKING's, or those of ``kernels`` at all sizes on all backends."""
    return selected(cases, [rf"^({'|'.join(kernels)})\.Warm\.time_call\("] if kernels else RANKING)


def sizes_of_ranking(device: str) -> list[tuple[str, int]]:
    """Return the kernels, each with its size, that are ranked on a device with another Python's packages."""
    cpu = [(kernels, size) for kernels, _, size in _RANKED_SIZES]
    return [(name, size) for kernels, size in (cpu if device == "cpu" else _SIZES_ON_GPU) for name in kernels.split("|")]


def of_backends(expressions: Iterable[str], backends: Iterable[str]) -> list[str]:
    """Return the expressions with the backends in BACKEND's place."""
    names = "|".join(backends)
    return [expression.replace("BACKEND", f"'({names})'") for expression in expressions]


def selected(cases: Iterable[str], expressions: Sequence[str]) -> list[str]:
    """Return the cases that match one of the regular expressions, as for asv's ``--bench``."""
    return [case for case in cases if any(re.search(expression, case) for expression in expressions)]
