"""The JSON Schemas follow from the types in website/schema; tests of each file hold the site's data to them."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import jsonschema
import pytest
from msgspec import Meta

from website.schema import json_schema
from website.schema.releases import End
from website.schema.values import Time


class Example(TypedDict):
    at: Time
    size: int | None
    words: Annotated[list[str], Meta(min_length=1)]
    colour: Literal["red", "blue"]
    end: End
    parts: dict[str, float]
    wrong: NotRequired[str]


RELEASE = {"compiler": "numba", "release": "0.68.1", "date": None}
COMMIT = {"commit": "c" * 40, "short": "c" * 8, "subject": None, "date": "2026-11-24T20:00:00Z"}
VALID = {"at": COMMIT["date"], "size": None, "words": ["a"], "colour": "red", "end": RELEASE, "parts": {"a": 1}}


def test_a_value_of_the_type_is_valid() -> None:
    jsonschema.validate(VALID, json_schema.of_type(Example))
    jsonschema.validate({**VALID, "size": 3, "end": COMMIT, "wrong": "why"}, json_schema.of_type(Example))


@pytest.mark.parametrize(
    "change",
    [
        {"at": "yesterday"},
        {"size": 1.5},
        {"words": []},
        {"words": [1]},
        {"colour": "green"},
        {"end": None},
        {"end": {**RELEASE, "another": 1}},
        {"end": {**COMMIT, "date": None}},
        {"parts": {"a": "b"}},
        {"wrong": 1},
        {"another": 1},
    ],
    ids=str,
)
def test_any_other_value_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**VALID, **change}, json_schema.of_type(Example))


def test_a_missing_key_is_refused() -> None:
    with pytest.raises(jsonschema.ValidationError, match="'size' is a required property"):
        jsonschema.validate({key: value for key, value in VALID.items() if key != "size"}, json_schema.of_type(Example))


def test_every_file_has_a_schema_with_a_title(tmp_path: Path) -> None:
    json_schema.write(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == set(json_schema.FILES)
    for path in tmp_path.iterdir():
        schema = json.loads(path.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["title"].startswith("data/")
        assert schema["properties"]["schema"] == {"const": 1}
