"""What explains a step, with fake environments and times: parts that are exchanged, switches, and what is compiled."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import small_table
from synthetic_duets import ratio, releases, write

from duet import BenchmarkCase, Pairs, Side, SideError
from duet.process import DIED
from history import ratios
from history.ratios import LAUNCH
from history.releases import artifacts, environments, index, parts
from history.releases.environments import CannotMeasureError, Environments, ReleaseEnvironment
from history.releases.parts import Parts
from history.releases.table import read
from history.store import release_lines

SLOW, STEADY, OTHER = (f"{kernel}.Warm.time_call('numpy', 1000)" for kernel in ("philox_pi", "dense", "relu"))
CASES = {name: BenchmarkCase(name, name, {"type": "time"}) for name in (SLOW, STEADY, OTHER)}
DIFFERENCE: release_lines.Difference = {
    "counts": {"instructions": [10, None]},
    "stages": {"llvm": [1, 2]},
    "stage": "llvm",
    "text": "-a\n+b",
    "left_out": 0,
}
TABLE = small_table.with_versions("1.0", "1.1", "1.2").replace(
    'version = "1.1", published = 2024-01-01, needs = { jitkernels-part = "1.0" }',
    'version = "1.1", published = 2024-01-01, needs = { jitkernels-part = "2.0" }',
)


class Machine:
    """What environments and processes would do. calls: sides, variables of the first, and cases of each duet. exchanges: the
    requirements of each. fits: why they do not fit. broken: versions that cannot be installed. wrong: the case whose program
    from the compiler's cache answers wrongly."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, dict[str, str], list[str]]] = []
        self.exchanges: list[dict[str, str]] = []
        self.fits: str | None = None
        self.broken: set[str] = set()
        self.died = False
        self.wrong = ""

    def create(self, environment: ReleaseEnvironment) -> None:
        if environment.release.version in self.broken:
            raise CannotMeasureError("no wheel")

    def exchange(self, environment: Path, target: Path, requirements: dict[str, str]) -> str | None:
        self.exchanges.append(requirements)
        return self.fits

    def measure(self, sides: tuple[Side, Side], cases: Sequence[BenchmarkCase], *_: Any, **options: Any) -> dict[str, Pairs]:
        first, second = sides
        self.calls.append((first.name, second.name, dict(first.variables), [case.name for case in cases]))
        if self.died:
            return {case.name: Pairs([], [], [], DIED) for case in cases}
        wrong = self.wrong if options["launch"] is LAUNCH else ""
        pairs = {False: Pairs([1.0] * 3, [1.2] * 3, [1.2] * 3), True: Pairs([], [], [], "0 hits, not 782")}
        return {case.name: pairs[case.name == wrong] for case in cases}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package_index: str) -> Machine:
    machine = Machine()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ReleaseEnvironment, "create", lambda self: machine.create(self))
    monkeypatch.setattr(ReleaseEnvironment, "remove", lambda self: None)
    monkeypatch.setattr(ReleaseEnvironment, "path", Path("environment"))
    monkeypatch.setattr(Side, "versions", lambda *_: {"python": "3.11.7"})
    monkeypatch.setattr(environments, "unpack", lambda *_: None)
    monkeypatch.setattr(environments, "discover", lambda *_: CASES)
    monkeypatch.setattr(environments.selection, "of_release_duet", lambda cases, _: list(cases))
    monkeypatch.setattr(ratios, "measure", machine.measure)
    monkeypatch.setattr(parts, "exchange", machine.exchange)
    monkeypatch.setattr(artifacts, "difference", lambda *_: DIFFERENCE)
    return machine


def explain(cells: dict[str, float], *more: Any, again: bool = False, text: str = TABLE) -> list[Any]:
    """Explain the steps of a duet of 1.0 with 1.1 as a new process does, and return all lines that are stored then."""
    own = {"compiler": "thing", "package": "jitkernels-thing"}
    write(Path("results"), [releases("1.0", "1.1", cells, **own), *more], file=release_lines.DUETS)
    table = read(text)
    compiler, file = table.compilers["thing"], Path("results", "vm", release_lines.STEPS)
    duets, known = release_lines.duets(Path("results"), []), release_lines.steps(Path("results"), [])
    made = Parts(file, duets, [] if again else known, Environments(table.python, "b" * 40, 0))
    made.explain_compiler(compiler, compiler.releases)
    unread: list[Any] = []
    lines = release_lines.steps(Path("results"), unread)
    assert unread == []
    return lines


