"""What the documents say is there, is there."""

import importlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from jitkernels.backends.table import BACKENDS

ROOT = Path(__file__).parents[2]
DOCUMENTS = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")] if path.name != "LICENSE.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_within_the_repository_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!http)([^)#]+)", document.read_text())
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_the_readme_names_every_backend() -> None:
    text = (ROOT / "README.md").read_text()
    for name in BACKENDS:
        assert f"`{name}`" in text, f"README.md: name `{name}` among the backends"


def test_the_readme_s_make_targets_exist() -> None:
    targets = set(re.findall(r"make (bench|test|preview|\w+)\b", (ROOT / "README.md").read_text())) - {"and"}
    for target in targets & {"bench", "test", "preview"}:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)
    assert {"bench", "test", "preview"} <= targets


def test_the_readme_s_picture_is_drawn_from_the_rows_beside_it() -> None:
    rows = json.loads((ROOT / "docs" / "philox_pi.json").read_text())
    assert {row["backend"] for row in rows} <= set(BACKENDS)
    picture = (ROOT / "docs" / "philox_pi.svg").read_text()
    for row in rows:
        assert row["status"] != "ok" or row["backend"] in picture


def test_every_finding_names_a_benchmark_that_exists() -> None:
    text = (ROOT / "docs" / "findings.md").read_text()
    named = {tuple(name.split(".")) for name in re.findall(r"`(\w+\.[A-Z]\w+)(?:\.\w+)?`", text)}
    assert len(named) >= 12
    for kernel, group in named:
        assert hasattr(importlib.import_module(f"benchmarks.{kernel}"), group), f"{kernel}.{group}"


def test_every_question_says_how_to_repeat_its_answer() -> None:
    questions = re.split(r"^## ", (ROOT / "docs" / "findings.md").read_text(), flags=re.MULTILINE)[1:]
    assert [text.splitlines()[0] for text in questions if "jitkernels " not in text and "Benchmark" not in text] == []
