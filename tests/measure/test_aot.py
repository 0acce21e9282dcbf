"""Files that compilers write ahead of time: their answers, what they need, and mistakes about where they go."""

import functools
import json
import platform
import shutil
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import WRITTEN
from shell import jitkernels

from jitkernels import Unavailable, kernels
from jitkernels import __main__ as cli
from jitkernels.backends import ahead_of_time, forms
from jitkernels.backends.table import BACKENDS
from jitkernels.command import tables
from jitkernels.measure import aot, aot_tasks, process
from jitkernels.measure.aot import Comparison
from jitkernels.measure.rows import AHEAD_OF_TIME, Row
from jitkernels.measure.timing import Request

KERNEL, SIZE = "dense_relu", 8
ALWAYS = {"kernel", "backend", "form", "size", "seed", "device", "processor", "status", "built", "left", "platform"}
NO_FRONT_END = {"shared_object", "extension_module", "package", "script_file"}
"""Forms whose programs run where no front end of their compiler is loaded."""

COMPILED_AT_THE_FIRST_CALL = {"stablehlo": 1}


class Here:
    """The tests' own process in place of a new one: it has not built the file, and other tests import its framework too."""

    ending = ""

    def __init__(self, request: Row, environment: Mapping[str, str]) -> None:
        task = getattr(aot_tasks, request["task"].rpartition(".")[2])
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # as in a process of its own
            self.answers = iter([f"{json.dumps(process.answer(task, call))}\n" for call in request["calls"]])

    def line(self) -> str:
        return next(self.answers, "")

    def end(self, patience: float) -> int:
        return 0


def start(task: str, form: forms.Form | None) -> Any:
    return Here if task in ("check", "other_shape") else process.Started


def steps(directory: Path, backend: str, name: str, *tasks: str, kernel: str = KERNEL) -> dict[str, Any]:
    """Return the figures of these tasks for one form; Unavailable where one is. A process of its own builds, and one is
    timed."""
    comparison = Comparison(kernel, SIZE, backend, 42, directory, start=start)
    figures: dict[str, Any] = {}
    for task in tasks:
        answer = comparison.ask(task, forms.find_form(backend, name), directory / "scratch")
        if answer["status"] == "unavailable":
            raise Unavailable(str(answer["reason"]))
        assert answer["status"] == "ok", answer["reason"]
        figures.update(answer["figures"])
    return figures


def test_every_backend_has_a_form_or_a_reason_for_none() -> None:
    with_forms = {form.backend for form in forms.FORMS}
    assert with_forms.isdisjoint(forms.WITHOUT)
    assert all(name in with_forms or forms.reason_without(row) for name, row in BACKENDS.items())
    assert {form.host for form in forms.FORMS} <= set(BACKENDS)


@pytest.mark.parametrize(("backend", "other_shape"), [("c", "yes"), ("numba", "yes"), ("jax", "no")])
def test_a_row_is_complete_and_says_what_another_shape_does(backend: str, other_shape: str, tmp_path: Path) -> None:
    def start(task: str, form: forms.Form | None) -> Any:
        return Here if task == "other_shape" and form and not form.is_cache else process.Started

    rows = list(Comparison(KERNEL, SIZE, backend, 42, tmp_path, turns=1, start=start).rows())
    assert [row["form"] for row in rows] == [form.name for form in forms.forms_of(backend)]
    for row in rows:
        if row["status"] == "unavailable":
            raise Unavailable(str(row["reason"]))
        assert (row["status"], row["other_shape"]) == ("ok", other_shape), row["reason"]
        missing = {key for key in (*ALWAYS, *AHEAD_OF_TIME) if row[key] is None}
        assert missing == {"value"} | ({"other_shape_reason"} if other_shape == "yes" else set())
        assert row["bytes"] > 0
        assert len(row["first_calls"]) == len(row["jit_first_calls"]) == 10
        assert row["first_calls_spread"] >= 1
        assert row["ratio_quartiles"][0] <= row["ratio"] <= row["ratio_quartiles"][1]
        assert row["answer_seconds"] > row["load_seconds"] + row["first_calls"][0], "it is a sum of these and the import"
        assert (row["front_end"] == []) is (row["form"] in NO_FRONT_END), "the detector sees those of the other forms"
        assert row["programs"] == COMPILED_AT_THE_FIRST_CALL.get(row["form"], 0)
        assert row["imports"] == ["numpy"] or row["form"] not in ("shared_object", "extension_module")
    assert len(list(tables.forms(rows))) == 1


def test_inductor_s_package_needs_no_dynamo_and_answers_wrongly_for_another_shape(tmp_path: Path) -> None:
    answers = steps(tmp_path, "torch_inductor", "package", "build", "check", "other_shape", "clock")
    assert answers["front_end"] == []
    assert {"triton", "sympy"}.isdisjoint(answers["imports"])
    assert answers["other_shape"] == "wrong"
    assert answers["bytes"] > 0
    assert answers["facts"]["elf_machine"] == platform.machine()


def test_a_script_file_needs_no_dynamo_and_takes_any_shape(tmp_path: Path) -> None:
    answers = steps(tmp_path, "torch_script", "script_file", "build", "other_shape", "clock")
    assert (answers["front_end"], answers["other_shape"]) == ([], "yes")
    assert answers["bytes"] > 0


