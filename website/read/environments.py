"""Every environment that results are of, by machine, with what it has."""

from collections.abc import Mapping
from typing import Any

from history.store.results import Result
from website.read.points import Origin

Row = dict[str, Any]


class Environments:
    """Collects them result by result."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], dict[str, Row]] = {}

    def add(self, origin: Origin) -> None:
        """Count a result; what it says that is newer than what was known stands."""
        result = origin.result
        here = self._found.setdefault(result.machine, {})
        known = here.setdefault(result.environment, {"place": None, "results": 0, "installed": {}})
        known["results"] += 1
        if known["place"] is None or origin.commit.place >= known["place"]:
            known["place"] = origin.commit.place
            known["installed"] = {**known["installed"], **origin.records.installed()}
            known["newest"] = origin.commit.told()
            known["python"], known["requirements"] = result.python, dict(result.requirements)

    def count(self, result: Result) -> None:
        """Count a result of the same environment as this one, which is older."""
        self._found[result.machine][result.environment]["results"] += 1

    def machines(self) -> list[tuple[str, ...]]:
        """What tells each machine from others, also one that has no number that stands today."""
        return list(self._found)

    def told(self, ids: Mapping[tuple[str, ...], str]) -> list[Row]:
        """Each machine's, newest first."""
        return [
            {"machine": ids[machine], "environments": [_told(name, known) for name, known in _ordered(found)]}
            for machine, found in self._found.items()
        ]


def _ordered(found: Mapping[str, Row]) -> list[tuple[str, Row]]:
    return sorted(found.items(), key=lambda item: item[1]["place"], reverse=True)


def _told(name: str, known: Row) -> Row:
    keys = ("python", "requirements", "installed", "results", "newest")
    return {"name": name, **{key: known[key] for key in keys}}
