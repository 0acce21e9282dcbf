"""The ladder of releases: its table, what it asks the package index, what it leaves, and how it stops."""

import dataclasses
import functools
import http.server
import importlib.metadata
import json
import os
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asv.config import Config
from asv.environment import get_environments
from asv.util import ParsedPipDeclaration, load_json
from laboratory import Laboratory

from benchmarks import _selection as selection
from history.releases import command as releases
from history.releases import index as release_index
from history.releases import new as release_new
from history.releases import run as release_run
from history.releases.environment import CannotMeasureError, Environment
from history.releases.results import Stored, mismatch
from history.releases.run import Ladder, StopError, alone, needed_bytes, require_disk, selected
from history.releases.table import BASE, CONFIGURATION, RUNNER, TABLE, Release, added, configuration, read

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / TABLE).read_text()
LADDER = read(TEXT)
SMALL = """\
python = "3.11"

[compilers.thing]
package = "jitkernels-thing"
since = "1.0"
pins = ["jitkernels-part"]
backends = ["numpy"]
bytes = 1_000
downloads = 1_000
releases = [
    { version = "1.0", published = 2024-01-01, needs = { jitkernels-part = "1.0" } },
]

[compilers.still]
package = "jitkernels-still"
follow = false
since = "1.0"
pins = []
backends = []
bytes = 1_000
downloads = 1_000
releases = [
]
"""


# The table


def test_the_configuration_is_that_of_the_table() -> None:
    written = (ROOT / CONFIGURATION).read_text()
    assert written == configuration(LADDER, ROOT / BASE), "python history/releases/command.py write"


def test_the_configuration_shares_all_but_environments() -> None:
    ours, theirs = (load_json(str(ROOT / name), js_comments=True) for name in (CONFIGURATION, BASE))
    assert {key for key in ours if ours[key] != theirs.get(key)} == {"pythons", "matrix", "env_dir", "include"}
    assert ours["pythons"] == [] and ours["matrix"] == {}
    assert {entry["req"][RUNNER] for entry in ours["include"]} == set(theirs["matrix"]["req"][RUNNER])


def test_asv_finds_the_table_s_environments_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    if not shutil.which(f"python{LADDER.python}"):
        pytest.skip(f"there is no python{LADDER.python} here")
    names = [environment.name for environment in get_environments(Config.load(str(CONFIGURATION)), None, verbose=False)]
    assert names == [release.environment(LADDER.python) for release in LADDER.releases()]


@pytest.mark.parametrize("release", LADDER.releases(), ids=str)
def test_a_release_s_pins_survive_asv_s_parser(release: Release) -> None:
    for name, version in release.requirements.items():
        declaration = ParsedPipDeclaration(f"{name} {version}")
        assert (declaration.pkgname, declaration.specification) == (name, f"=={version}")
    assert len(release.environment(LADDER.python)) < 128, "asv would file its results under a hash"


def test_environments_have_different_names() -> None:
    names = [release.environment(LADDER.python) for release in LADDER.releases()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("compiler", "fewest"), [("numba", 10), ("jax", 14), ("tensorflow", 6), ("triton", 8), ("torch", 1)]
)
def test_the_ladder_is_long_enough(compiler: str, fewest: int) -> None:
    assert len(LADDER.compiler(compiler).releases) >= fewest


@pytest.mark.parametrize("compiler", LADDER.compilers)
def test_the_release_that_asv_conf_json_pins_is_in_the_table(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = LADDER.compiler(compiler)
    assert found.release(release_run.pinned(found))


def test_a_release_that_is_added_can_be_read_again() -> None:
    release = Release("thing", "jitkernels-thing", "1.1", read(SMALL).compilers["thing"].releases[0].published, {"x.y": "2"})
    text = added(SMALL, [release])
    assert read(text).compilers["thing"].releases[-1] == release
    assert read(text).compilers["still"].releases == ()
    assert text.replace(release.line(), "") == SMALL
    with pytest.raises(ValueError, match="no list of releases of other"):
        added(SMALL, [Release("other", "other", "1", release.published, {})])


@pytest.mark.parametrize("text", ["python =", 'python = "3.11"', SMALL.replace("published", "made")])
def test_what_is_no_table_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="is no table of releases"):
        read(text)