def test_a_saved_model_asks_for_xla_and_refuses_another_shape(tmp_path: Path) -> None:
    answers = steps(tmp_path, "tensorflow_xla", "saved_model", "build", "check", "other_shape")
    assert answers["other_shape"] == "no"
    assert answers["other_shape_reason"].startswith("TypeError: ")
    assert answers["facts"]["asks_for_xla"] is True
    assert answers["bytes"] > 0


def test_a_cubin_is_built_on_any_machine(tmp_path: Path) -> None:
    answers = steps(tmp_path, "triton", "cubin", "build")
    assert answers["bytes"] > 0
    assert answers["facts"] == {"elf_machine": {"cubin": "cuda"}, "target": "sm_90"}


def test_a_file_that_answers_wrongly_is_wrong(tmp_path: Path) -> None:
    """The product without its activation, in the place of the product with it."""
    steps(tmp_path, "c", "shared_object", "build", kernel="dense")
    (tmp_path / f"dense-{SIZE}-c-shared_object").rename(tmp_path / f"{KERNEL}-{SIZE}-c-shared_object")
    form = forms.find_form("c", "shared_object")
    answer = Comparison(KERNEL, SIZE, "c", 42, tmp_path).ask("check", form, tmp_path / "scratch")
    assert answer["status"] == "wrong"
    assert "off by" in answer["reason"]


def test_a_process_that_dies_of_another_shape_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: Comparison, task: str, form: forms.Form | None, scratch: Path) -> Row:
        if task == "other_shape":
            return {"status": "failed", "reason": "its process ended with exit status -11", "figures": {}}
        return {"status": "ok", "reason": None, "figures": {}}

    monkeypatch.setattr(Comparison, "ask", ask)
    row = Comparison(KERNEL, SIZE, "c", 42, tmp_path).build(forms.find_form("c", "shared_object"), tmp_path / "scratch")
    assert (row["status"], row["other_shape"]) == ("ok", "crashed")
    assert "-11" in row["other_shape_reason"]


def test_a_kernel_that_is_not_written_for_a_backend_gets_its_reason() -> None:
    (row,) = aot.rows(Request((("mlp_infer", 1),), ("c",), 42))
    assert (row["status"], row["reason"]) == ("unavailable", kernels.load("mlp_infer").absent["c"])
    assert row["build_seconds"] is None


def test_an_elf_header_names_its_machine() -> None:
    assert ahead_of_time.elf_machine(Path(sys.executable).resolve().read_bytes()[:20]) == platform.machine()
    assert ahead_of_time.elf_machine(b"\x7fELF\x02\x01\x01" + bytes(11) + (190).to_bytes(2, "little")) == "cuda"
    assert ahead_of_time.elf_machine(b"\x7fELF\x02\x02\x01" + bytes(11) + (183).to_bytes(2, "big")) == "aarch64"
    assert ahead_of_time.elf_machine(b"PK\x03\x04") is None


ROOT = Path(__file__).parents[2]


def test_the_document_s_rows_are_of_every_form_and_none_of_them_failed() -> None:
    measured = json.loads((ROOT / "docs" / "rows" / "aot.json").read_text())
    good = [row for row in measured if row["status"] == "ok"]
    assert {(row["backend"], row["form"]) for row in good} == {(form.backend, form.name) for form in forms.FORMS}
    for row in [row for row in measured if row not in good]:
        assert row["status"] == "unavailable"
        assert (row["kernel"], row["backend"]) not in WRITTEN
    assert {frozenset(row) for row in measured} == {frozenset(ALWAYS | {"reason"} | set(AHEAD_OF_TIME))}


def test_a_full_disk_ends_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, temporary = tmp_path / "out", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for full in (out, temporary):
        free = {out: 10**9, temporary: 10**9, full: 10**6}
        monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: shutil._ntuple_diskusage(10**9, 0, free[path]))
        with pytest.raises(SystemExit) as end:
            cli.main(["aot", "relu", "-b", "c", "-o", str(out)])
        assert end.value.code == 2
        assert capsys.readouterr().err.splitlines()[0].startswith(f"jitkernels: cannot keep files in {full}: 1 MB are free")


def test_files_that_were_there_are_not_taken_for_built_ones(tmp_path: Path) -> None:
    (tmp_path / "older.so").touch()
    answer = jitkernels("aot", "relu", "-b", "c", "-o", str(tmp_path))
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert "it is not empty" in answer.stderr


def test_without_a_c_compiler_a_row_says_so() -> None:
    answer = jitkernels("aot", "relu", "-b", "c", "--json", CC="/nowhere/cc")
    (row,) = json.loads(answer.stdout)
    assert (row["status"], answer.stderr) == ("unavailable", "1/1 relu c shared_object 100 unavailable\n")
    assert row["reason"].startswith("CC names '/nowhere/cc', which is no program")


def test_files_are_kept_where_one_asks_and_the_user_s_caches_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(aot, "rows", functools.partial(aot.rows, turns=1))
    assert cli.main(["aot", "relu", "-b", "c", "-n", "4", "--json", "-o", str(tmp_path / "kept")]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["status"] == "ok", row["reason"]
    assert list(home.iterdir()) == []
    (library,) = (tmp_path / "kept").rglob("*.so")
    assert library.stat().st_size == row["bytes"]
