"""README's picture: seconds against points, drawn from rows that `jitkernels time --json` printed.

jitkernels time philox_pi -n 1e3 ... -n 1e8 --json > docs/philox_pi.json
python tools/picture.py docs/philox_pi.json docs/philox_pi.svg
"""

import json
import sys
from pathlib import Path

import altair
import vl_convert

COLOURS = {  # one hue a framework, Okabe and Ito's, which colour-blind readers tell apart
    "python": "#000000",
    "numpy": "#7f7f7f",
    "c": "#000000",
    "numba": "#e69f00",
    "jax": "#009e73",
    "tensorflow": "#d55e00",
    "torch": "#0072b2",
    "triton": "#cc79a7",
}
DASHES = {"eager": [2, 3], "graph": [6, 3], "script": [6, 3], "dynamo": [1, 2], "aot": [8, 2, 2, 2], "parallel": [6, 3]}


def main() -> int:
    """Draw the rows of one kernel; the file's ending says in what."""
    rows_file, picture = map(Path, sys.argv[1:3])
    rows = [row for row in json.loads(rows_file.read_text()) if row["status"] == "ok"]
    picture.write_text(vl_convert.vegalite_to_svg(chart(rows).to_dict()))
    return 0


def chart(rows: list[dict]) -> altair.LayerChart:
    """Log-log, one line a backend, quartiles as bars; an interpreted backend says so in its name."""
    points = [
        {
            "backend": row["backend"] + (" (interpreted)" if row["interpreted"] else ""),
            "points": row["size"],
            "seconds": row["warm_seconds"],
            "lower": row["warm_quartiles"][0],
            "upper": row["warm_quartiles"][1],
        }
        for row in rows
    ]
    names = list(dict.fromkeys(point["backend"] for point in points))
    kernel, processor = rows[0]["kernel"], rows[0]["processor"]
    threads = max(row["threads"] for row in rows)
    base = altair.Chart(altair.Data(values=points)).encode(
        x=altair.X("points:Q", scale=altair.Scale(type="log"), axis=altair.Axis(format="~s", title="points")),
        color=altair.Color("backend:N", scale=altair.Scale(domain=names, range=[colour(name) for name in names])),
        strokeDash=altair.StrokeDash("backend:N", scale=altair.Scale(domain=names, range=[dash(name) for name in names])),
    )
    seconds = altair.Y("seconds:Q", scale=altair.Scale(type="log"), axis=altair.Axis(format="~s", title="seconds a call"))
    line = base.mark_line(point=True).encode(y=seconds)
    bars = base.mark_rule().encode(
        y=altair.Y("lower:Q", scale=altair.Scale(type="log")), y2="upper:Q", strokeDash=altair.value([1, 0])
    )
    title = altair.Title(
        f"{kernel}, warm calls", subtitle=f"{processor}, at most {threads} threads; bars: quartiles of 10 samples"
    )
    return (bars + line).properties(width=620, height=420, title=title, background="white")


def colour(name: str) -> str:
    """The framework's."""
    return COLOURS[name.partition("_")[0].partition(" ")[0]]


def dash(name: str) -> list[int]:
    """The mode's; a solid line for a framework's own compiler."""
    return DASHES.get(name.partition(" ")[0].rpartition("_")[2], [1, 0]) if name != "python" else [2, 3]


if __name__ == "__main__":
    sys.exit(main())