# What is measured


def test_the_selection_takes_cells_of_all_kinds_of_the_compiler_and_c() -> None:
    cells = [
        "philox_pi.Warm.time_call('jax', 1000)", "philox_pi.Warm.time_call('c', 1000)",
        "philox_pi.Warm.time_call('c', 1000000)",
        "philox_pi.Warm.time_call('numba', 1000)", "philox_pi.Made.track_count('jax', 1000, 'fusions')",
        "monte_carlo_pi.Cold.time_first_call('jax', 1000)", "philox_pi.Threads.time_call('jax', 100000000, 1)",
        "mlp_train.Warm.time_call('jax', 32)", "dense_relu.Error.track_error('jax', 100)", "relu.Warm.time_call('jax', 20)",
    ]  # fmt: skip
    left_out = {"philox_pi.Warm.time_call('c', 1000)", "philox_pi.Warm.time_call('numba', 1000)"}
    left_out |= {"philox_pi.Threads.time_call('jax', 100000000, 1)", "relu.Warm.time_call('jax', 20)"}
    assert set(cells) - set(selection.of_release(cells, ["jax"])) == left_out
    assert selection.of_drift(cells, ["jax"]) == ["philox_pi.Warm.time_call('c', 1000000)"]


def test_an_interpreter_has_smaller_arrays() -> None:
    cells = [f"{name}('{backend}', {size})"
             for name in ("softmax.Error.track_error", "dense_relu.Interpreted.time_call", "dense_relu.Error.track_error")
             for backend in ("triton", "jax") for size in (20, 100)]  # fmt: skip
    small = ["softmax.Error.track_error('triton', 100)", "dense_relu.Interpreted.time_call('triton', 20)",
             "dense_relu.Error.track_error('triton', 20)"]  # fmt: skip
    assert set(selection.of_release(cells, ["triton"])) == {*small, "dense_relu.Error.track_error('triton', 100)"}
    assert selection.of_release(cells, ["jax"]) == ["dense_relu.Error.track_error('jax', 100)"]


@pytest.mark.parametrize(("version", "known"), [("0.4.30", True), ("0.4.30.1", False), ("nonsense", False)])
def test_only_releases_of_the_table_can_be_asked_for(version: str, known: bool) -> None:
    jax = LADDER.compiler("jax")
    if known:
        assert selected(jax, version, None)[0].version == selected(jax, None, version)[0].version == version
        return
    for since, only in ((version, None), (None, version)):
        with pytest.raises(ValueError, match=f"unknown release jax {version}; known: .*0.4.30"):
            selected(jax, since, only)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-c", "julia"], "unknown compiler 'julia'; known: numba, jax"),
        (["-c", "jax", "--since", "9.9"], "unknown release jax 9.9; known: "),
        (["-c", "jax", "--only", "0.10.2,9.9"], "unknown release jax 9.9; known: "),
        (["--since", "0.60.0"], "name the compiler too"),
        (["-c", "jax", "--commit", "nonsense"], "nonsense is no commit"),
    ],
)
def test_what_does_not_exist_is_one_line_and_status_2(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert releases.main(["run", *arguments]) == 2
    answer = capsys.readouterr().err
    assert said in answer and answer.count("\n") == 1


def test_a_disk_that_is_too_small_is_said_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compilers = list(LADDER.compilers.values())
    assert needed_bytes(compilers, keep=True) > needed_bytes(compilers, keep=False)
    assert needed_bytes(compilers, keep=False) < 20e9
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 0, 10**8))
    with pytest.raises(StopError, match=r"needs \d+\.\d GB of disk, and 0\.1 GB are free") as stopped:
        require_disk(compilers, keep=False)
    assert stopped.value.status == 4


# The package index


def wheel(directory: Path, name: str, version: str, requires: str = "") -> Path:
    """An empty package that pip can install."""
    stem = f"{name.replace('-', '_')}-{version}"
    file = directory / f"{stem}-py3-none-any.whl"
    needed = f"Requires-Dist: {requires}\n" if requires else ""
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{stem}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}")
        archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{stem}.dist-info/RECORD", "")
    return file


