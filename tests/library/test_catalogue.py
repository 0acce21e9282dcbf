"""The catalogues and what must agree with them. A test that fails names the file and the line to write."""

import ast
import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from asv.util import ParsedPipDeclaration

from benchmarks._suite import benchmark
from jitkernels import kernels, settings, source
from jitkernels.backends.table import BACKENDS, FRAMEWORKS, Framework

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def configuration() -> dict[str, Any]:
    text = (ROOT / "asv.conf.json").read_text()
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)))


PINS: dict[str, list[str]] = configuration()["matrix"]["req"]


def pinned(requirements: list[str]) -> dict[str, str]:
    return dict(requirement.split("==") for requirement in requirements if "==" in requirement)


@pytest.mark.parametrize(("kernel", "dialect"), [(kernel, row.dialect) for kernel in kernels.names() for row in FRAMEWORKS])
def test_a_kernel_is_written_in_a_dialect_or_has_a_reason(kernel: str, dialect: str) -> None:
    path = source.path(kernel, dialect)
    framework = next(row for row in FRAMEWORKS if row.dialect == dialect)
    has_reason = dialect in kernels.load(kernel).absent
    advice = f"write {path.relative_to(ROOT)}, or {dialect!r} with a reason into absent= of {kernel}/__init__.py, not both"
    assert not (path.exists() and has_reason), advice
    assert path.exists() or has_reason or framework.absent, advice


@pytest.mark.parametrize("kernel", kernels.names())
def test_a_kernel_is_named_like_its_folder(kernel: str) -> None:
    assert kernels.load(kernel).name == kernel, f"jitkernels/kernels/{kernel}/__init__.py: name={kernel!r}"


@pytest.mark.parametrize("kernel", kernels.names())
def test_a_kernel_is_measured(kernel: str) -> None:
    assert (ROOT / "benchmarks" / f"{kernel}.py").exists(), f"write benchmarks/{kernel}.py"


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda framework: framework.dialect)
def test_a_framework_s_class_is_where_the_table_says(framework: Framework) -> None:
    path, name = ROOT / f"{framework.module.replace('.', '/')}.py", framework.compiler.partition(":")[2]
    classes = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]
    assert name in classes, f"{path.relative_to(ROOT)}: class {name}(Compiler)"


def test_asv_s_first_list_of_backends_is_the_table() -> None:
    listed = benchmark.BACKENDS
    for name in BACKENDS:
        assert name in listed, f"benchmarks/_suite/benchmark.py: append {name!r} to BACKENDS"
    for name in listed:
        assert name in BACKENDS, f"jitkernels/backends/table.py: append Backend({name!r}, ...) to ROWS"
    assert list(BACKENDS) == listed, "asv files results by position: both only grow at their ends"


def test_the_names_of_backends_and_kernels_stay() -> None:
    """Stored results, links and scripts hold them."""
    stored = json.loads((ROOT / "tests" / "names.json").read_text())
    assert list(BACKENDS)[: len(stored["backends"])] == stored["backends"], "stored results are filed by these"
    assert set(stored["kernels"]) <= set(kernels.names()), "stored results are filed by these"


@pytest.mark.parametrize("framework", [row for row in FRAMEWORKS if row.packages], ids=lambda framework: framework.dialect)
def test_a_framework_is_an_extra_and_a_pin_of_the_same_release(framework: Framework) -> None:
    (distribution,) = {*(framework.distributions or framework.packages[:1])} & set(PINS)
    extra = pinned(PROJECT["optional-dependencies"][framework.dialect])
    assert extra[distribution] == PINS[distribution][0]
    assert framework.dialect in PROJECT["optional-dependencies"]["all"][0]


@pytest.mark.parametrize(("name", "versions"), PINS.items())
def test_a_pin_survives_asv_s_parser(name: str, versions: list[str]) -> None:
    (version,) = versions
    declaration = ParsedPipDeclaration(f"{name.removeprefix('pip+')}=={version}")
    assert declaration.pkgname == name.removeprefix("pip+")
    assert declaration.specification == f"=={version}"


@pytest.mark.parametrize(("name", "versions"), PINS.items())
def test_what_is_installed_here_is_what_is_pinned(name: str, versions: list[str]) -> None:
    try:
        installed = importlib.metadata.version(name.removeprefix("pip+"))
    except importlib.metadata.PackageNotFoundError:
        assert not settings.is_required(name), f"{name} is required here, and not installed"
        pytest.skip(f"{name} is not installed")
    assert installed.partition("+")[0] == versions[0], "a local version (+cpu) is the same release"


def test_the_rulers_are_pinned_once() -> None:
    bench = pinned(PROJECT["optional-dependencies"]["bench"])
    assert bench["asv_runner"] == PINS["pip+asv_runner"][0]
    assert importlib.metadata.version("asv") == bench["asv"]
