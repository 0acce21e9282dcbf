"""asv publisher plugin: the commits' history, in asv-tachyon's pages.

``asv publish`` writes its data and its classic pages, which load ten files from elsewhere and stay blank without a
network. This replaces them by asv-tachyon's self-contained ones and adds what those show beside the data.
"""

import contextlib
import importlib.util
import io
import json
import subprocess
from pathlib import Path

from asv.console import log
from asv.publishing import OutputPublisher


class History(OutputPublisher):
    """Installs the pages and ``commits.json``, the subject of each measured commit."""

    name = "history"
    button_label = "History"
    description = "The commits' history in asv-tachyon's pages"
    order = 10  # after asv's own publishers, whose page is replaced

    @classmethod
    def publish(cls, conf, repo, benchmarks, graphs, revisions) -> None:
        site = Path(conf.html_dir)
        _write(site / "commits.json", {commit: _subject(commit) for commit in revisions})
        _write(site / "profiles.json", {"paths": {}})
        _write(site / "regressions-ignore.json", [])
        if importlib.util.find_spec("asv_tachyon") is None:
            log.warning("asv-tachyon is not installed (pip install asv-tachyon): the history keeps asv's classic pages")
            return
        _install_pages(site)


def _install_pages(site: Path) -> None:
    from asv_tachyon.cli import main  # here: asv loads this plugin for every command, with or without asv-tachyon

    (site / "index.json").touch()  # asv-tachyon looks for it; asv writes it last
    with contextlib.redirect_stdout(io.StringIO()):
        main(["install", str(site)])


def _subject(commit: str) -> str:
    answer = subprocess.run(["git", "log", "-1", "--format=%s", commit], capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, allow_nan=False), encoding="utf-8")