def test_each_part_is_exchanged_alone_and_measured_with_the_cases_of_the_step(machine: Machine) -> None:
    artifact, *exchanged = sorted(explain({SLOW: 1.2, STEADY: 1.05, OTHER: 1.0}), key=lambda line: line["said"])
    assert list(artifact["cells"].items()) == [(SLOW, DIFFERENCE)]
    assert [(line["part"], line["requirements"]) for line in exchanged] == [
        ("jitkernels-part", {"jitkernels-part": "2.0", "jitkernels-thing": "1.0"}),
        ("jitkernels-thing", {"jitkernels-part": "1.0", "jitkernels-thing": "1.1"}),
    ]
    assert machine.exchanges == [line["requirements"] for line in exchanged]
    assert [call[:2] for call in machine.calls] == [("1.0", "1.0+jitkernels-part"), ("1.0", "1.0+jitkernels-thing")]
    assert {tuple(call[3]) for call in machine.calls} == {(SLOW,)}
    assert [line["cells"][SLOW]["ratio"] for line in exchanged] == [pytest.approx(1.2)] * 2


def test_a_case_that_fails_with_programs_from_the_cache_is_measured_without_it(machine: Machine) -> None:
    machine.wrong = SLOW
    lines = [line for line in explain({SLOW: 1.2, STEADY: 0.5}) if line["said"] == "part"]
    assert [call[3] for call in machine.calls] == [[SLOW, STEADY], [SLOW]] * 2
    assert [(sorted(line["cells"]), line["empty"]) for line in lines] == [(sorted([SLOW, STEADY]), {})] * 2


def test_what_is_explained_costs_nothing_and_again_measures_it(machine: Machine) -> None:
    explain({SLOW: 1.2})
    assert len(explain({SLOW: 1.2})) == 3
    assert len(machine.calls) == 2
    explain({SLOW: 1.2}, again=True)
    assert len(machine.calls) == 4


def test_a_case_that_is_a_step_too_is_measured_alone(machine: Machine) -> None:
    explain({SLOW: 1.2})
    explain({SLOW: 1.2, STEADY: 0.5})
    assert [call[3] for call in machine.calls[2:]] == [[STEADY], [STEADY]]


def test_parts_that_do_not_fit_leave_the_reason_and_are_not_tried_again(machine: Machine) -> None:
    machine.fits = "thing==1.0 depends on part<2"
    reasons = [line["reason"] for line in explain({SLOW: 1.2}) if line["said"] == "part"]
    assert reasons == [machine.fits] * 2
    explain({SLOW: 1.2})
    assert (machine.calls, len(machine.exchanges)) == ([], 2)


def test_where_the_package_alone_differs_there_is_nothing_to_exchange(machine: Machine) -> None:
    own = {"compiler": "thing", "package": "jitkernels-thing"}
    lines = explain({SLOW: 1.0}, releases("1.1", "1.2", {SLOW: 2.0}, 1, **own, requirements={"jitkernels-thing": "1.2"}))
    assert [line["said"] for line in lines] == ["artifacts", "part", "part"]
    table = read(small_table.with_versions("1.0", "1.1"))
    step = parts.Step(table.compilers["thing"], *table.compilers["thing"].releases, [])
    assert step.parts() == []


def test_a_switch_is_set_on_one_side_alone(machine: Machine) -> None:
    text = TABLE.replace("\nreleases", '\nswitches.runtime = { FLAGS = "--no-runtime" }\nreleases', 1)
    line = explain({SLOW: 1.2}, text=text)[-1]
    assert (line["part"], line["variables"], line["base_requirements"]) == (
        "runtime",
        {"FLAGS": "--no-runtime"},
        line["requirements"],
    )
    assert machine.calls[-1][:3] == ("1.1-runtime", "1.1", {"FLAGS": "--no-runtime"})


