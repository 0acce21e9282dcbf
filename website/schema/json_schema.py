"""The JSON Schema of each file in ``site/data``, from its type here. ``make site`` writes them to ``site/schema``.

Each object is a class and has no keys beyond the class's.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from website.schema import commits, index, kernels, releases

VERSION = 1  # of every file in ``site/data``; a page refuses any other
DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: dict[str, Any] = {
    "index": index.Index,
    "gate": index.Gate,
    "rivals": index.Rivals,
    "kernel": kernels.KernelFile,
    "matrix": kernels.Matrix,
    "environments": kernels.Environments,
    "changes": releases.Changes,
    "releases": releases.ReleasesFile,
    "release_kernel": releases.ReleaseKernelFile,
    "commits": commits.CommitSteps,
    "commit_kernel": commits.CommitKernelFile,
}


def write(directory: Path) -> None:
    """Write a file for each schema."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (directory / f"{name}.json").write_text(json.dumps(of_file(name), indent=2) + "\n", encoding="utf-8")


def of_file(name: str) -> dict[str, Any]:
    """Return the schema of a kind of file; its title is the type's docstring."""
    schema = of_type(FILES[name])
    schema["title"] = schema.pop("description")
    schema["properties"]["schema"] = {"const": VERSION}
    schema["required"].append("schema")
    return {"$schema": DIALECT, **schema}


def of_type(kind: Any) -> dict[str, Any]:
    """Return the schema of a class. The classes in it are its definitions."""
    _, objects = msgspec.json.schema_components([kind, *releases.ENDS])
    for each in objects.values():
        each["additionalProperties"] = False
    return {**objects.pop(kind.__name__), "$defs": objects}
