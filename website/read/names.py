"""Names of files, links and commands, safe for any name that a machine or a benchmark has."""

import hashlib
import re
import shlex
from collections.abc import Container, Mapping
from typing import Final
from urllib.parse import quote, urlencode

Machine = str  # the name under which its results are filed
HISTORY: Final = "history/"  # asv's pages, as seen from the site's own
HARMLESS = re.compile(r"[\w\\^.,()' -]*\$")  # safe between double quotes, which keep the parameters' own quotes readable
RESERVED = ("index.json", "changes.json", "environments.json", "gate.json", "rivals.json")  # beside directories
OWN_KEYS = ("machine", "branch", "python")  # keys that asv-tachyon's addresses use unchanged; others begin with "f-"


def directory(machine: Machine) -> str:
    """Return the name of the directory of a machine's files."""
    return slug(machine, RESERVED)


def slug(name: str, reserved: Container[str] = ()) -> str:
    """Return a file name for a name: lower-case letters, digits and ``-_.``, the same on every run.

    A name that must be changed gets a part of its hash, so that two names never share a file.
    """
    plain = re.sub(r"[^a-z0-9_.]+", "-", name.lower()).strip("-.")[:60]
    if plain and plain == name and plain not in reserved and ".." not in plain:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain.replace('..', '-') or 'machine'}-{digest}"


def selection(case: str) -> str:
    """Return a regular expression that selects a case and no other, quoted for a shell."""
    expression = "^" + re.escape(case).replace("\\ ", " ") + "$"
    return f'"{expression}"' if HARMLESS.fullmatch(expression) else shlex.quote(expression)


def command(case: str, commit: str, release: str | None = None) -> str:
    """Return the shell command that measures a case again. release: the environment's name, if it belongs to the ladder."""
    run = f"--config asv.releases.json run --environment {shlex.quote(release)}" if release else "run"
    return f".venv/bin/asv {run} --record-samples --bench {selection(case)} {shlex.quote(f'{commit}^!')}"


def link(benchmark: str, params: Mapping[str, str | None]) -> str:
    """Return the address of a benchmark's curves in one environment, in asv-tachyon's pages.

    The pages read the part after "#" as a query: ``bench``, and what selects the graph.
    """
    query = {"view": "explore", "bench": benchmark}
    query.update({key if key in OWN_KEYS else f"f-{key}": value for key, value in sorted(params.items()) if value})
    return f"{HISTORY}index.html#{urlencode(query, errors='replace', quote_via=quote)}"
