"""Which benchmark cases a run measures, and how the process of each begins.

A **benchmark case** is one benchmark with one combination of its parameters, by asv's own spelling: ``name('numba', 1000)``.
A selection is a list of regular expressions, one of which finds each case that it selects. A test holds every alternative of
every expression to find one.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from . import _library
from ._library import BACKENDS, caches

# What commits are measured by. PI: what a call costs, and what its work does, on all backends.

SLOW_TO_BEGIN = "python|torch_dynamo|torch_aot"
"""A call of philox_pi at a million points, or tracing it, which is done anew in each process, takes these seconds; tracing
takes one or three for a thousand points too."""
LONG_CALLS = "jax_eager|tensorflow_eager|triton"
"""A call of philox_pi at a million points takes these 60 to 140 ms: too few fit into a pair to know its ratio."""
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
    """Return a warm call of each of the other kernels on these backends, at a size where it takes 0.1 to 20 ms on most."""
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
"""The times by which a change of what all kernels share is judged."""
HISTORY = [
    *VERDICT,
    rf"^(black_scholes|monte_carlo_pi|philox_pi)\.Warm\.time_call\('({_MODES})', 1000000\)$",
    *_others(_COMPILERS, _MODEL_COMPILERS),
]
"""What a commit's duet with the anchor measures, and by what a change of one framework is judged: more compilers."""
PER_COMMIT = "|".join([*VERDICT, *ACCURACY])
"""What calibration measures, and ``gate --all`` beside all exact figures."""
FIRST_VIEW = [  # the ends of both curves; cold starts, but for Inductor's, which takes minutes; how near each comes to pi
    r"^(monte_carlo_pi|philox_pi)\.(Warm|Interpreted)\.time_call\(.*, (1000|1000000)\)$",
    r"^philox_pi\.Accuracy\.track_(hits|error|z)\(.*, 1000000\)$",
    r"^philox_pi\.Cold\.time_first_call\('(c|numba|jax|tensorflow_xla)', 1000\)$",
]
QUICK = "|".join([*PI, *PI_AT_SIZE, *ACCURACY, *FOUR, *FIRST_VIEW])
"""What ``make bench`` measures of a commit: some of the verdict's cases, and the site's first view."""
NIGHT = "."
"""What ``make nightly`` and ``make bench FULL=1`` measure: everything."""

FEW = 2  # kernels or frameworks
ONE_KERNEL = [
    r"^\w+\.(Warm|Interpreted|Apart|Loop)\.time_call\(",
    r"^monte_carlo_pi\.Spellings\.time_call\('\w+', 'plain', ",
]
"""The times by which a change of one or two kernels is judged, but for TOO_LONG."""
TOO_LONG = [
    r"_pi\.(Warm|Interpreted)\.time_call\(.*, (10000|100000|10000000|100000000)\)$",
    r"_pi\.(Warm|Interpreted)\.time_call\('(python|triton)', 1000000\)$",
    rf"^philox_pi\.Warm\.time_call\('({SLOW_TO_BEGIN}|jax_eager|tensorflow_eager)', 1000000\)$",
    r"^(attention_train\.Warm.*, 32|heat_2d\.Warm.*, 1024|mandelbrot\.Warm.*, 400|nbody\.Warm.*, 1000)\)$",
    r"^(layer_norm|softmax)\.Warm\.time_call\('\w+_(eager|graph|aot)', 10000\)$",
    r"^heat_2d\.Interpreted\.",
]
"""Sizes whose calls take about 0.1 s or longer on many backends, so that few fit into a pair; and sizes between others."""

# What a release of a compiler is measured by: kernels, sizes and lives whose change from release to release is worth its
# minutes. BACKEND stands for the backends of the release's compiler.

REFERENCE_KERNEL = "c"  # by the system's compiler: no release of a framework changes it, so what moves is the machine
INTERPRETED = "triton"  # where there is no GPU: smaller arrays, whose times are filed apart
_PI = r"^(monte_carlo_pi|philox_pi)\."
_ARRAYS = ((r"^dense_relu\.", 100), (r"^black_scholes\.", 1_000_000), (r"^mandelbrot\.", 400))
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
]
RELEASE_INTERPRETED = [
    _PI + r"Interpreted\.time_call\(BACKEND, 1000000\)$",
    *(rf"{kernel}(Interpreted\.time_call|Error\.track_error)\(BACKEND, {size}\)$" for kernel, size in _SMALL),
]
RELEASE_REFERENCE = [
    _PI + r"Warm\.time_call\(BACKEND, (1000000|10000000)\)$",
    *(rf"{kernel}Warm\.time_call\(BACKEND, {size}\)$" for kernel, size in _ARRAYS),
]
DRIFT_REFERENCE = [r"^philox_pi\.Warm\.time_call\(BACKEND, (1000000|10000000)\)$"]
DRIFT = [
    *DRIFT_REFERENCE,
    r"^philox_pi\.Cold\.time_first_call\(BACKEND, 1000\)$",
    r"^philox_pi\.Stages\.track_seconds\(BACKEND, 1000, 'total'\)$",
]

OWN_CACHES, SHARED_CACHES, PREPARED = "own caches", "shared caches", "prepared"
_LOADING = r"(\w+\.(Warm|Interpreted|Apart|Loop|Dispatch|Threads|Accuracy|Error|Cached)|monte_carlo_pi\.Spellings)\."
"""The classes to which compiling is preparation."""
PRELOAD = "JITKERNELS_PRELOAD"  # names the modules that benchmarks/__init__.py imports
CASES = "JITKERNELS_CASES"  # names a file with the cases of a run, one a line


