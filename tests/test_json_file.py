"""JSON that somebody else wrote: one door reads it, and every damage is one clear error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.json_file import MOST_LEVELS, differing, parse_json, read_json, read_object, require_fields

SOURCES = Path(__file__).resolve().parents[1] / "src"


DECODERS = {
    ("json_file.py", "_PLAIN"),  # the door's own
    ("text/file_formats/jsonl.py", "_DECODER"),  # numbers stay as they are written; given to the door
    ("tasks/prediction_readers/squad.py", "_PAIRS"),  # a name that stands twice is seen; given to the door
}
OTHER_DOOR = {"serving/request_bodies.py"}
"""msgspec reads the bodies of requests."""


def matches(pattern):
    """(file, group) of every match in the sources; the group is "" where the pattern has none."""
    expression = re.compile(pattern, re.MULTILINE)
    return [
        (path.relative_to(SOURCES / "wordworth").as_posix(), match[match.lastindex or 0])
        for path in SOURCES.rglob("*.py")
        for match in expression.finditer(path.read_text(encoding="utf-8"))
    ]


def test_all_json_is_read_through_one_door():
    assert matches(r"json\.loads?\(|from json import|import json as") == []
    assert matches(r"raw_decode") == []
    assert {file for file, _ in matches(r"json\.decode\(")} == OTHER_DOOR


def test_every_json_decoder_is_known_and_given_to_the_door():
    assert len(matches(r"JSONDecoder\(")) == len(DECODERS)
    assert set(matches(r"^(\w+) = json\.JSONDecoder\([^)]*\)$")) == DECODERS
    names = "|".join(name for _, name in DECODERS)
    assert matches(rf"\b({names})\.decode\(") == []


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("levels", [MOST_LEVELS + 1, 900, 200_000])
def test_json_nested_without_end_is_no_json(opening, levels):
    with pytest.raises(ValueError, match=r"nested deeper than 100 levels|Expecting value"):
        parse_json(opening * levels)


def test_a_deep_value_that_is_whole_is_refused_too():
    with pytest.raises(ValueError, match="nested deeper"):
        parse_json("[" * 500 + "]" * 500)


def test_many_brackets_side_by_side_or_in_text_are_fine():
    assert len(parse_json("[" + ",".join(["[]"] * 1_000) + "]")) == 1_000
    assert parse_json('["' + "[" * 1_000 + '"]') == ["[" * 1_000]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "not a whole JSON file"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b"9" * 5_000, "not a whole JSON file"),
        (b"[1]", "holds an array, not a JSON object"),
        (b"PK\x03\x04", "a zip archive"),
    ],
)
def test_a_damaged_file_names_itself_and_what_mends_it(tmp_path, data, says):
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=rf"x\.json: .*{says}.*do that again"):
        read_object(path, "do that again")


def test_a_missing_file_or_a_folder_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(BadInput, match="cannot read"):
            read_json(path)


@pytest.mark.parametrize("raw", [{}, {"n": "1"}, {"n": True}, {"n": None}, {"n": [1]}])
def test_a_field_that_is_missing_or_of_another_kind_is_named(raw):
    with pytest.raises(BadInput, match=r"f: this file is damaged: .*'n'.*; mend"):
        require_fields(raw, {"n": int}, "f", "mend")


def test_two_manifests_differ_in_what_one_lacks_or_holds_otherwise():
    assert differing({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 4, "d": 5}) == ["b", "c", "d"]
    assert differing({"a": 1}, {"a": 1, "b": None}) == []
