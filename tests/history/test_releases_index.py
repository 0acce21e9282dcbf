"""The package index: which releases it has, what each needs, and the change that adds new ones to the table."""

import dataclasses
from pathlib import Path

import pytest
import small_table
from small_table import NOWHERE, git

from history.releases import command, index
from history.releases.table import BASE, CONFIGURATION, TABLE, configuration, read


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with the small table, which is the working directory."""
    small_table.create_repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_release_is_installable_unless_yanked_a_pre_release_or_for_another_python(package_index: str) -> None:
    releases = index.installable("jitkernels-thing>=0", "3.11")
    assert [version for version, _ in releases] == ["1.0", "1.1", "1.10"]
    assert str(releases[-1][1]) == "2024-07-01"


def test_a_compiler_that_the_table_does_not_follow_gets_no_new_releases(package_index: str) -> None:
    still = read(small_table.TEXT).compilers["still"]
    assert index.newer(still, "3.11") == []
    with pytest.raises(OSError, match="has no such package"):
        index.newer(dataclasses.replace(still, follow=True), "3.11")


def test_a_compiler_without_releases_starts_with_the_oldest_that_it_names(package_index: str) -> None:
    thing = dataclasses.replace(read(small_table.TEXT).compilers["thing"], releases=(), since="1.1")
    assert [release.version for release in index.newer(thing, "3.11")] == ["1.1", "1.10"]


@pytest.mark.parametrize("package", ["jitkernels-unknown", "broken"])
def test_an_index_without_an_answer_is_an_error_of_one_line(package: str, package_index: str) -> None:
    with pytest.raises(OSError, match="the package index cannot be reached, or has no such package: ") as error:
        index.installable(f"{package}>=0", "3.11")
    assert "\n" not in str(error.value)


def test_without_uv_the_error_names_it(package_index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "UV", "/nowhere/uv")
    with pytest.raises(OSError, match="/nowhere/uv"):
        index.installable("jitkernels-thing>=0", "3.11")


def test_new_releases_have_the_newest_pins_of_their_day(
    package_index: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["new"]) == 0
    assert "thing 1.10, published 2024-07-01" in capsys.readouterr().out
    assert git(repository, "diff", "--name-only").split() == [str(CONFIGURATION), str(TABLE)]
    table = read((repository / TABLE).read_text())
    assert [(release.version, dict(release.needs)) for release in table.compilers["thing"].releases[1:]] == [
        ("1.1", {"jitkernels-part": "2.0"}),  # 3.0 was there, but 1.1 does not work with it; 2.1 and 2.2 came later
        ("1.10", {"jitkernels-part": "2.1"}),
    ]
    assert (repository / CONFIGURATION).read_text() == configuration(table, repository / BASE)
    assert command.main(["new"]) == 2, "the table has changes that are not committed"
    git(repository, "commit", "--quiet", "--all", "--message", "Add them")
    capsys.readouterr()
    assert command.main(["new"]) == 0
    assert capsys.readouterr().out == "no release is newer than the table\n"


def test_without_a_network_new_releases_are_one_line_and_status_3(
    package_index: str, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    assert command.main(["new"]) == 3
    error = capsys.readouterr().err
    assert "the package index cannot be reached" in error and error.count("\n") == 1
