"""Serve a site as a web server does: compressed and below a sub-path. Every request is recorded."""

import functools
import gzip
import http.server
import json
import re
import shutil
import tempfile
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from history.store import clean, duets
from history.store import results as stored
from website import data, pages
from website.read import benchmarks, commits
from website.schema import json_schema

STORED = Path(__file__).parent / "stored_results"
PREFIX = "/some/where/"  # GitHub Pages too serve a project below a path


@dataclass
class Served:
    """``address``: of the site. ``requests``: (path below the address, bytes sent), in order. ``strays``: other paths."""

    address: str
    requests: list[tuple[str, int]] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)

    @property
    def sent(self) -> int:
        """Return the bytes sent, compressed, without headers."""
        return sum(size for _, size in self.requests)


@functools.lru_cache(maxsize=500)  # most pages have the same scripts
def compressed(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=6, mtime=0)


@contextmanager
def served(site: Path) -> Iterator[Served]:
    """Serve the directory on this machine."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for many files

        def do_GET(self) -> None:
            path = urllib.parse.unquote(self.path.partition("?")[0])
            if not path.startswith(PREFIX):
                here.strays.append(path)
                return self.send_error(404)
            file = site / path.removeprefix(PREFIX)
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file():
                here.requests.append((path.removeprefix(PREFIX), 0))
                return self.send_error(404)
            body = compressed(file.read_bytes())
            here.requests.append((path.removeprefix(PREFIX), len(body)))
            self.send_response(200)
            self.send_header("Content-Type", self.guess_type(str(file)))
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here = Served(f"http://127.0.0.1:{server.server_address[1]}{PREFIX}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def results(directory: Path, change: Callable[[dict[str, Any]], object] = lambda result: None) -> Path:
    """Return a copy of the stored results; ``change`` changes each file of results."""
    shutil.copytree(STORED, directory)
    for file in directory.glob("*/*.json"):
        if file.name != "machine.json":
            content = json.loads(file.read_text(encoding="utf-8"))
            change(content)
            file.write_text(json.dumps(content), encoding="utf-8")
    return directory


def site_of(
    site: Path, results: Path, changes: Sequence[dict[str, Any]] = (), subject: str = "Measure", diffs: str | None = None
) -> Path:
    """Build the site of a directory of results without asv; asv's own pages are empty. ``subject``: of every commit."""
    listed = json.loads((results / "benchmarks.json").read_text(encoding="utf-8"))
    files = [*stored.files(results), *results.rglob(duets.FILE)]
    hashes = set(re.findall('"(?:base|commit|commit_hash)": ?"([0-9a-f]{40})"', " ".join(map(Path.read_text, files))))
    history = commits.History([f"{hash_}\0001767225600\0{subject}" for hash_ in sorted(hashes)], hashes, diffs)
    shutil.copytree(_page(), site)
    unread: list[stored.Unread] = []
    found = clean.read([("published", results)], unread)
    data.write(site, [results], found, history, benchmarks.finder(listed), unread)
    if changes:
        content = {"schema": json_schema.VERSION, "changes": list(changes), "left_out": 0}
        (site / "data" / "changes.json").write_text(json.dumps(content))
    return site


@contextmanager
def edited(file: Path) -> Iterator[Any]:
    """Yield the content of a JSON file, and write it back as it was changed."""
    content = json.loads(file.read_text(encoding="utf-8"))
    yield content
    file.write_text(json.dumps(content))


def seed(charts: Path) -> None:
    """Copy the files that draw the charts from ``charts``, before the first site is built."""
    shutil.copytree(charts, Path(_kept.name) / "site" / "charts")


@functools.cache
def _page() -> Path:
    """Return the pages without data, built once: Vega's bundle takes seconds."""
    site = Path(_kept.name) / "site"
    (site / "history").mkdir(parents=True)
    (site / "history" / "index.html").write_text(f"<html><head></head><body>{pages.ROOT}</body></html>")
    pages.build(site)
    return site


_kept = tempfile.TemporaryDirectory(prefix="jitkernels-page-")  # until the tests end
