"""A plugin of asv: ``asv publish`` builds the whole site from all stored results, as ``make site`` does.

asv reads a copy (``history.store.clean``) of the repository's data set and of its own results. Its own pages load ten files
from other hosts and stay blank without a network, so asv-tachyon's pages replace them. ``data/`` and the pages that show it
are written into the directory that contains the history.
"""

import contextlib
import io
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import asv
from asv.commands.publish import Publish
from asv.console import log
from asv.graph import Graph
from asv.runner import BENCHMARK_RUN_SCRIPT

from history.store import clean, records
from history.store.results import BENCHMARKS, DATA_SET, Unread
from website import data
from website.read import commits
from website.read.benchmarks import finder


def publish(conf: Any, range_spec: Any = None, pull: bool = True) -> None:
    """Publish all stored results. ``asv publish`` and ``make site`` call this. asv reads a copy of the results."""
    from website import pages  # here: asv loads this plugin for every command, and Altair takes a second

    results, html = Path(conf.results_dir), Path(conf.html_dir)
    records.gather_own(results)
    history = commits.read(Path(conf.repo))
    sources = [(name, path) for name, path in (("own", results), ("published", DATA_SET)) if path.is_dir()]
    unread: list[Unread] = []
    files, listed = clean.read(sources, unread), clean.benchmarks(sources, unread)
    if files:  # asv cannot publish nothing
        with tempfile.TemporaryDirectory(prefix="jitkernels-site-") as directory:
            listed = listed or _discover(conf.benchmark_dir, Path(directory))
            clean.copy(files, listed, Path(directory))
            conf.results_dir = directory
            publish_results(conf, range_spec, pull)
        _install_pages(html)
        complete(html, history)
    data.write(html.parent, [path for _, path in sources], files, history, finder(listed), unread)
    for each in unread:
        log.warning(f"left out {each.file}: {each.reason}")
    pages.build(html.parent)


def _discover(suite: str, directory: Path) -> dict[str, Any]:
    """Return asv's list of benchmarks, which asv itself writes only when it measures. suite: their directory."""
    output = directory / BENCHMARKS
    subprocess.run([sys.executable, BENCHMARK_RUN_SCRIPT, "discover", suite, str(output)], check=True)
    return {benchmark["name"]: benchmark for benchmark in json.loads(output.read_text(encoding="utf-8"))}


def complete(directory: Path, history: commits.History) -> None:
    """Complete asv-tachyon's files: the subjects of commits, empty graphs, each benchmark's direction, and the machine with
    most graphs first.

    The pages open with the first parameter set in index.json and request each benchmark's graph for it, so a missing graph
    gets an empty file. A benchmark without any graph is left out. The pages take a higher tracked value as better, unless
    ``less_is_better`` is true.
    """
    index = json.loads((directory / "index.json").read_text(encoding="utf-8"))
    published = index["revision_to_hash"].values()
    _write(directory / "commits.json", {commit: history.commit(commit).subject or "" for commit in published})
    _write(directory / "profiles.json", {"paths": {}})
    _write(directory / "regressions-ignore.json", [])
    machines = index["graph_param_list"]
    graphs = {
        name: [Path(f"{Graph.get_file_path(params, name)}.json") for params in machines] for name in index["benchmarks"]
    }
    graphs = {name: paths for name, paths in graphs.items() if any((directory / path).exists() for path in paths)}
    index["benchmarks"] = {name: index["benchmarks"][name] for name in graphs}
    for benchmark in index["benchmarks"].values():
        benchmark["less_is_better"] = benchmark.get("direction") != "higher"
    places = range(len(machines))
    counts = [sum((directory / paths[place]).exists() for paths in graphs.values()) for place in places]
    for path in itertools.chain(*graphs.values()):
        for file, empty in ((path, []), ("samples" / path.relative_to("graphs"), {})):
            if not (directory / file).exists():
                _write(directory / file, empty)
    index["graph_param_list"] = [machines[place] for place in sorted(places, key=lambda place: -counts[place])]
    _write(directory / "index.json", index)


def _install_pages(site: Path) -> None:
    """Replace asv's pages, with all their files, by asv-tachyon's."""
    from asv_tachyon.cli import main  # here: asv loads this plugin for every command

    for file in (Path(asv.__file__).parent / "www").iterdir():
        path = site / file.name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    with contextlib.redirect_stdout(io.StringIO()):
        main(["install", str(site)])


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")


publish_results = Publish.run
Publish.run = publish
