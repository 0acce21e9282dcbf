"""A plugin of asv: ``asv publish`` builds the whole site from all stored results, as ``make site`` does.

asv's own pages load ten files from other hosts and stay blank without a network. ``Site`` replaces them by asv-tachyon's
pages and adds the files that those read. It writes ``data/`` and the pages that show it into the directory that contains the
history. asv reads a copy (``history.store.clean``) of the repository's data set and of its own results.
"""

import contextlib
import importlib.util
import io
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asv
from asv.commands.publish import Publish
from asv.console import log
from asv.graph import Graph
from asv.publishing import OutputPublisher
from asv.runner import BENCHMARK_RUN_SCRIPT

from history.store import clean, records
from history.store import results as stored
from history.store.results import DATA_SET, Unread
from website import data
from website.read import commits
from website.read.benchmarks import finder

DRAWING = ("altair", "vl_convert")  # the packages that draw charts


class Site(OutputPublisher):  # type: ignore[misc]
    """Installs asv-tachyon's pages, with the subjects of commits (``commits.json``), and writes the rest of the site."""

    name = "compilers"
    button_label = "Compilers"
    description = "The compilers' page"
    order = 10  # after asv's own publishers, because their page is replaced

    @classmethod
    def publish(cls, conf: Any, repo: Any, benchmarks: Any, graphs: Any, revisions: Mapping[str, int]) -> None:
        directory, history = Path(conf.html_dir), commits.read(Path(conf.repo))
        _write(directory / "commits.json", {commit: history.commit(commit).subject or "" for commit in revisions})
        _write(directory / "profiles.json", {"paths": {}})
        _write(directory / "regressions-ignore.json", [])
        if importlib.util.find_spec("asv_tachyon") is None:
            log.warning("asv-tachyon is not installed (pip install asv-tachyon): the history keeps asv's classic pages")
        else:
            _install_pages(directory)
        for problem in write_site(conf, history, benchmarks):
            log.warning(f"left out {problem.file}: {problem.reason}")


def publish(conf: Any, range_spec: Any = None, pull: bool = True) -> None:
    """Publish all stored results. ``asv publish`` and ``make site`` call this. asv reads a copy of the results."""
    results = Path(conf.results_dir)
    records.gather_own(results)
    with tempfile.TemporaryDirectory(prefix="jitkernels-site-") as directory:
        conf.copy = Path(directory)
        sources = [(name, path) for name, path in (("published", DATA_SET), ("own", results)) if path.is_dir()]
        conf.left_out = clean.copy(sources, conf.copy)
        conf.results_dir = str(conf.copy / clean.COMMITS)
        if next(stored.files(conf.copy), None) is None:  # asv cannot publish nothing
            write_site(conf, commits.read(Path(conf.repo)), {})
            return
        if not (conf.copy / clean.COMMITS / stored.BENCHMARKS).exists():
            _discover(conf)
        publish_results(conf, range_spec, pull)
    complete(Path(conf.html_dir))


def _discover(conf: Any) -> None:
    """Write asv's list of benchmarks, which asv itself writes only when it measures."""
    output = conf.copy / stored.BENCHMARKS
    subprocess.run([sys.executable, BENCHMARK_RUN_SCRIPT, "discover", conf.benchmark_dir, str(output)], check=True)
    listed = {benchmark["name"]: benchmark for benchmark in json.loads(output.read_text(encoding="utf-8"))}
    _write(conf.copy / clean.COMMITS / stored.BENCHMARKS, {**listed, "version": clean.LIST_FORMAT})


def complete(history: Path) -> None:
    """Complete asv-tachyon's files: empty graphs, each benchmark's direction, and the machine with most graphs first.

    The pages open with the first parameter set in index.json and request each benchmark's graph for it, so a missing graph
    gets an empty file. A benchmark without any graph is left out. The pages take a higher tracked value as better, unless
    ``less_is_better`` is true.
    """
    index = json.loads((history / "index.json").read_text(encoding="utf-8"))
    machines = index["graph_param_list"]
    graphs = {
        name: [Path(f"{Graph.get_file_path(params, name)}.json") for params in machines] for name in index["benchmarks"]
    }
    graphs = {name: paths for name, paths in graphs.items() if any((history / path).exists() for path in paths)}
    index["benchmarks"] = {name: index["benchmarks"][name] for name in graphs}
    for benchmark in index["benchmarks"].values():
        benchmark["less_is_better"] = benchmark.get("direction") != "higher"
    places = range(len(machines))
    counts = [sum((history / paths[place]).exists() for paths in graphs.values()) for place in places]
    for path in itertools.chain(*graphs.values()):
        for file, empty in ((path, []), ("samples" / path.relative_to("graphs"), {})):
            if not (history / file).exists():
                _write(history / file, empty)
    index["graph_param_list"] = [machines[place] for place in sorted(places, key=lambda place: -counts[place])]
    _write(history / "index.json", index)


def write_site(conf: Any, history: commits.History, benchmarks: Mapping[str, Any]) -> list[Unread]:
    """Write ``data/``, and the pages if the packages that draw them are installed; return what could not be read."""
    site = Path(conf.html_dir).parent
    unread = data.write(site, conf.copy, history, finder(benchmarks), conf.left_out)
    if missing := [package for package in DRAWING if importlib.util.find_spec(package) is None]:
        log.warning(f"{', '.join(missing)} missing (pip install 'jitkernels[bench]'): there is no compilers' page")
    else:
        from website import pages  # here: asv loads this plugin for every command, and Altair takes a second

        pages.build(site)
    return unread


def _install_pages(site: Path) -> None:
    """Replace asv's pages, with all their files, by asv-tachyon's."""
    from asv_tachyon.cli import main  # here: asv loads this plugin for every command, with or without asv-tachyon

    for file in (Path(asv.__file__).parent / "www").iterdir():
        path = site / file.name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    (site / "index.json").touch()  # asv-tachyon looks for it; asv writes it last
    with contextlib.redirect_stdout(io.StringIO()):
        main(["install", str(site)])


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")


publish_results = Publish.run
Publish.run = publish