def test_a_file_in_a_package_that_differs_is_exchanged_alone(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    exchanged: list[str] = []
    monkeypatch.setattr(parts, "exchange_file", lambda *arguments: exchanged.append(arguments[-1]))
    text = TABLE.replace("\nreleases", '\nfiles = ["jitkernels-thing/core", "another/core"]\nreleases', 1)
    line = explain({SLOW: 1.2}, text=text)[-1]
    assert exchanged == ["jitkernels-thing/core"]
    assert line["part"] == "jitkernels-thing/core"
    assert line["base_requirements"] == {"jitkernels-part": "1.0", "jitkernels-thing": "1.0", "jitkernels-thing/core": "1.0"}
    assert line["requirements"] == {**line["base_requirements"], "jitkernels-thing/core": "1.1"}
    assert machine.calls[-1][:2] == ("1.0", "1.0+jitkernels-thing-core")


def test_a_switch_that_ends_the_process_is_named(machine: Machine) -> None:
    machine.died = True
    assert {line["reason"] for line in explain({SLOW: 1.2}) if line["said"] == "part"} == {parts.NOTHING_RAN}


def test_a_release_that_cannot_be_installed_leaves_no_line(machine: Machine) -> None:
    machine.broken = {"1.0"}
    assert explain({SLOW: 1.2}) == []


def test_a_compiler_that_does_not_answer_is_a_reason(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise SideError("failed: LoweringError")

    monkeypatch.setattr(artifacts, "difference", fail)
    artifact = next(line for line in explain({SLOW: 1.2}) if line["said"] == "artifacts")
    assert (artifact["cells"], artifact["empty"]) == ({}, {SLOW: "failed: LoweringError"})


def test_texts_differ_by_what_is_no_noise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = "%a.12 = add <400x400> %b.3, 0x7f01\n  store @.const.picklebuf.1407, @.const.pickledata.7.sha1\n@const.140 = 1"
    after = "%a.7 = add <400x400> %b.1, 0x7e02\n  store @.const.picklebuf.9adf3c, @.const.pickledata.b2.sha1\n@const.999 = 1"
    texts = {
        "old": {"ir": before, "asm": "  4a:\tc5 f8  \tvmovaps %ymm1,%ymm2\n"},
        "new": {"ir": after, "asm": "  5b:\tc4 e1  \tvmovaps %zmm3,%zmm2\n", "not of old": "x"},
    }

    def answer(_: str, arguments: Any, variables: Any, start: Any) -> Any:
        assert (arguments["kernel"], arguments["backend"], arguments["size"]) == ("philox_pi", "numpy", 1000)
        assert variables["PYTHONSAFEPATH"] == "1"
        figures = {"texts": texts[start.keywords["python"]], "counts": {"n": 1, start.keywords["python"]: 2}}
        return {"status": "ok", "reason": None, "figures": figures}

    monkeypatch.setattr(artifacts, "ask_once", answer)
    difference = artifacts.difference(CASES[SLOW], ("old", "new"), tmp_path)
    assert difference["stages"] == {"ir": [0, 0], "asm": [1, 1]}
    assert difference["stage"] == "asm"
    assert difference["text"].endswith("-\tvmovaps %ymm,%ymm\n+\tvmovaps %zmm,%zmm")
    assert difference["counts"] == {"n": [1, 1], "new": [None, 2], "old": [2, None]}


def test_llvm_s_input_is_the_same_whatever_surrounds_it_but_not_with_other_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "; ModuleID = '{0}'\n\n  %1 = load i64, ptr %0, !invariant.load !{0}\nattributes #{0} = {{ uwtable {1} }}\n{2}\n"
    width = '"prefer-vector-width"="{}"'
    flag = '!2 = !{i32 1, !"xla_backend_extra_options", !"xla_cpu_disable_loop_unrolling"}'
    same = code.format(1, width.format(256), '!1 = !{i32 1, !"xla_dylib_index", i64 3}')
    texts = {
        "same": code.format(2, f"nofree {width.format(256)}", "!2 = !{}"),
        "wider": code.format(1, width.format(512), ""),
        "not unrolled": code.format(1, width.format(256), flag),
    }

    def answer(*arguments: Any) -> Any:
        text = texts.get(arguments[3].keywords["python"], same)
        return {"status": "ok", "figures": {"texts": {"unoptimized_llvm": text}, "counts": {}}}

    monkeypatch.setattr(artifacts, "ask_once", answer)
    found = {name: artifacts.difference(CASES[SLOW], ("old", name), tmp_path)["stages"] for name in texts}
    stages = {name: each["unoptimized_llvm"] for name, each in found.items()}
    assert stages == {"same": [0, 0], "wider": [1, 1], "not unrolled": [0, 1]}


def test_a_stage_that_differs_in_few_lines_is_shown_where_no_other_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"old": {"hlo": "name=a", "llvm": ""}, "new": {"hlo": "name=b", "llvm": "add\n" * artifacts.FEW}}

    def answer(*arguments: Any) -> Any:
        return {"status": "ok", "figures": {"texts": texts[arguments[3].keywords["python"]], "counts": {}}}

    monkeypatch.setattr(artifacts, "ask_once", answer)
    assert artifacts.difference(CASES[SLOW], ("old", "new"), tmp_path)["stage"] == "llvm"
    texts["new"]["llvm"] = ""
    assert artifacts.difference(CASES[SLOW], ("old", "new"), tmp_path)["stage"] == "hlo"


def test_a_long_difference_is_cut_off_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = {"old": "", "new": "\n".join(f"x{place:05}" for place in range(3000))}

    def answer(*arguments: Any) -> Any:
        return {"status": "ok", "figures": {"texts": {"ir": long[arguments[3].keywords["python"]]}, "counts": {}}}

    monkeypatch.setattr(artifacts, "ask_once", answer)
    difference = artifacts.difference(CASES[SLOW], ("old", "new"), tmp_path)
    assert len(difference["text"]) == artifacts.MOST_CHARACTERS
    assert difference["left_out"] > 10_000


def test_a_part_is_exchanged_in_a_copy(tmp_path: Path, package_index: str) -> None:
    environment, mixed = tmp_path / "environment", tmp_path / "mixed"
    subprocess.run([index.UV, "venv", "--quiet", str(environment)], check=True)
    pins = {"jitkernels-part": "1.0", "jitkernels-thing": "1.0"}
    assert index.install([f"{name}=={version}" for name, version in pins.items()], str(environment / "bin/python")) is None
    assert parts.exchange(environment, mixed, {**pins, "jitkernels-part": "2.0"}) is None
    assert (versions(environment), versions(mixed)) == (["1.0", "1.0"], ["1.0", "2.0"])
    reason = parts.exchange(environment, tmp_path / "none", {**pins, "jitkernels-part": "3.0"})
    assert (reason or "").endswith("depends on jitkernels-part<3 and you require jitkernels-part==3.0")


def test_a_file_is_exchanged_in_a_copy(tmp_path: Path) -> None:
    places = [tmp_path / name / "lib" / "python3.11" / "site-packages" / "package" for name in ("older", "newer")]
    files = ["__pycache__/core.cpython-311.pyc", "core.abi3.so", "core.py", "coreless.py"]
    for place in places:
        (place / "__pycache__").mkdir(parents=True)
        for file in files:
            (place / file).write_text(place.parts[-5])

    def mixed(file: str) -> list[str]:
        copy = tmp_path / file.replace("/", "-")
        assert parts.exchange_file(tmp_path / "older", tmp_path / "newer", copy, file) is None
        contents = {path.name: path.read_text() for path in copy.rglob("core*")}
        return [f"{name} {side}" for name, side in sorted(contents.items())]

    assert mixed("package/core") == [
        "core.abi3.so newer",
        "core.cpython-311.pyc older",
        "core.py older",
        "coreless.py older",
    ]
    assert mixed("package/core.py") == ["core.abi3.so older", "core.py newer", "coreless.py older"]
    assert {(place / file).read_text() for place in places[:1] for file in files} == {"older"}
    reason = parts.exchange_file(tmp_path / "older", tmp_path / "newer", tmp_path / "none", "package/other")
    assert reason == "0 and 0 files of the two releases are called package/other*.so"


def versions(environment: Path) -> list[str]:
    """The versions of thing and part that are installed."""
    found = {path.name.partition("-")[0]: path.stem.partition("-")[2] for path in environment.rglob("*.dist-info")}
    return [found["jitkernels_thing"], found["jitkernels_part"]]


@pytest.mark.parametrize(
    "more",
    [
        {"said": "other"},
        {"cells": {SLOW: {**ratio(1.0), "release": 0.0}}},
        {"said": "artifacts", "cells": {SLOW: {**DIFFERENCE, "counts": {"n": [1]}}}},
        {"said": "artifacts", "cells": {SLOW: {**DIFFERENCE, "text": None}}},
        {"base": 1},
    ],
)
def test_a_line_that_is_none_is_named(machine: Machine, more: dict[str, Any]) -> None:
    line = next(line for line in explain({SLOW: 1.2}) if line["said"] == "part")
    write(Path("results"), [line, {**line, **more}], file=release_lines.STEPS)
    unread: list[Any] = []
    assert len(release_lines.steps(Path("results"), unread)) == 1
    assert [problem.reason.partition(":")[0] for problem in unread] == ["line 2"]
