"""What asv discovers, and what would spoil its history."""

import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jitkernels import availability, kernels
from jitkernels.backends.table import BACKENDS

ROOT = Path(__file__).parents[2]
NAMES = Path(__file__).with_name("names.json")
BLIND = {6}  # samples a side with which asv's own test can never call anything different (and 5 against 7)


def lost(stored: dict[str, Any], benchmarks: list[dict[str, Any]]) -> list[str]:
    """Return what the stored history needs and the suite no longer has. stored: by name, the version and each parameter's
    values as asv writes them, space between."""
    current = {each["name"]: each for each in benchmarks}
    problems = []
    for name, (version, *params) in stored.items():
        if name not in current:
            problems.append(f"{name} is gone")
            continue
        if current[name]["version"] != version:
            problems.append(f"{name} has version {current[name]['version']}, not {version}")
        now = [[str(value) for value in values] for values in current[name]["params"]]
        before = [values.split() for values in params]
        if len(now) != len(before) or any(new[: len(old)] != old for new, old in zip(now, before, strict=False)):
            problems.append(f"{name} has parameters {now}, which do not begin with {before}")
    return problems


def test_every_benchmark_that_has_a_history_keeps_name_parameters_and_version(discovered: dict[str, Any]) -> None:
    problems = lost(json.loads(NAMES.read_text()), discovered["benchmarks"])
    advice = """asv's history would break: values of parameters may only be added at the end. Where a figure changes its
meaning on purpose, set its class's version and edit tests/benchmarks/names.json. A new benchmark needs no line there."""
    assert not problems, "\n".join([advice, *problems])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": "k.Other.time_call"}, "k.Warm.time_call is gone"),
        ({"version": "2"}, "has version 2, not 1"),
        ({"params": [["c"], [1, 2]]}, "do not begin with"),
        ({"params": [["numpy", "c"], [2, 1]]}, "do not begin with"),
        ({"params": [["numpy", "c", "jax"], [1, 2, 3]]}, None),
    ],
)
def test_a_change_of_the_history_is_named(change: dict[str, Any], problem: str | None) -> None:
    benchmark = {"name": "k.Warm.time_call", "version": "1", "params": [["numpy", "c"], [1, 2]], **change}
    problems = lost({"k.Warm.time_call": ["1", "numpy c", "1 2"]}, [benchmark])
    assert (problem is None and not problems) or (problem is not None and problem in problems[0])


def test_every_kernel_has_benchmarks(discovered: dict[str, Any]) -> None:
    assert {each["name"].partition(".")[0] for each in discovered["benchmarks"]} == set(kernels.names())


def test_every_version_is_set_by_hand(discovered: dict[str, Any]) -> None:
    versions = {benchmark["name"]: benchmark["version"] for benchmark in discovered["benchmarks"]}
    assert {name: version for name, version in versions.items() if len(version) > 4} == {}, "asv's default is a long hash"


def test_discovery_imports_no_framework_and_few_modules(discovered: dict[str, Any]) -> None:
    """Modules are counted, where seconds would depend on the machine: all of ours, and few of the standard library."""
    assert discovered["frameworks"] == []
    script = "import asv_runner.discovery, sys; n = set(sys.modules); import benchmarks.relu; print(*(set(sys.modules) - n))"
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    foreign = {name for name in answer.stdout.split() if name.partition(".")[0] not in ("benchmarks", "jitkernels")}
    assert {name.partition(".")[0] for name in foreign} <= sys.stdlib_module_names | {"__mp_main__"}
    assert len(foreign) < 150


def public_classes(module: ModuleType) -> list[type]:
    return [cls for name, cls in vars(module).items() if inspect.isclass(cls) and not name.startswith("_")]


LEAVES = [leaf for kernel in kernels.names() for leaf in public_classes(importlib.import_module(f"benchmarks.{kernel}"))]


def name(leaf: type) -> str:
    return f"{leaf.__module__}.{leaf.__name__}"


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES if leaf.__name__ == "Warm"], ids=name)
def test_warm_calls_are_timed_of_the_backends_that_the_kernel_is_written_for(leaf: Any) -> None:
    kernel = kernels.load(leaf().kernel)
    written = [backend for backend, row in BACKENDS.items() if not availability.absent(kernel, row)]
    assert leaf.params[0] == written, f"append to the backends in benchmarks/_suite/benchmark.py or {leaf.__module__}"


@pytest.mark.parametrize("leaf", LEAVES, ids=name)
def test_parameters_are_known_backends_and_allowed_sizes(leaf: Any) -> None:
    spec = kernels.load(leaf().kernel)
    assert leaf.param_names[0] == "backend"
    assert set(leaf.params[0]) <= set(BACKENDS)
    assert len(leaf.params) == len(leaf.param_names)
    assert leaf.param_names[1] in (spec.unit, "spelling", "how"), "asv's pages name the axis after the unit"
    for size in leaf.params[1] if leaf.param_names[1] == spec.unit else []:
        spec.valid_size(size)


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES if leaf.__name__ == "Interpreted"], ids=name)
def test_only_triton_has_an_interpreter(leaf: Any) -> None:
    assert leaf.params[0] == ["triton"]


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES if hasattr(leaf, "rounds")], ids=name)
def test_samples_are_enough_for_asv_s_test(leaf: Any) -> None:
    samples = leaf.rounds * leaf.repeat
    assert samples >= 8
    assert samples not in BLIND


def test_every_tracked_value_has_a_unit_and_a_direction(discovered: dict[str, Any]) -> None:
    tracks = [method for leaf in LEAVES for each, method in inspect.getmembers(leaf) if each.startswith("track_")]
    assert len(tracks) == sum(".track_" in each["name"] for each in discovered["benchmarks"])
    for track in tracks:
        assert track.unit
        assert track.direction in ("lower", "equal", "any")
