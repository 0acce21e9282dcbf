"""Compare what a compiler makes of a kernel in two environments."""

import difflib
import functools
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks import _launch
from duet import BenchmarkCase, SideError
from history.store.release_lines import Difference
from jitkernels.measure.process import Started, ask_once

SEED = 42  # of the inputs; the program does not depend on them
MOST_CHARACTERS = 4000  # most characters of a stored difference
FEW = 10  # lines: a stage with fewer, such as renamed attributes, is shown only if no other stage differs
MOST_LINES = 4000  # most lines of a text that are compared
LONGEST = 600.0  # seconds for an answer: Inductor compiles for minutes on a busy machine
NOISE = (  # differs between two runs of one compiler, or moves with the instructions before it
    (re.compile(r"^\s*[0-9a-f]+:\t(?:[0-9a-f]{2} )+\s*"), "\t"),  # address and bytes of an instruction
    (re.compile(r"\b[0-9a-f]+ (?=<)"), ""),  # the address of a function or of a jump's target
    (re.compile(r"\b0x[0-9a-f]+"), "0x"),
    (re.compile(r"_ZN\w{20,}"), "_ZN"),  # Numba's names, with a hash
    (re.compile(r"(pickle(?:buf|data))\.[0-9a-f]+"), r"\1"),  # the hash or the address of a constant of Numba's
    (re.compile(r", metadata=\{[^}]*\}"), ""),  # XLA's, with paths
    (re.compile(r"/[\w./-]+\.py\b"), ".py"),
    (re.compile(r"^attributes .*(\"prefer-vector-width\"=\"\d+\").*"), r"\1"),
    # What LLVM writes around functions. XLA's options for LLVM stay.
    (re.compile(r"^(?:;|@|!(?!.*xla_backend_extra_options)|declare |attributes |source_filename).*"), ""),
    (re.compile(r"^(?:(?:File|Function)Names|FileLocations|StackFrames|\d+ [\"{].*)$"), ""),  # HLO's, with paths
    (re.compile(r"(?<=BB)\d+_\d+"), ""),  # LLVM's labels
)
NAME = re.compile(r"(?<=[%$!#@])[\w.]+")  # of a value, register, constant or attribute
NUMBER = re.compile(r"\.?\d+")  # in a name: numbers it among others


def difference(case: BenchmarkCase, pythons: tuple[str, str], directory: Path) -> Difference:
    """Compile a benchmark case's kernel with two Pythons and compare texts and counts. Raises SideError.

    directory: for caches.
    """
    before, after = (_ask(case, python, directory / f"artifacts.{side}") for side, python in enumerate(pythons))
    counts = before["counts"].keys() | after["counts"].keys()
    stages = [stage for stage in before["texts"] if stage in after["texts"]]
    texts = {stage: tuple(_lines(each["texts"][stage]) for each in (before, after)) for stage in stages}
    changed = {stage: _changed(*both) for stage, both in texts.items()}
    differing = [stage for stage in stages if changed[stage] != [0, 0]]
    first = next((stage for stage in differing if sum(changed[stage]) >= FEW), next(iter(differing), None))
    text = _diff(*texts[first]) if first else ""
    return {
        "counts": {name: [before["counts"].get(name), after["counts"].get(name)] for name in sorted(counts)},
        "stages": changed,
        "stage": first,
        "text": text[:MOST_CHARACTERS],
        "left_out": len(text[MOST_CHARACTERS:]),
    }


def _ask(case: BenchmarkCase, python: str, directory: Path) -> dict[str, Any]:
    """Return texts by stage, and counts, of what the environment's compiler makes of the case's kernel."""
    arguments = {"kernel": case.kernel, "backend": case.backend, "size": int(case.parameters[1]), "seed": SEED}
    variables = {**_launch.variables([case.name], directory), "PYTHONSAFEPATH": "1"}  # imports the environment's own library
    directory.mkdir(exist_ok=True)
    start = functools.partial(Started, is_quiet=True, timeout=LONGEST, python=python)
    answer = ask_once("tasks.artifacts", arguments, variables, start)
    if answer["status"] != "ok":
        raise SideError(f"{answer['status']}: {answer['reason']}")
    figures: dict[str, Mapping[str, Any]] = answer["figures"]
    return figures


def _lines(text: str) -> list[str]:
    """Return the lines of a text without noise, without the numbers in names, and without empty lines."""
    lines = text.splitlines()
    for noise, replacement in NOISE:
        lines = [noise.sub(replacement, line) for line in lines]
    return [NAME.sub(lambda name: NUMBER.sub("", name[0]), line) for line in lines if line.strip()]


def _changed(before: list[str], after: list[str]) -> list[int]:
    """Return for each text how many of its lines the other one lacks."""
    return [(Counter(one) - Counter(other)).total() for one, other in ((before, after), (after, before))]


def _diff(before: list[str], after: list[str]) -> str:
    lines = difflib.unified_diff(before[:MOST_LINES], after[:MOST_LINES], "before", "after", n=2, lineterm="")
    return "\n".join(lines)
