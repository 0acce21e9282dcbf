"""Names that leave the data: of files, of links, of commands. Whatever a machine or a benchmark is called, they are safe."""

import hashlib
import itertools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, urlencode

from history.store.results import Cell

HISTORY = "history/"  # asv's pages, as seen from the site's own
HARMLESS = re.compile(r"[\w\\^.,()' -]*\$")  # between double quotes, which leave the parameters' own quotes legible
OWN_KEYS = ("machine", "branch", "python")  # what asv-tachyon's addresses name as it is; the rest begins with "f-"


def slugs(names: Iterable[str], reserved: Iterable[str] = ()) -> dict[str, str]:
    """A file name for each name: small letters, digits, dashes; no two alike, and the same on every run.

    A name that had to be changed gets a piece of its hash, so that another one is not taken for it.
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        plain = re.sub(r"[^a-z0-9_.]+", "-", name.lower()).strip("-.")[:60]
        if plain and plain == name and plain not in reserved and ".." not in plain:
            found[name] = plain
        else:
            digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
            found[name] = f"{plain.replace('..', '-') or 'machine'}-{digest}"
    return found


def cell_name(benchmark: str, cell: Cell) -> str:
    """By asv's own spelling: name('numba', 1000)."""
    return f"{benchmark}({', '.join(cell)})" if cell else benchmark


def command(benchmark: str, cell: Cell, commit: str, release: str | None = None) -> str:
    """What measures a cell again, for a shell. release: the environment's name, where the ladder made it."""
    selection = "^" + re.escape(cell_name(benchmark, cell)).replace("\\ ", " ") + "$"
    quoted = f'"{selection}"' if HARMLESS.fullmatch(selection) else shlex.quote(selection)
    asv = f"asv --config asv.releases.json run --environment {shlex.quote(release)}" if release else "asv run"
    return f"{asv} --record-samples --bench {quoted} {shlex.quote(f'{commit}^!')}"


def link(benchmark: str, params: Mapping[str, str | None], place: int | None = None) -> str:
    """The address in asv-tachyon's pages of a benchmark's curves, or of the one at ``place``, in the environment ``params``.

    Its router reads the part after "#" as a query: ``bench``, ``params`` (places in the product of parameters), and what
    the graph is selected by.
    """
    query = {"view": "explore", "bench": benchmark}
    if place is not None:
        query["params"] = str(place)
    query.update({key if key in OWN_KEYS else f"f-{key}": value for key, value in sorted(params.items()) if value})
    return f"{HISTORY}index.html#{urlencode(query, errors='replace', quote_via=quote)}"


def place_of(cell: Cell, parameters: Sequence[Sequence[str]]) -> int | None:
    """Where the cell stands in the product of the benchmark's parameters; None where it has no such cell."""
    if len(cell) != len(parameters):
        return None
    place = 0
    for value, values in zip(cell, parameters, strict=True):
        if value not in values:
            return None
        place = place * len(values) + list(values).index(value)
    return place


def cells(parameters: Sequence[Sequence[str]]) -> list[Cell]:
    """Every cell in asv's order."""
    return list(itertools.product(*parameters))
