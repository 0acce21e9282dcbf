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

from benchmarks._suite import ahead, benchmark
from jitkernels import availability, kernels, settings, source
from jitkernels.backends.forms import FORMS
from jitkernels.backends.table import BACKENDS, FRAMEWORKS, Framework

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def configuration() -> dict[str, Any]:
    text = (ROOT / "asv.conf.json").read_text()
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)))


SUITE = "benchmarks/_suite/benchmark.py"
COMPILED = [name for name, row in BACKENDS.items() if row.kind in ("native", "compiler")]
COMPILERS = [name for name in COMPILED if not BACKENDS[name].framework.interpreted_on]
MODELS = [name for name, row in BACKENDS.items() if not availability.absent(kernels.load("mlp_train"), row)]
LISTS = {  # of the suite: the backends that the table has for it
    "BACKENDS": list(BACKENDS),
    "ON_ARRAYS": [name for name, row in BACKENDS.items() if row.kind != "interpreter"],
    "MODELS": MODELS,
    "COMPILERS": COMPILERS,
    "MODEL_COMPILERS": [name for name in COMPILERS if name in MODELS],
    "STAGED": COMPILED,
    "CACHED": [name for name in COMPILERS if name not in benchmark.NOT_CACHED],
    "OBSERVED": [name for name in COMPILERS if BACKENDS[name].kind == "compiler" and name not in benchmark.NOT_OBSERVED],
}
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


def require_the_table(name: str, listed: list[str]) -> None:
    """AssertionError, with the line to write, where a list of the suite is not as the table has it."""
    lines = (ROOT / SUITE).read_text().splitlines()
    place = f"{SUITE}:{next(number for number, line in enumerate(lines, 1) if line.startswith(f'{name} = '))}"
    decision = f" or NOT_{name}" if hasattr(benchmark, f"NOT_{name}") else ""
    for backend in LISTS[name]:
        assert backend in listed, f"{place}: append {backend!r} to {name}{decision}"
    for backend in listed:
        advice = f"append Backend({backend!r}, ...) to ROWS, of a kind that belongs to {name} ({place})"
        assert backend in LISTS[name], f"jitkernels/backends/table.py: {advice}"
    assert listed == LISTS[name], f"{place}: asv files results by position: the table and {name} only grow at their ends"


@pytest.mark.parametrize("name", LISTS)
def test_asv_s_lists_of_backends_are_those_of_the_table(name: str) -> None:
    require_the_table(name, getattr(benchmark, name))


def test_every_file_written_ahead_of_time_is_measured() -> None:
    backends, _, names = ahead._AheadOfTime.params
    assert backends == [name for name in BACKENDS if any(form.backend == name for form in FORMS)], ahead.__file__
    assert {*names} == {form.name for form in FORMS}, ahead.__file__


@pytest.mark.parametrize("name", LISTS)
def test_what_a_list_lacks_or_has_beside_the_table_is_named(name: str) -> None:
    *others, last = LISTS[name]
    with pytest.raises(AssertionError, match=rf"{SUITE}:\d+: append '{last}' to {name}"):
        require_the_table(name, others)
    with pytest.raises(AssertionError, match=r"table\.py: append Backend\('fortran', \.\.\.\) to ROWS"):
        require_the_table(name, [*others, last, "fortran"])
    with pytest.raises(AssertionError, match="asv files results by position"):
        require_the_table(name, [last, *others])


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
