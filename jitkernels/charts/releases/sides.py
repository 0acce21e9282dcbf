"""Flat rows of the charts that put something beside a compiler's releases: commits, turns of the reference, the C kernel."""

from collections.abc import Mapping
from typing import Any

from jitkernels.charts.cells import Data, Row
from jitkernels.charts.releases import cells as by_release

REFERENCE, KERNEL = "The reference release, turn by turn", "The C kernel, release by release"
RELEASES, COMMITS = "Release by release", "Commit by commit of this library"


def beside(data: Data) -> list[Row]:
    """The warm call at the largest size that commits have too (or else the first call), by release and by commit."""
    curves = data.get("commits") or ()
    there = {(curve["figure"], curve["size"]) for curve in curves}
    every = by_release.lives(data)
    chosen = next((key for one in every if (key := (one["figure"], one["size"])) in there), None)
    chosen = chosen or next(((one["figure"], one["size"]) for one in every), None)
    own = [one for one in every if (one["figure"], one["size"]) == chosen]
    rows = [{**row, "side": RELEASES, "commit": None} for one in own for row in by_release.seconds(data, one)]
    by_release.excuse(rows)
    for curve in curves:
        if (curve["figure"], curve["size"]) == chosen:
            rows += [_of_a_commit(curve, point) for point in curve["points"]]
    return rows


def drift(data: Data) -> list[Row]:
    """What the reference release took at each turn over its median, and what the C kernel took beside each release."""
    nothing = {"backend": None, "interpreted": False, "size": None}
    reference = data.get("reference")
    rows = [
        {
            **nothing, "name": f"{data.get('compiler')} {reference}", "side": REFERENCE, "what": f"{life} calls",
            "order": order, "label": str(turn["at"])[:16].replace("T", " "), "release": reference, "at": turn["at"],
            "ratio": turn[life],
        }
        for order, turn in enumerate((data.get("drift") or {}).get("turns", ()))
        for life in ("warm", "cold")
        if turn.get(life) is not None
    ]  # fmt: skip
    return rows + [
        {
            **nothing, "backend": "c", "name": "c", "side": KERNEL, "what": "warm calls of C", "order": release["order"],
            "label": by_release.label(release), "release": release["release"], "at": release.get("measured"),
            "ratio": release["c"],
        }
        for release in data.get("releases") or ()
        if release.get("c") is not None
    ]  # fmt: skip


def _of_a_commit(curve: Mapping[str, Any], point: Mapping[str, Any]) -> Row:
    day = str(point.get("date") or "")[:10]
    return {
        **by_release.cell(curve), "release": None, "order": point["order"], "label": f"{day}  {point['commit'][:8]}".strip(),
        "published": point.get("date"), "seconds": point["value"],
        **dict.fromkeys(("low", "high", "samples", "settled", "absent", "step", "mark")),
        "panel": by_release.panel(curve), "side": COMMITS, "commit": point["commit"],
    }  # fmt: skip
