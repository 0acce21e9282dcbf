"""A package index on this machine."""

import functools
import hashlib
import http.server
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

THING, PART = "jitkernels-thing", "jitkernels-part"
FILES: dict[str, list[dict[str, Any]]] = {  # version and day of each file, and what differs from a plain wheel
    THING: [
        {"version": "1.0", "day": "2024-01-01"},
        {"version": "1.1", "day": "2024-03-01"},
        {"version": "1.2rc1", "day": "2024-04-01"},
        {"version": "1.3", "day": "2024-05-01", "yanked": True},
        {"version": "1.4", "day": "2024-06-01", "requires-python": ">=3.99"},
        {"version": "1.5", "day": "2024-06-02", "filename": "jitkernels_thing-1.5.tar.gz"},
        {"version": "1.10", "day": "2024-07-01"},
    ],
    PART: [
        {"version": "1.0", "day": "2023-01-01"},
        {"version": "2.0", "day": "2024-02-01"},
        {"version": "2.1", "day": "2024-06-30"},
        {"version": "2.2", "day": "2024-12-01"},
        {"version": "3.0", "day": "2024-02-02"},
    ],
}


def entry(directory: Path, name: str, version: str, day: str, **more: Any) -> dict[str, Any]:
    """Write an empty package and return its entry in the index."""
    stem = f"{name.replace('-', '_')}-{version}"
    file = directory / more.get("filename", f"{stem}-py3-none-any.whl")
    requires = f"Requires-Dist: {PART}<3\n" if name == THING else ""
    with zipfile.ZipFile(file, "w") as archive:
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}"
        archive.writestr(f"{stem}.dist-info/METADATA", metadata)
        archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{stem}.dist-info/RECORD", "")
    hashes = {"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    plain = {"filename": file.name, "url": file.name, "size": file.stat().st_size, "hashes": hashes}
    return {**plain, "upload-time": f"{day}T00:00:00Z", **more}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves ``/simple/NAME/`` as the standard's JSON."""

    extensions_map = {".json": "application/vnd.pypi.simple.v1+json"}

    def do_GET(self) -> None:
        self.path += "index.json" if self.path.endswith("/") else ""
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def index_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("index")
    for name, files in FILES.items():
        directory = root / "simple" / name
        directory.mkdir(parents=True)
        document = {
            "meta": {"api-version": "1.1"},
            "name": name,
            "files": [entry(directory, name, **file) for file in files],
        }
        (directory / "index.json").write_text(json.dumps(document))
    broken = root / "simple" / "broken"
    broken.mkdir()
    (broken / "index.json").write_text("<html>")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/simple"
    server.shutdown()
    server.server_close()


@pytest.fixture
def package_index(index_address: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the package index that this test's processes use."""
    directory = tmp_path_factory.mktemp("cache")
    variables = {"PIP_INDEX_URL": index_address, "UV_CACHE_DIR": str(directory), "UV_HTTP_RETRIES": "0", "UV_NO_CONFIG": "1"}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return index_address
