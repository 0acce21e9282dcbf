"""Rows as sentences: the answer of a command, what cannot run here, and what the columns of its table mean.

Every function takes rows and returns text without markup; ``tables`` makes tables of the same rows.
"""

from collections.abc import Collection, Iterator, Sequence

from jitkernels import kernels, shapes
from jitkernels.measure import ranking
from jitkernels.measure.comparisons import has_enough_processes
from jitkernels.measure.rows import Row
from jitkernels.measure.words import STAR, star
from jitkernels.quantities import seconds

MOST_NAMES = 3  # wrong cases named in a sentence; the table below has all of them
FEW = "few processes"
LEGEND = (
    {
        "warm": "warm: the median time of a call after the check and a warm-up, with the wait for its result",
        "25-75 %": "25-75 %: half of the samples are in this range",
    },
    {
        "of c": "of c: c's warm time over this one, so 2 is twice as fast as c",
        "of roof": "of roof: the share of this machine's multiply-adds a second (flop), or of what it can move (bytes)",
        "over eager": "over eager: the eager mode's warm time over this one, with ~ where the two are not told apart",
    },
    {
        "cold": "cold: the first call of a new process, with empty caches",
        "cached": "cached: the same with filled disk caches",
        "retrace": "retrace: the first call with something new",
        "memory": "memory: by how much calls raise the process's peak",
    },
    {"pays off": "pays off over: warm calls after the first until compiling has cost less time than that backend"},
    {
        FEW: f"times of fewer than {ranking.FEWEST} processes are estimates that tell no two apart: add --processes 5",
        STAR: "*: calls still changed their speed: take more samples (--processes 5), a larger size (-n), a quieter machine",
    },
)
"""What a column shows, by the beginning of its title. Each mapping is one line."""


def timings(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the answer of ``jitkernels time`` for each size of one kernel, from rows that name a kernel of this library."""
    for size in dict.fromkeys(row["size"] for row in rows):
        of_size = [row for row in rows if row["size"] == size]
        yield f"{subject(of_size[0]['kernel'], size)}: {fastest(of_size)}"


def subject(kernel: str, size: int) -> str:
    """Return a kernel with its size: "softmax at 100 (x: 100 x 1000)", or "philox_pi at 1,000 points" without arrays."""
    spec = kernels.load(kernel)
    arrays = shapes.describe(spec.arguments, spec.dimensions(size))
    unit = "" if spec.arguments else f" {spec.unit}"
    return f"{kernel} at {size:,}{unit}" + (f" ({arrays})" if arrays else "")


def fastest(rows: Sequence[Row]) -> str:
    """Return which of the rows of one kernel and size has the fastest warm call: "fastest: c, 56 us; answers checked".

    Rows that are not told apart from the fastest are named with it. With few processes the fastest is not known, only
    the shortest time. Interpreted rows are never the fastest.
    """
    right = [row for row in rows if row["status"] == "ok"]
    ranked = {row["backend"]: row for row in right if not row.get("interpreted")}
    problems = ": " * bool(_problems(rows)) + _problems(rows)
    if not ranked:
        return f"nothing was timed{' but an interpreter' if right else ''}{problems}"
    places = ranking.places({name: row["warm_processes"] for name, row in ranked.items()})
    first, is_claim = ranked[places[0].backend], all(map(has_enough_processes, ranked.values()))
    names = [place.backend for place in places if place.rank == 1] if is_claim else [first["backend"]]
    text = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    begin = ("fastest" if is_claim else "shortest time") if len(ranked) > 1 else "the only one timed"
    apart = "; not told apart" if len(names) > 1 else ""
    return f"{begin}: {text}, {seconds(first['warm_seconds'])}{star(first)}{apart}; answers checked{problems}"


def checks(rows: Sequence[Row]) -> str:
    """Return the answer of ``jitkernels check``: "all 87 answers right; 12 cases cannot run here"."""
    run = [row for row in rows if row["status"] != "unavailable"]
    names = [f"{row['backend']} on {row['kernel']}" for row in run if row["status"] != "ok"]
    if names:
        more = ", ..." if len(names) > MOST_NAMES else ""
        text = f"{_problems(run)} of {len(run)}: {', '.join(names[:MOST_NAMES])}{more}"
    elif run:
        text = f"all {len(run)} answers right" if len(run) > 1 else "the answer is right"
    else:
        text = "nothing was checked"
    missing = len(rows) - len(run)
    return text + (f"; {missing} case{'s' * (missing > 1)} cannot run here" if missing else "")


def absences(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each reason why rows are unavailable: "not here: triton, torch_script (torch is not installed)".

    Kernels are named if the reason does not hold for all kernels of the rows.
    """
    everywhere = {row["kernel"] for row in rows}
    reasons: dict[str, dict[str, dict[str, None]]] = {}
    for row in rows:
        if row["status"] == "unavailable":
            reasons.setdefault(row["reason"], {}).setdefault(row["backend"], {})[row["kernel"]] = None
    for reason, places in reasons.items():
        groups: dict[str, list[str]] = {}
        for name, affected in places.items():
            groups.setdefault("" if set(affected) == everywhere else f" on {', '.join(affected)}", []).append(name)
        yield f"not here: {'; '.join(', '.join(names) + where for where, names in groups.items())} ({reason})"


def legend(titles: Collection[str]) -> Iterator[str]:
    """Yield lines that explain these columns. titles: of the shown columns, and STAR or FEW if it applies."""
    for line in LEGEND:
        if texts := [text for key, text in line.items() if any(title.startswith(key) for title in titles)]:
            yield "; ".join(texts)


def _problems(rows: Sequence[Row]) -> str:
    """Return how many rows are wrong and how many failed: "2 wrong, 1 failed", or ""."""
    counts = {status: sum(row["status"] == status for row in rows) for status in ("wrong", "failed")}
    return ", ".join(f"{count} {status}" for status, count in counts.items() if count)
