"""asv publisher plugins: the data that pages read, the compilers' page, and the commits' history in asv-tachyon's pages.

``asv publish`` writes its data and its classic pages, which load ten files from elsewhere and stay blank without a
network. ``History`` replaces them by asv-tachyon's self-contained ones and adds what those show beside the data;
``Compilers`` joins all stored results into ``data/`` beside the history and puts the compilers' page above both.
"""

import contextlib
import functools
import importlib.util
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asv.console import log
from asv.machine import Machine, MachineCollection
from asv.publishing import OutputPublisher
from asv.util import UserError

from history.store import records
from website import clean, data
from website.read import changes, commits, reading
from website.read.catalogue import Benchmark
from website.read.points import finder
from website.releases import beside

ROOT = Path(__file__).parents[1]
RECORDS = Path(".asv/records")  # benchmarks/_records.py writes there
NEEDED = ("altair", "vl_convert")  # by what draws the compilers' page


class History(OutputPublisher):
    """Installs the pages and ``commits.json``, the subject of each measured commit."""

    name = "history"
    button_label = "History"
    description = "The commits' history in asv-tachyon's pages"
    order = 10  # after asv's own publishers, whose page is replaced

    @classmethod
    def publish(cls, conf, repo, benchmarks, graphs, revisions) -> None:
        site = Path(conf.html_dir)
        history = commits.read(Path(conf.repo))
        _write(site / "commits.json", {commit: history.subject(commit) for commit in revisions})
        _write(site / "profiles.json", {"paths": {}})
        _write(site / "regressions-ignore.json", [])
        if importlib.util.find_spec("asv_tachyon") is None:
            log.warning("asv-tachyon is not installed (pip install asv-tachyon): the history keeps asv's classic pages")
            return
        _install_pages(site)


class Drawing(OutputPublisher):
    """Begins to draw the charts, which takes seconds, in a process beside asv's own publishers, which have one."""

    name = "drawing"
    button_label = "Drawing"
    description = "Draws the compilers' page's charts"
    order = -1  # before all others
    process: subprocess.Popen[str] | None = None

    @classmethod
    def publish(cls, conf, repo, benchmarks, graphs, revisions) -> None:
        if not _missing():
            script = "import sys; from pathlib import Path; from website import pages; pages.draw(Path(sys.argv[1]))"
            command = [sys.executable, "-c", script, str((Path(conf.html_dir).parent / "charts").resolve())]
            cls.process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)

    @classmethod
    def finish(cls) -> None:
        """Wait for it; RuntimeError with the last line of what it said where it failed."""
        if cls.process:
            _, said = cls.process.communicate()
            if cls.process.returncode:
                raise RuntimeError(f"the charts were not drawn: {said.strip().splitlines()[-1:]}")


class Compilers(OutputPublisher):
    """Writes ``data/`` and the compilers' page into the directory that holds the history's."""

    name = "compilers"
    button_label = "Compilers"
    description = "The compilers' page"
    order = 11  # after the history, which it leads back from

    @classmethod
    def publish(cls, conf, repo, benchmarks, graphs, revisions) -> None:
        site, find = Path(conf.html_dir).parent, finder(benchmarks)
        history = commits.read(Path(conf.repo))
        series = list(_series(graphs, find))
        told = changes.changes(series, revisions, history)
        gather(conf)
        results = Path(conf.results_dir)
        before, wanted = clean.left_out(results), reading.needed(series)
        curves = functools.partial(beside.curves, series, revisions, history)
        unread = data.write(site, results, history, find, told, before, wanted, log.dot, curves)
        for problem in unread[len(before) :]:
            log.warning(f"left out {problem.file}: {problem.reason}")
        Drawing.finish()
        build_page(site)


def gather(conf: Any) -> None:
    """Put what measuring processes said beside the results that asv has stored of this machine."""
    machine = Machine.get_unique_machine_name()
    with contextlib.suppress(UserError):  # asv knows nothing of this machine: its name is the host's
        machine = MachineCollection.load(machine)["machine"]
    records.gather(RECORDS, Path(conf.results_dir) / machine)


def build_page(site: Path) -> None:
    """Put the compilers' page into the site, where what draws it is installed."""
    if missing := _missing():
        log.warning(f"{', '.join(missing)} missing (pip install 'jitkernels[bench]'): there is no compilers' page")
        return
    from website import pages  # here: asv loads this plugin for every command, and Altair takes a second

    pages.build(site)


def _missing() -> list[str]:
    return [package for package in NEEDED if importlib.util.find_spec(package) is None]


def _series(graphs: Any, find: Any) -> Iterator[tuple[Any, Benchmark]]:
    """asv's graphs, each with its benchmark; not those that sum several up."""
    for _, graph in graphs:
        if "summary" not in graph.params:
            yield graph, find(graph.benchmark_name)


def _install_pages(site: Path) -> None:
    from asv_tachyon.cli import main  # here: asv loads this plugin for every command, with or without asv-tachyon

    (site / "index.json").touch()  # asv-tachyon looks for it; asv writes it last
    with contextlib.redirect_stdout(io.StringIO()):
        main(["install", str(site)])


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")
