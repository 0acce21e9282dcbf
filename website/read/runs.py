"""The newest run of ``make ranking`` for each kernel and size of a machine."""

from collections.abc import Mapping
from typing import NamedTuple

from history.store import rankings
from history.store.lines import Places, found_cold_caches
from history.store.rankings import Line
from history.store.results import Unread
from website.read.commits import Commit, History, as_seconds
from website.schema import kernels as schema

CAUSE = "Before each timed call an answer was checked, so the call found cold caches: "
REMARK = CAUSE + "some calls of arrays took up to 2.4 times as long as in later runs, most up to 5 % longer."


class Run(NamedTuple):
    """A kernel and size in a run. ``one_thread``: the line with one thread a backend, which is ``line`` itself if no backend
    has more; None if the run has none that can rank."""

    line: Line
    one_thread: Line | None
    commit: Commit

    def backends(self) -> list[str]:
        """Return the backends with a time, then those with a reason why they have none."""
        return [*self.line["cells"], *self.line["empty"]]

    def row(self) -> schema.Run:
        """Return what pages show of the run."""
        line = self.line
        processes = [len(cell["seconds"]) for cell in line["cells"].values()]
        return {
            **self.commit.row(),
            "began": line["began"],
            "at": line["at"],
            "processes": min(processes),
            "most_processes": max(processes),
            "processor": line["processor"],
            "cores": line["cores"],
            "python": line["python"],
            "requirements": line["requirements"],
            "settings": line.get("settings", {}),
            "remark": REMARK if found_cold_caches(line["began"]) and "command" not in line else None,
            "command": self.commit.checkout + line.get("command", f"make ranking KERNEL={line['kernel']}"),
        }


Runs = Mapping[int, Run]  # of one kernel on one machine, by size


def read(results: Places, history: History, unread: list[Unread]) -> dict[str, dict[str, dict[int, Run]]]:
    """Return the newest run of each machine, kernel and size below a directory of results.

    ``unread`` gets each line that cannot be read.
    """
    newest = rankings.newest(rankings.read(results, unread))
    runs: dict[str, dict[str, dict[int, Run]]] = {}
    for (machine, kernel, size, threads), line in newest.items():
        if threads is None:
            one_thread = newest.get((machine, kernel, size, 1))
            if one_thread and one_thread["began"] != line["began"]:  # of another run
                one_thread = None
            if one_thread is None and all(cell["threads"] == 1 for cell in line["cells"].values()):  # on one core
                one_thread = line
            if one_thread and not rankings.can_rank(one_thread):
                one_thread = None
            commit = history.commit(line["commit"], as_seconds(line["began"]) or 0.0)
            runs.setdefault(machine, {}).setdefault(kernel, {})[size] = Run(line, one_thread, commit)
    return runs