def of_verdict(cases: Iterable[str]) -> list[str]:
    """Return those of these cases whose times judge a change: all short calls of one or two kernels; of more kernels a
    selection, a wider one of one or two frameworks."""
    names = list(cases)
    if len({case.partition(".")[0] for case in names}) > FEW:
        return selected(names, HISTORY if len({dialect_of(case) for case in names}) <= FEW else VERDICT)
    too_long = {*selected(names, TOO_LONG)}
    return [case for case in selected(names, ONE_KERNEL) if case not in too_long]


def of_release(cases: Iterable[str], backends: Sequence[str]) -> list[str]:
    """Return the cases of a release, of its compiler's backends and of the reference kernel."""
    interpreted = [INTERPRETED] if INTERPRETED in backends else []
    groups = ((RELEASE, backends), (RELEASE_INTERPRETED, interpreted), (RELEASE_REFERENCE, [REFERENCE_KERNEL]))
    return selected(cases, [each for expressions, names in groups for each in of_backends(expressions, names)])


def of_drift(cases: Iterable[str], backends: Iterable[str]) -> list[str]:
    """Return the cases that are measured again and again of the reference release."""
    return selected(cases, [*of_backends(DRIFT, backends), *of_backends(DRIFT_REFERENCE, [REFERENCE_KERNEL])])


def of_backends(expressions: Iterable[str], backends: Iterable[str]) -> list[str]:
    """Return the expressions with the backends in BACKEND's place."""
    names = "|".join(backends)
    return [expression.replace("BACKEND", f"'({names})'") for expression in expressions]


def distributions(backends: Iterable[str]) -> set[str]:
    """Return what must be installed to measure these backends, by pip's names; NumPy checks every answer."""
    return {"numpy"}.union(*(_library.distributions(BACKENDS[backend]) for backend in backends))


def launched(case: str) -> str:
    """Return how the case's process begins: with its framework imported, and which caches.

    own caches: those that the benchmark gives itself, or what the framework keeps by default, because compilation is what is
    measured. shared caches: for all processes of a run, so that what one compiled the next ones load; what loading it takes
    is measured. prepared: the same for warm calls, and what a framework asks of a machine once a process is asked before
    the process begins. Caches are named before the framework is imported: some ask only then.
    """
    if not re.match(_LOADING, case):
        return OWN_CACHES
    return SHARED_CACHES if is_first_call(case) else PREPARED


def environments(backend: str, directory: Path, *others: str) -> dict[str, dict[str, str]]:
    """Return variables for each way to launch a case.

    All caches are below ``directory``, because a framework that is imported before a benchmark empties its caches would go
    on with those of the user's own shell. So are temporary files, which a process leaves behind if asv ends it. others:
    backends whose cases are launched by the same process.
    """
    names = dict.fromkeys(name for each in (backend, *others) for name in modules(each))
    queries = dict.fromkeys(name for each in (backend, *others) for name in questions(each))
    always = {PRELOAD: " ".join(names), "TMPDIR": str(directory)}
    own = caches.variables(directory / "own")
    shared = caches.variables(directory / "shared", persistent=True)
    loads = shared | always
    return {OWN_CACHES: own | always, SHARED_CACHES: loads, PREPARED: loads | {PRELOAD: " ".join(names | queries)}}


def group(case: str) -> str:
    """Return the name of the cases that one process of a duet may measure with it."""
    return f"{family(case) or 'no backend'} ({launched(case)})"


def variables(cases: Sequence[str], directory: Path) -> dict[str, str]:
    """Return variables of the process that measures the cases of a group. directory: for caches, as in ``environments``."""
    first, *others = dict.fromkeys(backend_of(case) for case in cases)
    return environments(first, directory, *others)[launched(cases[0])]


def family(case: str) -> str:
    """Return the name of those whose cases one process can launch with it, so that a framework is imported once: its modes',
    where compiling is preparation; where a first call is what is measured, only its own backend's."""
    return backend_of(case) if launched(case) == OWN_CACHES else dialect_of(case)


def dialect_of(case: str) -> str:
    """Return the dialect of the case's backend; its first parameter where that is no backend."""
    backend = backend_of(case)
    return BACKENDS[backend].dialect if backend in BACKENDS else backend


def modules(backend: str) -> list[str]:
    """What a process of this backend imports before it compiles anything; nothing for a backend that is not known."""
    if backend not in BACKENDS:
        return []
    return [BACKENDS[backend].module, *BACKENDS[backend].preload]


def questions(backend: str) -> list[str]:
    """Modules that ask, when they are imported, what its compiler asks of a machine once a process."""
    return list(BACKENDS[backend].questions) if backend in BACKENDS else []


def needs_threads(case: str) -> bool:
    """True if it would not be the same program on one core."""
    backend = backend_of(case)
    return ".Threads." in case or (backend in BACKENDS and BACKENDS[backend].needs_threads)


def is_first_call(case: str) -> bool:
    """True if a process has but one sample of the case to give."""
    return case.partition("(")[0].endswith(".time_first_call")


def case_names(benchmark: str, params: list[list[str]]) -> list[str]:
    """Return a benchmark's cases by asv's own spelling, in its order; the name alone where there are no parameters."""
    if not params:
        return [benchmark]
    return [f"{benchmark}({', '.join(values)})" for values in itertools.product(*params)]


def backend_of(case: str) -> str:
    """Return the case's first parameter."""
    return case.partition("('")[2].partition("'")[0]


def selected(cases: Iterable[str], expressions: Sequence[str]) -> list[str]:
    """Return the cases that one of the regular expressions finds, as asv's ``--bench`` does."""
    return [case for case in cases if any(re.search(expression, case) for expression in expressions)]
