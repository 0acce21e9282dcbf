"""Pictures that stand alone: HTML, PNG, and files that are written whole."""

import base64
import hashlib
import html.parser
from dataclasses import replace
from pathlib import Path

import pytest
from chart_rows import picture, rows_of

from jitkernels import charts
from jitkernels.charts import pictures


class Parsed(html.parser.HTMLParser):
    """The tags, scripts, addresses and the policy of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.addresses += [str(named[key]) for key in ("src", "href") if key in named]
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(named["content"])

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script" and data.strip():
            self.scripts.append(data)


HOSTILE = "</script><b id=x>&\"'\u202e"


@pytest.fixture(scope="module")
def page() -> Parsed:
    """A page whose every text is hostile."""
    rows = [{**row, "name": HOSTILE} for row in rows_of("seconds")]
    return Parsed(pictures.Picture(charts.chart("seconds"), rows, *[HOSTILE] * 4).draw("html").decode())


def test_html_stands_alone_and_texts_of_rows_stay_text(page: Parsed) -> None:
    assert "b" not in page.tags
    assert page.addresses == []
    assert len(page.scripts) == 2
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in page.scripts]
    assert page.policy.startswith("default-src 'none'; script-src " + " ".join(f"'sha256-{one}'" for one in hashes))
    assert "unsafe-eval" not in page.policy
    assert "ast: true" in page.scripts[1]


def test_the_detector_of_markup_can_fail() -> None:
    assert "b" in Parsed(f"<p>{HOSTILE}</p>").tags


def test_html_has_the_rows_as_a_table(page: Parsed) -> None:
    assert page.tags.count("tr") == 1 + len(rows_of("seconds"))
    assert page.tags.count("th") == len(charts.chart("seconds").fields)


def test_a_png_is_drawn_and_the_dark_theme_differs() -> None:
    light = picture("lives")
    assert light.draw("png").startswith(b"\x89PNG")
    assert replace(light, theme="dark").draw("svg") != light.draw("svg")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("before")
    with pytest.raises(TypeError):
        pictures.write(path, "text is no bytes")  # type: ignore[arg-type]
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.svg", "before")]