def listed(name: str, version: str, day: str, **told: Any) -> dict[str, Any]:
    file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    common = {"filename": file, "size": 1, "yanked": False, "requires_python": None, "upload_time": f"{day}T00:00:00"}
    return {**common, **told}


THINGS = {
    "jitkernels-thing": {
        "1.0": listed("jitkernels-thing", "1.0", "2024-01-01"),
        "1.1": listed("jitkernels-thing", "1.1", "2024-03-01"),
        "1.2rc1": listed("jitkernels-thing", "1.2rc1", "2024-04-01"),
        "1.3": listed("jitkernels-thing", "1.3", "2024-05-01", yanked=True),
        "1.4": listed("jitkernels-thing", "1.4", "2024-06-01", requires_python=">=3.99"),
        "1.5": listed("jitkernels-thing", "1.5", "2024-06-02", filename="jitkernels_thing-1.5.tar.gz"),
        "1.10": listed("jitkernels-thing", "1.10", "2024-07-01"),
        "nonsense": listed("jitkernels-thing", "1.0", "2024-07-01"),
    },
    "jitkernels-part": {
        "1.0": listed("jitkernels-part", "1.0", "2023-01-01"),
        "2.0": listed("jitkernels-part", "2.0", "2024-02-01"),
        "2.1": listed("jitkernels-part", "2.1", "2024-06-30"),
        "2.2": listed("jitkernels-part", "2.2", "2024-12-01"),
        "3.0": listed("jitkernels-part", "3.0", "2024-02-02"),
    },
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a package index on this machine."""
    root = tmp_path_factory.mktemp("index")
    for name, versions in THINGS.items():
        (root / "pypi" / name).mkdir(parents=True)
        document = {"releases": {version: [file] for version, file in versions.items()}}
        (root / "pypi" / name / "json").write_text(json.dumps(document))
        (root / "simple" / name).mkdir(parents=True)
        files = [file for file in versions.values() if file["filename"].endswith(".whl")]
        for version in {file["filename"].split("-")[1] for file in files}:
            requires = "jitkernels-part<3" if name == "jitkernels-thing" else ""
            wheel(root / "simple" / name, name, version, requires)
        links = "".join(f'<a href="{path.name}">{path.name}</a>\n' for path in (root / "simple" / name).glob("*.whl"))
        (root / "simple" / name / "index.html").write_text(f"<!DOCTYPE html><html><body>{links}</body></html>")
    (root / "pypi" / "broken").mkdir()
    (root / "pypi" / "broken" / "json").write_text("<html>")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/simple"
    server.shutdown()
    server.server_close()


@pytest.fixture
def asked(index: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The same index as pip's, and as nobody else's."""
    for name, value in {"PIP_INDEX_URL": index, "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": ""}.items():
        monkeypatch.setenv(name, value)
    release_index._asked.cache_clear()
    yield index
    release_index._asked.cache_clear()


NOWHERE = "http://127.0.0.1:9/simple"


def test_installable_is_what_is_not_yanked_nor_a_pre_release_nor_for_another_python(asked: str) -> None:
    found = [str(release.version) for release in release_index.installable("jitkernels-thing", "3.11")]
    assert found == ["1.0", "1.1", "1.10"]


def test_what_is_not_followed_gets_no_new_releases(asked: str) -> None:
    still = read(SMALL).compilers["still"]
    assert release_index.newer(still, "3.11") == []
    with pytest.raises(OSError, match="answers 404"):
        release_index.newer(dataclasses.replace(still, follow=True), "3.11")


@pytest.mark.parametrize(("package", "said"), [("unheard-of", "answers 404"), ("broken", "not what an index does")])
def test_an_index_that_does_not_know_is_an_error_of_one_line(asked: str, package: str, said: str) -> None:
    with pytest.raises(OSError, match=said):
        release_index.installable(package, "3.11")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository that holds a small table and its configuration, and where this process is."""
    shutil.copy(ROOT / BASE, tmp_path / BASE)
    (tmp_path / TABLE).write_text(SMALL)
    (tmp_path / CONFIGURATION).write_text(configuration(read(SMALL), tmp_path / BASE))
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "--message", "Begin")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(directory: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=directory, capture_output=True, text=True, check=True).stdout.strip()


def test_new_releases_are_left_as_a_patch_with_what_was_newest_on_their_day(
    asked: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert releases.main(["new", "--patch", "new.patch"]) == 0
    assert "thing 1.10, published 2024-07-01" in capsys.readouterr().out
    assert git(repository, "status", "--porcelain") == "?? new.patch"
    git(repository, "apply", "new.patch")
    table = read((repository / TABLE).read_text())
    assert [(release.version, dict(release.needs)) for release in table.compilers["thing"].releases[1:]] == [
        ("1.1", {"jitkernels-part": "2.0"}),  # 3.0 was there, but 1.1 does not work with it; 2.1 and 2.2 came later
        ("1.10", {"jitkernels-part": "2.1"}),
    ]
    assert (repository / CONFIGURATION).read_text() == configuration(table, repository / BASE)
    assert releases.main(["new"]) == 2, "the table has changes that are not committed"


def test_new_releases_are_left_as_a_commit_on_a_branch(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = read(SMALL).compilers["thing"].releases[0]
    later = [dataclasses.replace(old, version=version) for version in ("1.1", "1.10")]
    known = {"1.0"}
    monkeypatch.setattr(
        release_index, "newer", lambda compiler, _: [new for new in later if compiler.name == "thing" and known == {"1.0"}]
    )
    head = git(repository, "rev-parse", "HEAD")
    assert releases.main(["new", "--branch", "added"]) == 0
    assert (git(repository, "rev-parse", "HEAD"), git(repository, "status", "--porcelain")) == (head, "")
    assert git(repository, "log", "-1", "--format=%s", "added") == "Add thing 1.1, thing 1.10 to the ladder"
    assert git(repository, "diff", "--name-only", "main", "added").split() == [str(CONFIGURATION), str(TABLE)]
    for name, said in (("added", "there is a branch added already"), ("a b", "no name of a branch")):
        with pytest.raises(ValueError, match=said):
            release_new.leave_branch({}, [], name)
    known.add("1.10")
    capsys.readouterr()
    assert releases.main(["new"]) == 0
    assert capsys.readouterr().out == "no release is newer than the table\n"


def test_without_a_network_new_releases_are_one_line_and_status_3(
    asked: str, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    assert releases.main(["new"]) == 3
    answer = capsys.readouterr().err
    assert "the package index cannot be reached" in answer and answer.count("\n") == 1


# The run


class Pretended(Environment):
    """An environment that asv has nothing to do with. ``broken``: why it cannot be made; what happened is in ``events``."""

    broken: dict[str, str] = {}
    events: list[str] = []

    def make(self) -> dict[str, str]:
        self.events.append(f"make {self.release.version}")
        if reason := self.broken.get(self.release.version):
            raise CannotMeasureError(reason)
        return dict(self.release.requirements)

    def remove(self) -> None:
        self.events.append(f"remove {self.release.version}")

    def bytes(self) -> int:
        return 1


class Pretending(Ladder):
    """Measures nothing; ``run`` says of each environment what measuring processes would."""

    lie: str = ""

    def environment(self, release: Release) -> Environment:
        return Pretended(release, self.table.python, self.stored.commit, self.lock)

    def run(self, environment: Environment, cells: list[str], anew: bool = False, share: bool = True) -> None:
        kind = "drift" if anew else "cells" if share else "afresh"
        Pretended.events.append(f"{kind} {environment.release.version}")
        said = self.stored.said(environment.name)
        said.parent.mkdir(parents=True, exist_ok=True)
        version = self.lie if self.lie and environment.release.version == "1.1" else environment.release.version
        packages = {"jitkernels-thing": version, "jitkernels-part": "1.0"}
        said.write_text(json.dumps({"said": "backend", "backend": "numpy", "packages": packages}) + "\n")


def many(*versions: str) -> str:
    line = '    { version = "VERSION", published = 2024-01-01, needs = { jitkernels-part = "1.0" } },\n'
    return SMALL.replace(line.replace("VERSION", "1.0"), "".join(line.replace("VERSION", version) for version in versions))


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str) -> Pretending:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(release_run, "pinned", lambda compiler: "1.5")
    monkeypatch.setattr(release_run, "all_cells", lambda: [])
    monkeypatch.setattr(Pretended, "broken", {})
    monkeypatch.setattr(Pretended, "events", [])
    table = read(many("1.0", "1.1", "1.2", "1.3", "1.4", "1.5"))
    return Pretending(table, Stored(Path("results"), "machine", "0" * 40), lock=0)


def climb(ladder: Pretending) -> int:
    Pretended.events.clear()
    compiler = ladder.table.compilers["thing"]
    return ladder.climb(compiler, list(compiler.releases))


def test_the_reference_is_measured_before_between_and_after(ladder: Pretending) -> None:
    assert climb(ladder) == 0
    assert [event for event in Pretended.events if not event.startswith(("make", "remove"))] == [
        "drift 1.5", "cells 1.0", "cells 1.1", "cells 1.2", "cells 1.3", "drift 1.5", "cells 1.4", "cells 1.5", "drift 1.5",
    ]  # fmt: skip
    lines = [json.loads(line) for line in Path("results", "machine", "drift.jsonl").read_text().splitlines()]
    assert [(line["said"], line["compiler"], line["release"]) for line in lines] == [("reference", "thing", "1.5")] * 3


def test_what_fails_with_a_program_from_a_cache_is_measured_without(
    ladder: Pretending, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached, wrong, counted = (f"pi.{name}.time_call('numpy', 1)" for name in ("Warm", "Error", "Made"))
    monkeypatch.setattr(release_run, "all_cells", lambda: [])
    monkeypatch.setattr(release_run.release_cells, "of_release", lambda cells, backends: [cached, wrong, counted])

    def values(environment: str) -> dict[str, float | None]:
        heals = "afresh 1.0" in Pretended.events and "1.0" in environment
        return {cached: 1.0 if heals else None, wrong: None, counted: None}

    monkeypatch.setattr(ladder.stored, "values", values)
    climb(ladder)
    assert Pretended.events.index("afresh 1.0") == Pretended.events.index("cells 1.0") + 1
    outcome = ladder.outcome(ladder.table.compilers["thing"].release("1.0"))
    assert outcome and (outcome["afresh"], outcome["cells"]) == ([cached], {"measured": 1, "failed": 2})


def test_a_release_that_was_measured_before_cells_were_added_gets_those(
    ladder: Pretending, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = ["pi.Warm.time_call('numpy', 1)"]
    monkeypatch.setattr(release_run.release_cells, "of_release", lambda *_: cells)
    thing = ladder.table.compilers["thing"].release("1.0")
    climb(ladder)
    ladder.stored.say_environment(
        thing.environment("3.11"), status="ok", release="1.0", cells={"measured": 1}, afresh=["one"]
    )
    assert climb(ladder) == 0
    assert Pretended.events == []
    cells.append("pi.Error.track_error('numpy', 1)")
    climb(ladder)
    assert "cells 1.0" in Pretended.events
    outcome = ladder.outcome(thing)
    assert outcome and (outcome["afresh"], sum(outcome["cells"].values())) == (["one"], 2)
    assert climb(ladder) == 0
    assert Pretended.events == []


def test_a_turn_leaves_the_reference_s_own_point_as_it_was(ladder: Pretending, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = ladder.table.compilers["thing"].release("1.5")
    result = ladder.stored._result(reference.environment("3.11"))
    result.parent.mkdir(parents=True)

    def run(environment: Environment, cells: list[str], anew: bool = False, share: bool = True) -> None:
        result.write_text("of a turn")
        monkeypatch.setattr(ladder.stored, "figures", lambda name, cells: {"of": {"value": len(result.read_text())}})

    monkeypatch.setattr(ladder, "run", run)
    for own in ("its own point", None):
        result.unlink(missing_ok=True)
        if own:
            result.write_text(own)
        ladder.turn(ladder.table.compilers["thing"], reference)
        assert (result.read_text() if result.exists() else None) == own
    lines = [json.loads(line) for line in Path("results", "machine", "drift.jsonl").read_text().splitlines()]
    assert [line["cells"] for line in lines] == [{"of": {"value": len("of a turn")}}] * 2


def test_environments_are_removed_when_done_and_the_reference_last(ladder: Pretending) -> None:
    climb(ladder)
    removed = [event for event in Pretended.events if event.startswith("remove")]
    assert removed == [f"remove 1.{minor}" for minor in range(6)]
    assert Pretended.events[-1] == "remove 1.5"


def test_keep_keeps_them(ladder: Pretending) -> None:
    ladder.keep = True
    climb(ladder)
    assert [event for event in Pretended.events if event.startswith("remove")] == []


def test_a_release_that_cannot_be_installed_is_a_point_with_its_reason(ladder: Pretending) -> None:
    Pretended.broken["1.2"] = "cannot be installed: ERROR: on purpose"
    assert climb(ladder) == 1
    name = ladder.table.compilers["thing"].release("1.2").environment("3.11")
    line = json.loads(Path("results", "machine", f"00000000-{name}.records.jsonl").read_text())
    assert (line["schema"], line["said"], line["status"]) == (1, "environment", "failed")
    assert line["reason"] == "cannot be installed: ERROR: on purpose"
    assert line["requirements"] == {"jitkernels-part": "1.0", "jitkernels-thing": "1.2"}
    assert "cells 1.3" in Pretended.events, "the ladder goes on"


def test_what_was_measured_with_something_else_is_dropped_and_failed(ladder: Pretending) -> None:
    ladder.lie = "1.9"
    result = ladder.stored._result(ladder.table.compilers["thing"].release("1.1").environment("3.11"))
    result.parent.mkdir(parents=True)
    result.write_text("{}")
    assert climb(ladder) == 1
    outcome = ladder.outcome(ladder.table.compilers["thing"].release("1.1"))
    assert outcome and "jitkernels-thing 1.1 was asked for, and 1.9 is there" in outcome["reason"]
    assert not result.exists()


def test_an_interrupted_ladder_goes_on_with_the_release_that_it_was_at(
    ladder: Pretending, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Pretended, "bytes", lambda self: exec("raise KeyboardInterrupt") if "1.2" in self.name else 1)
        with pytest.raises(KeyboardInterrupt):
            climb(ladder)
    climb(ladder)
    assert [event for event in Pretended.events if event.startswith("cells")] == [
        f"cells 1.{minor}" for minor in range(2, 6)
    ]
    climb(ladder)
    assert Pretended.events == [], "all releases have their points"
    ladder.again = True
    climb(ladder)
    assert "cells 1.0" in Pretended.events


def test_without_an_index_a_failure_is_no_point(ladder: Pretending, monkeypatch: pytest.MonkeyPatch) -> None:
    Pretended.broken["1.1"] = "cannot be installed: ERROR: no network"
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)
    release_index._asked.cache_clear()
    with pytest.raises(StopError, match="the package index cannot be reached") as stopped:
        climb(ladder)
    assert stopped.value.status == 3
    assert ladder.outcome(ladder.table.compilers["thing"].release("1.1")) is None


def test_a_disk_that_runs_full_stops_the_ladder_and_leaves_no_point(
    ladder: Pretending, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = iter([10**9, 10**9, 10])
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 0, next(free)))
    with pytest.raises(StopError, match=r"the next release needs .* GB of disk") as stopped:
        climb(ladder)
    assert stopped.value.status == 4
    outcomes = [ladder.outcome(release) for release in ladder.table.compilers["thing"].releases]
    assert [bool(outcome) for outcome in outcomes] == [True, True, False, False, False, False]


class Halved(Environment):
    """An environment with what is listed installed, whatever was asked for, until asv has made it anew."""

    there: dict[str, str]

    def installed(self) -> dict[str, str]:
        return self.there

    def run(self, *arguments: str, variables: Any = None) -> int:
        if not self.path.exists():
            self.path.mkdir()
            self.there = dict(self.release.requirements)
        return 0


@pytest.mark.parametrize("missing", ["jitkernels-part", "jitkernels-thing"])
def test_a_half_installed_environment_is_made_anew(missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = Halved(read(SMALL).compilers["thing"].releases[0], "3.11", "0" * 40, lock=0)
    environment.__dict__["path"] = tmp_path / "environment"
    environment.path.mkdir()
    environment.there = {name: version for name, version in environment.release.requirements.items() if name != missing}
    assert environment.make() == environment.release.requirements
    assert f"half installed: {missing} 1.0 was asked for, and none is there" in capsys.readouterr().out
    environment.there = {**environment.there, missing: "1.0+local"}
    environment.make()
    assert "half installed" not in capsys.readouterr().out


def test_what_asv_makes_otherwise_than_asked_for_has_failed(tmp_path: Path) -> None:
    environment = Halved(read(SMALL).compilers["thing"].releases[0], "3.11", "0" * 40, lock=0)
    environment.__dict__["path"] = tmp_path
    environment.there = {}
    environment.remove = lambda: None  # type: ignore[method-assign]  # asv makes the same thing again
    with pytest.raises(CannotMeasureError, match=r"not what was asked for: jitkernels-part 1\.0 was asked for, and none is"):
        environment.make()


def test_one_ladder_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with alone(), pytest.raises(StopError, match="another ladder"), alone():
        pass
    with alone():
        pass


def test_a_mismatch_is_told_in_words() -> None:
    assert mismatch({"torch": "2.13.0"}, {"torch": "2.13.0+cpu", "numpy": "2"}) is None
    assert mismatch({"jax": "0.5.0", "numpy": "2.0"}, {"jax": "0.5.1"}) == (
        "jax 0.5.0 was asked for, and 0.5.1 is there; numpy 2.0 was asked for, and none is there"
    )


# One real environment


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A laboratory with a ladder of one rung: NumPy, at the release that is here."""
    laboratory = Laboratory(tmp_path_factory.mktemp("ladder"))
    line = f'    {{ version = "{importlib.metadata.version("numpy")}", published = 2024-01-01, needs = {{}} }},\n'
    table = SMALL.replace("compilers.thing", "compilers.numpy").replace('"jitkernels-thing"', '"numpy"')
    table = table.replace('["jitkernels-part"]', "[]")
    start = table.index("    { version")
    table = table[:start] + line + table[table.index("]\n\n[compilers.still") :]
    (laboratory.path / TABLE).write_text(table.replace("bytes = 1_000", "bytes = 100_000_000"))
    (laboratory.path / CONFIGURATION).write_text(configuration(read(table), laboratory.path / BASE))
    laboratory.commit("Shrink the ladder")
    return laboratory


def test_a_real_release_is_measured(real: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(real.path)
    monkeypatch.setattr(Ladder, "turn", lambda *_: None)  # the reference is the release itself
    cell = "philox_pi.Warm.time_call('numpy', 1000)"
    monkeypatch.setattr(selection, "of_release", lambda cells, _: [found for found in cells if found == cell])
    assert releases.main(["run", "-c", "numpy"]) == 0
    (file,) = (real.path / ".asv" / "results").glob("*/*numpy*.records.jsonl")
    outcome = [json.loads(line) for line in file.read_text().splitlines()][-1]
    assert (outcome["status"], outcome["cells"]) == ("ok", {"measured": 1})
    assert outcome["installed"]["numpy"] == importlib.metadata.version("numpy")
    assert 10e6 < outcome["bytes"] < 1e9
    assert list((real.path / ".asv" / "releases").iterdir()) == [], "without KEEP nothing stays"
    stored = Stored(Path(".asv", "results"), file.parent.name, outcome["commit"])
    figures = stored.figures(outcome["environment"], [cell])[cell]
    assert 0 < figures["low"] <= figures["value"] <= figures["high"] and figures["samples"] >= 8
    assert stored.packages(outcome["environment"])["numpy"]["numpy"] == importlib.metadata.version("numpy")
