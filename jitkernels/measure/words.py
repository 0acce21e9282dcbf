"""Figures of measured rows in words, for tables, sentences and charts; and texts as a table of HTML."""

import html
from collections.abc import Iterable

from jitkernels.measure.rows import Row
from jitkernels.quantities import seconds

STAR = "*"


def star(row: Row) -> str:
    """Return the mark of a figure from calls that had not settled."""
    return STAR if row["settled"] is False else ""


def warm(row: Row) -> str:
    """Return the seconds of a warm call, or the status of a row that is not ok."""
    return _marked(f"{seconds(row['warm_seconds'])}{star(row)}", row) if row["status"] == "ok" else status(row)


def status(row: Row) -> str:
    return _marked(str(row["status"]), row)


def _marked(text: str, row: Row) -> str:
    return f"{text} (interpreted)" if row.get("interpreted") else text


def quartiles(row: Row) -> str:
    return "-".join(map(seconds, row["warm_quartiles"] or ()))


def cached(row: Row) -> str:
    """Return seconds, and how many programs were compiled although a disk cache was filled."""
    compiled = row.get("cached_programs")
    return seconds(row["cached_seconds"]) + (f", {compiled} compiled" if compiled else "")


def stages(row: Row) -> str:
    return ", ".join(f"{stage} {seconds(taken)}" for stage, taken in (row["stages"] or {}).items())


def paid(outcome: int | str | None, is_claim: bool) -> str:
    """Return the calls until compiling has paid, or the reason why there is no number, in a few words: "1,234", "never" or
    "not told apart"; "" if there was no rival to compare with.

    is_claim: False if processes were few; then the words are "about 1,234" or "took longer".
    """
    if isinstance(outcome, int):
        return f"{outcome:,}" if is_claim else f"about {outcome:,}"
    reason = outcome or ""
    if reason.startswith("never"):
        return "never" if is_claim else "took longer"
    return "not told apart" if reason.startswith("not told apart") else ""


def html_table(titles: Iterable[str], rows: Iterable[Iterable[str]], label: str) -> str:
    """Return texts as a table that can be scrolled sideways. label: its name for a screen reader."""
    heads = "".join(f"<th scope=col>{html.escape(title)}</th>" for title in titles)
    lines = "\n".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in rows)
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>"
    return f'<div class="rows" tabindex="0" role="region" aria-label="{label}" style="overflow-x: auto">{table}</div>'


def machines(rows: Iterable[Row]) -> list[str]:
    """Return the processors of the rows, each with its device, as texts in order. A failed row may name none."""
    return sorted({f"{row['processor']}, {row['device']}" for row in rows if row.get("processor") and row.get("device")})
