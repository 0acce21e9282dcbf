"""``jitkernels list``, ``check`` and ``show``: the rows and texts that others script against."""

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES
from shell import jitkernels, rows

from jitkernels.__main__ import main
from jitkernels.command import output, tables


def test_list_has_a_row_for_every_case() -> None:
    listed = rows("list")
    assert [(row["kernel"], row["backend"]) for row in listed] == CASES
    for row in listed:
        assert set(row) == {"kernel", "backend", "available", "reason"}
        assert row["available"] is (row["reason"] is None)


def test_brackets_in_a_reason_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    reason = "numba is not installed: pip install 'jitkernels[numba]' [/red]"
    for table in tables.listing([{"kernel": "relu", "backend": "numba", "available": False, "reason": reason}]):
        output.print_part(table)
    assert reason in capsys.readouterr().out


def test_check_checks_and_names_versions() -> None:
    for row in rows("check", "philox_pi", "-b", "python", "-b", "c", "-n", "1e3"):
        assert (row["status"], row["hits"], row["size"]) == ("ok", 782, 1000)
        assert row["version"]


@pytest.mark.parametrize("directory", ["/proc/jitkernels", "/dev/null/jitkernels"])
def test_a_cache_that_cannot_be_written_is_replaced_with_a_warning(directory: str) -> None:
    answer = jitkernels("check", "philox_pi", "-b", "c", "--json", JITKERNELS_CACHE_DIR=directory)
    assert answer.returncode == 0
    warning, step = answer.stderr.splitlines()
    assert f"cannot write {directory}" in warning
    assert step == "1/1 philox_pi c 100000 ok"


def test_show_prints_the_artifact_alone_on_standard_output() -> None:
    answer = jitkernels("show", "philox_pi", "c", "assembly")
    assert answer.returncode == 0
    assert "\t.globl\trun" in answer.stdout
    assert '"instructions":' in answer.stderr


def test_show_says_where_there_is_no_compiler() -> None:
    answer = jitkernels("show", "philox_pi", "numpy")
    assert answer.returncode == 1
    assert answer.stderr == "jitkernels: numpy compiles nothing, so there is nothing to show\n"


def test_a_tables_numbers_have_commas_and_missing_ones_are_nothing() -> None:
    row = {"size": 1_000_000, "graph_breaks": None, "name": "relu"}
    (size, breaks, name) = tables.build([row], tables.plain("size", "graph_breaks", "name")).columns
    assert [list(column.cells) for column in (size, breaks, name)] == [["1,000,000"], [""], ["relu"]]
    assert breaks.header == "graph breaks"


def test_file_sizes_have_three_digits_and_a_unit() -> None:
    assert [tables.file_size(value) for value in (None, 7, 1_234, 5_678_901)] == ["", "7 B", "1.23 kB", "5.68 MB"]


def test_the_readme_names_no_command_that_is_not_there() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text()
    usage = jitkernels("--help").stdout
    for command in set(re.findall(r"^\s*(?:\$ )?jitkernels (\w+)", text, re.MULTILINE)):
        assert re.search(rf"^ +{command} ", usage, re.MULTILINE), f"README.md: there is no jitkernels {command}"


def test_show_compiles_in_empty_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[dict[str, str]] = []

    def ask_once(task: str, case: dict[str, Any], environment: dict[str, str]) -> dict[str, Any]:
        asked.append(environment)
        return {"status": "ok", "reason": None, "figures": {"texts": {"hlo": "text"}, "counts": {}}}

    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("jitkernels.measure.process.ask_once", ask_once)
    assert main(["show", "relu", "jax"]) == 0
    assert asked[0]["JAX_ENABLE_COMPILATION_CACHE"] == "false"
