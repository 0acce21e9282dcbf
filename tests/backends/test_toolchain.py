"""A system compiler that is missing or does not work is one line of reason."""

from pathlib import Path

import pytest

from jitkernels import Unavailable, prepare
from jitkernels.backends import toolchain


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("text", ["exit 1", "exit 0", "kill -9 $$"])
@pytest.mark.parametrize(("language", "variable"), [("c", "CC"), ("c++", "CXX")])
def test_a_broken_compiler_is_one_line_that_names_the_variable(
    text: str, language: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, script(tmp_path / "compiler", text))
    reason = toolchain.missing(language)
    assert reason is not None
    assert f"{tmp_path / 'compiler'} does not work" in reason and reason.endswith(f"name one in {variable}")
    assert "\n" not in reason


def test_a_file_that_is_no_program_is_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "compiler").write_bytes(b"\x7fELF")
    (tmp_path / "compiler").chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "compiler"))
    assert "does not work" in str(toolchain.missing("c"))


def test_a_compiler_that_is_missing_is_the_named_one_or_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "ccache gcc")
    named = "CC names 'ccache gcc', which is no program (it takes no arguments)"
    assert toolchain.missing("c") == f"{named}: install gcc or clang, or name one in CC"
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "/nowhere")
    assert toolchain.missing("c") == "there is no C compiler: install gcc or clang, or name one in CC"
    monkeypatch.setenv("CXX", "")
    assert toolchain.missing("c++") == "there is no C++ compiler: install g++, or name one in CXX"


def test_a_case_of_c_is_unavailable_without_a_working_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", script(tmp_path / "compiler", "exit 1"))
    with pytest.raises(Unavailable, match="does not work"):
        prepare("philox_pi", "c", 1_003)


@pytest.mark.usefixtures("caches_restored")
def test_a_compiler_that_fails_later_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", script(tmp_path / "compiler", 'test "$1" = --version && echo compiler 1.0'))
    case = prepare("philox_pi", "c", 1_009)
    case.forget()
    with pytest.raises(RuntimeError, match=r"^\S+ failed: exit status 1$"):
        case.call()
