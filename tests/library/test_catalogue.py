"""Adding a kernel or a backend touches a few places; these tests name the one that was forgotten."""

import ast
import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from asv.util import ParsedPipDeclaration
from conftest import CELLS

from benchmarks._suite import benchmark
from jitkernels import kernels, source
from jitkernels.backends import compiler as _contract
from jitkernels.backends.table import BACKENDS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DISTRIBUTIONS = {"tensorflow": "tensorflow-cpu"}  # where what is installed has another name than what is imported


def configuration() -> dict[str, Any]:
    text = (ROOT / "asv.conf.json").read_text()
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)))


PINS: dict[str, list[str]] = configuration()["matrix"]["req"]


def pinned(requirements: list[str]) -> dict[str, str]:
    return dict(requirement.split("==") for requirement in requirements if "==" in requirement)


@pytest.mark.parametrize(("kernel", "backend"), CELLS)
def test_a_cell_is_written_or_says_why_not(kernel: str, backend: str) -> None:
    dialect = BACKENDS[backend].dialect
    written = source.path(kernel, dialect).exists()
    excused = dialect in kernels.load(kernel).absent
    assert written != excused, f"write {source.path(kernel, dialect).name}, or give the reason in absent, not both"


@pytest.mark.parametrize("kernel", kernels.names())
def test_a_kernel_is_named_like_its_folder(kernel: str) -> None:
    assert kernels.load(kernel).name == kernel


@pytest.mark.parametrize("kernel", kernels.names())
def test_a_kernel_is_measured(kernel: str) -> None:
    assert (ROOT / "benchmarks" / f"{kernel}.py").exists()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backend_has_a_module_that_keeps_the_contract(backend: str) -> None:
    module = ast.parse((ROOT / "jitkernels" / "backends" / f"{BACKENDS[backend].dialect}.py").read_text())
    defined = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    imported = {name.name for node in module.body if isinstance(node, ast.ImportFrom) for name in node.names}
    missing = [name for name in vars(_contract.Compiler) if not name.startswith("_") and name not in defined | imported]
    assert missing == []


def test_the_literal_that_asv_files_results_by_is_the_table() -> None:
    assert list(BACKENDS) == benchmark.BACKENDS


@pytest.mark.parametrize("package", sorted({package for line in BACKENDS.values() for package in line.packages}))
def test_a_package_is_an_extra_and_a_pin_of_the_same_release(package: str) -> None:
    distribution = DISTRIBUTIONS.get(package, package)
    extra = pinned(PROJECT["optional-dependencies"][package])
    assert extra[distribution] == PINS[distribution][0]
    assert package in PROJECT["optional-dependencies"]["all"][0]


@pytest.mark.parametrize(("name", "versions"), PINS.items())
def test_a_pin_survives_asv_s_parser(name: str, versions: list[str]) -> None:
    (version,) = versions
    declaration = ParsedPipDeclaration(f"{name.removeprefix('pip+')}=={version}")
    assert declaration.pkgname == name.removeprefix("pip+")
    assert declaration.specification == f"=={version}"


@pytest.mark.parametrize(("name", "versions"), PINS.items())
def test_what_is_installed_here_is_what_is_pinned(name: str, versions: list[str]) -> None:
    installed = importlib.metadata.version(name.removeprefix("pip+"))
    assert installed.partition("+")[0] == versions[0], "a local version (+cpu) is the same release"


def test_the_rulers_are_pinned_once() -> None:
    bench = pinned(PROJECT["optional-dependencies"]["bench"])
    assert bench["asv_runner"] == PINS["pip+asv_runner"][0]
    assert importlib.metadata.version("asv") == bench["asv"]
