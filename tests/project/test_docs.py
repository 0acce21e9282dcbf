"""The documents are short, and the links, commands, benchmarks and backends that they name exist."""

import contextlib
import functools
import importlib
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jitkernels import kernels
from jitkernels.__main__ import main
from jitkernels.backends.table import BACKENDS

ROOT = Path(__file__).parents[2]
README, CONTRIBUTING = ROOT / "README.md", ROOT / "CONTRIBUTING.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = [README, CONTRIBUTING, ROOT / "CHANGELOG.md", *PAGES]
MOST_README_LINES, MOST_WORDS, MOST_ROW_BYTES = 110, 16_000, 200_000

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def prose(document: Path) -> str:
    """The document without its fenced code."""
    return re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """The anchors of the document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(document), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(document: Path) -> list[str]:
    """The document's links within the repository that lead to no file or heading."""
    links = re.findall(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)", prose(document))
    targets = [(document.parent / path if path else document, anchor) for path, anchor in links]
    return [f"{path}#{anchor}" for path, anchor in targets if not path.exists() or (anchor and anchor not in anchors(path))]


@each_document
def test_links_lead_to_files_and_headings(document: Path) -> None:
    assert broken(document) == [], f"mend these links of {document.name}"


def test_the_detector_of_broken_links_can_fail(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title\n[a](page.md#a-title) [b](page.md#another) [c](missing.md)\n")
    assert broken(page) == [f"{page}#another", f"{tmp_path / 'missing.md'}#"]


def test_the_readme_is_short() -> None:
    lines = len(README.read_text().splitlines())
    assert lines <= MOST_README_LINES, f"README.md has {lines} lines: move what only some readers need into docs/"


def test_the_pages_together_are_short() -> None:
    words = {page.name: len(re.findall(r"[^\s|]*\w[^\s|]*", page.read_text())) for page in PAGES}  # a table's cells too
    assert sum(words.values()) <= MOST_WORDS, f"shorten one of docs/: {words}"


def test_the_rows_are_few_and_every_file_of_them_is_cited() -> None:
    files = sorted((ROOT / "docs" / "rows").iterdir())
    size = sum(file.stat().st_size for file in files)
    assert size <= MOST_ROW_BYTES, f"docs/rows has {size} bytes: keep only what a page cites"
    text = "".join(page.read_text() for page in PAGES)
    assert [file.name for file in files if f"rows/{file.name}" not in text] == [], "cite these in docs/, or delete them"


def test_the_rows_are_json() -> None:
    for file in (ROOT / "docs" / "rows").iterdir():
        texts = file.read_text().splitlines() if file.suffix == ".jsonl" else [file.read_text()]
        assert all(json.loads(text) for text in texts), file.name


@functools.cache
def make_targets() -> set[str]:
    """The targets that the Makefile declares as phony."""
    text = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    return {target for line in re.findall(r"^\.PHONY: (.*)$", text, flags=re.MULTILINE) for target in line.split()}


@each_document
def test_make_targets_exist(document: Path) -> None:
    text = re.sub(r"\$\(.*?\)", "", document.read_text())
    calls = re.findall(r"(?:^    |`)make ([a-z][^`\n#]*)", text, flags=re.MULTILINE)
    words = {word for call in calls for word in re.split(r"  |[;,]", call)[0].split() if re.fullmatch(r"[a-z-]+", word)}
    assert words <= make_targets(), f"{document.name} names targets that the Makefile does not have"


@pytest.mark.parametrize("target", ["bench", "test", "site", "preview", "gate", "nightly", "releases", "new-releases"])
def test_make_knows_what_to_do_for_the_documented_targets(target: str) -> None:
    subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


@each_document
def test_modules_that_are_run_exist(document: Path) -> None:
    for name in re.findall(r"python -m ((?:jitkernels|gate|history|website|duet)[\w.]*)", document.read_text()):
        assert importlib.util.find_spec(name), f"{document.name} runs python -m {name}"


@each_document
def test_named_files_exist(document: Path) -> None:
    rooms = "jitkernels|benchmarks|duet|gate|history|website|tests|docs"
    names = set(re.findall(rf"`((?:{rooms})/[\w./*-]+)`", prose(document))) - set(skeletons())
    names -= {"benchmarks/_suite", "jitkernels/kernels/negate/"}
    assert [name for name in sorted(names) if not list(ROOT.glob(name))] == [], f"{document.name} names files that moved"


def commands(document: Path) -> list[list[str]]:
    """The words of every ``jitkernels`` command of the document, without its comment."""
    lines = re.findall(r"(?:^    |`)(?:\.venv/bin/)?jitkernels ([a-z][^`\n]*)", prose(document), flags=re.MULTILINE)
    return [line.split("#")[0].split() for line in lines]


@functools.cache
def usage(command: str) -> str:
    """The help of one command of jitkernels; an empty text where there is no such command."""
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.suppress(SystemExit):
        main([command, "--help"])
    return output.getvalue()


@each_document
def test_commands_have_the_documented_options_kernels_and_backends(document: Path) -> None:
    for command, *words in commands(document):
        assert usage(command), f"{document.name}: jitkernels has no command {command}"
        options = {word for word in words if word.startswith("-")}
        assert [option for option in options if option not in usage(command)] == [], f"{document.name}: {command} {words}"
        names = {word for word in words if re.fullmatch(r"[a-z]\w*_\w*", word)} | {
            words[place + 1] for place, word in enumerate(words) if word == "-b"
        }
        unknown = names - {*kernels.names(), *BACKENDS, "NAME"}
        assert unknown == set(), f"{document.name}: {command} {words} names no kernel or backend {unknown}"


def test_the_readme_has_commands_to_check() -> None:
    assert {words[0] for words in commands(README)} >= {"list", "check", "time", "show", "chart", "patterns", "aot"}


def test_the_readme_s_python_runs() -> None:
    pytest.importorskip("numba")
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert re.fullmatch(r"Case.value: value_acc = 0\.99\d+\nCase.value: perf_time = [\de.-]+ s\n", process.stdout)


def skeletons() -> dict[str, str]:
    """The files of CONTRIBUTING's new kernel: path -> text."""
    return dict(re.findall(r"`([\w/]+\.py)`:\n\n```python\n(.*?)```", CONTRIBUTING.read_text(), flags=re.DOTALL))


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with CONTRIBUTING's new kernel in it."""
    copy = tmp_path_factory.mktemp("extended")
    for room in ("jitkernels", "benchmarks"):
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in skeletons().items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text)
    return copy


def run_python(directory: Path, *arguments: str) -> str:
    process = subprocess.run([sys.executable, *arguments], cwd=directory, capture_output=True, text=True)
    assert process.returncode == 0, f"mend the skeletons of CONTRIBUTING.md: {process.stderr or process.stdout}"
    return process.stdout


def test_contributing_s_kernel_gives_right_answers(extended: Path) -> None:
    pytest.importorskip("numpy")
    new = set(skeletons())
    assert {"jitkernels/kernels/negate/__init__.py", "benchmarks/negate.py"} <= new
    written = [
        name for name in ("numpy", "jax", "numba", "numba_parallel") if importlib.util.find_spec(name.partition("_")[0])
    ]
    chosen = [argument for name in (*written, "c") for argument in ("-b", name)]
    rows = json.loads(run_python(extended, "-m", "jitkernels", "check", "negate", *chosen, "--json"))
    assert {row["backend"]: row["status"] for row in rows} == {**dict.fromkeys(written, "ok"), "c": "unavailable"}


def test_contributing_s_kernel_is_measured(extended: Path) -> None:
    pytest.importorskip("asv_runner")
    code = "from asv_runner.discovery import disc_benchmarks\nprint(*(b.name for b in disc_benchmarks('benchmarks', True)))"
    names = run_python(extended, "-c", code).split()
    assert {"negate.Warm.time_call", "negate.Error.track_error"} <= set(names)


def test_contributing_s_files_pass_the_linter(extended: Path) -> None:
    pytest.importorskip("ruff")
    for command in ("check", "format --check"):
        run_python(extended, "-m", "ruff", *command.split(), "--config", str(ROOT / "pyproject.toml"), *skeletons())


def backend_rows() -> list[str]:
    """The backends of README's table, in its order."""
    table = README.read_text().partition("| backend |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)


def test_the_readme_s_table_has_every_backend_in_order() -> None:
    for name in BACKENDS:
        assert name in backend_rows(), f"README.md: name `{name}` among the backends, with the row | `{name}` | what it is |"
    assert backend_rows() == list(BACKENDS), "README.md: put the backends in the order of jitkernels/backends/table.py"


def test_the_readme_s_picture_is_drawn_from_the_rows_beside_it() -> None:
    rows = json.loads((ROOT / "docs" / "philox_pi.json").read_text())
    assert {row["backend"] for row in rows} <= set(BACKENDS)
    picture = (ROOT / "docs" / "philox_pi.svg").read_text()
    assert [row["backend"] for row in rows if row["status"] == "ok" and row["backend"] not in picture] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_named_benchmarks_exist(page: Path) -> None:
    for kernel, group in re.findall(r"`(\w+)\.([A-Z]\w+)(?:\.\w+)?(?:\(|`)", prose(page)):
        if kernel in kernels.names():
            module = importlib.import_module(f"benchmarks.{kernel}")
            assert hasattr(module, group), f"{page.name}: {kernel}.{group}"


def test_findings_name_many_benchmarks() -> None:
    named = re.findall(r"`\w+\.[A-Z]\w+(?:\.\w+)?`", (ROOT / "docs" / "findings.md").read_text())
    assert len(set(named)) >= 12


def test_every_question_says_how_to_repeat_its_answer() -> None:
    questions = re.split(r"^## ", (ROOT / "docs" / "findings.md").read_text(), flags=re.MULTILINE)[1:]
    assert [text.splitlines()[0] for text in questions if "jitkernels " not in text and "Benchmark" not in text] == []
