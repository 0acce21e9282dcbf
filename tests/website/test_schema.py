"""The row types of website/schema/*.py describe the same keys as the JSON Schemas beside them."""

import json
import typing
from typing import Any

import pytest
from synthetic import ROOT

from website.schema import commits, index, kernels, releases

FILES: dict[str, Any] = {
    "index": index.Index,
    "changes": releases.Changes,
    "commits": commits.CommitSteps,
    "commit_kernel": commits.CommitKernelFile,
    "environments": kernels.Environments,
    "gate": index.Gate,
    "kernel": kernels.KernelFile,
    "matrix": kernels.Matrix,
    "releases": releases.ReleasesFile,
    "release_kernel": releases.ReleaseKernelFile,
}


@pytest.mark.parametrize("name", FILES)
def test_a_type_has_the_keys_of_its_schema(name: str) -> None:
    schema = json.loads((ROOT / "website" / "schema" / f"{name}.json").read_text())
    properties = {key: value for key, value in schema["properties"].items() if key != "schema"}
    required = [key for key in schema["required"] if key != "schema"]
    differ = list(differences(FILES[name], {**schema, "properties": properties, "required": required}, schema, name))
    assert differ == [], f"change website/schema/{name}.json, or the type in website/schema/*.py"


def test_every_schema_has_a_type() -> None:
    assert {path.stem for path in (ROOT / "website" / "schema").glob("*.json")} == set(FILES)


def test_a_key_that_only_one_of_them_has_is_reported() -> None:
    schema = {"properties": {"file": {}, "why": {}}, "required": ["file", "why"]}
    assert list(differences(index.UnreadFile, schema, schema, "unread")) == ["unread: reason, why"]


def differences(kind: Any, schema: dict[str, Any], root: dict[str, Any], place: str) -> typing.Iterator[str]:
    """Yield the places where the keys of a type and of a schema differ."""
    schema = root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if typing.is_typeddict(kind):
        if other := kind.__annotations__.keys() ^ schema.get("properties", {}).keys():
            yield f"{place}: {', '.join(sorted(other))}"
            return
        if other := kind.__required_keys__ ^ set(schema["required"]):
            yield f"{place}, required: {', '.join(sorted(other))}"
        for key, value in typing.get_type_hints(kind).items():
            yield from differences(value, schema["properties"][key], root, f"{place}.{key}")
        return
    items = schema.get("items") or schema.get("additionalProperties")
    for argument in typing.get_args(kind):
        branches = [branch for branch in schema.get("anyOf", []) if branch.get("type") == "object"]
        if typing.is_typeddict(argument) and branches:
            yield from differences(argument, branches[0], root, place)
        elif isinstance(items, dict):
            yield from differences(argument, items, root, f"{place}[]")
