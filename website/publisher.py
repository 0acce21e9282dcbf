"""asv publisher plugins: the compilers' page with its data, and the history of commits in asv-tachyon's pages.

asv's own pages load ten files from other hosts and stay blank without a network. ``History`` replaces them by asv-tachyon's
and adds the files that those read. ``Compilers`` writes ``data/`` beside the history, and the compilers' page above both.
"""

import contextlib
import importlib.util
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asv.console import log
from asv.machine import Machine, MachineCollection
from asv.publishing import OutputPublisher
from asv.util import UserError

from history.store import records
from website import clean, data
from website.read import commits
from website.read.catalogue import finder
from website.read.changes import Published

RECORDS = Path(".asv/records")  # benchmarks/_records.py writes there
NEEDED = ("altair", "vl_convert")  # the packages that draw the compilers' page


class History(OutputPublisher):  # type: ignore[misc]
    """Installs the pages and ``commits.json``, the subject of each measured commit."""

    name = "history"
    button_label = "History"
    description = "The commits' history in asv-tachyon's pages"
    order = 10  # after asv's own publishers, whose page is replaced

    @classmethod
    def publish(cls, conf: Any, repo: Any, benchmarks: Any, graphs: Any, revisions: Mapping[str, int]) -> None:
        site = Path(conf.html_dir)
        history = commits.read(Path(conf.repo))
        _write(site / "commits.json", {commit: history.commit(commit).subject or "" for commit in revisions})
        _write(site / "profiles.json", {"paths": {}})
        _write(site / "regressions-ignore.json", [])
        if importlib.util.find_spec("asv_tachyon") is None:
            log.warning("asv-tachyon is not installed (pip install asv-tachyon): the history keeps asv's classic pages")
            return
        _install_pages(site)


class Compilers(OutputPublisher):  # type: ignore[misc]
    """Writes ``data/`` and the compilers' page into the directory that holds the history's."""

    name = "compilers"
    button_label = "Compilers"
    description = "The compilers' page"
    order = 11  # after the history, which it leads back from

    @classmethod
    def publish(cls, conf: Any, repo: Any, benchmarks: Any, graphs: Any, revisions: Mapping[str, int]) -> None:
        site, results, find = Path(conf.html_dir).parent, Path(conf.results_dir), finder(benchmarks)
        history = commits.read(Path(conf.repo))
        series = [(graph, find(graph.benchmark_name)) for _, graph in graphs if "summary" not in graph.params]
        published = Published(series, {revision: history.commit(hash_) for hash_, revision in revisions.items()})
        gather(conf)
        before = clean.left_out(results)
        unread = data.write(site, results, history, find, published, before)
        for problem in unread[len(before) :]:
            log.warning(f"left out {problem.file}: {problem.reason}")
        build_page(site)


def gather(conf: Any) -> None:
    """Put the records of measuring processes beside the results that asv has stored of this machine."""
    machine = Machine.get_unique_machine_name()
    with contextlib.suppress(UserError):  # asv knows nothing of this machine: its name is the host's
        machine = MachineCollection.load(machine)["machine"]
    records.gather(RECORDS, Path(conf.results_dir) / machine)


def build_page(site: Path) -> None:
    """Write the compilers' page into the site, if the packages that draw it are installed."""
    if missing := [package for package in NEEDED if importlib.util.find_spec(package) is None]:
        log.warning(f"{', '.join(missing)} missing (pip install 'jitkernels[bench]'): there is no compilers' page")
        return
    from website import pages  # here: asv loads this plugin for every command, and Altair takes a second

    pages.build(site)


def _install_pages(site: Path) -> None:
    from asv_tachyon.cli import main  # here: asv loads this plugin for every command, with or without asv-tachyon

    (site / "index.json").touch()  # asv-tachyon looks for it; asv writes it last
    with contextlib.redirect_stdout(io.StringIO()):
        main(["install", str(site)])


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")
