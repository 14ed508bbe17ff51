"""JSON objects in which a missing field is bad input, named with its file and its place there."""

import copy
import json

import pytest

from wordworth.checked_json import CheckedObject, checked, read_checked
from wordworth.errors import FETCH_AGAIN, BadInput

RECORD = {"machine": {"cpu": "Xeon"}, "rows": [{"set": "mr", "score": 0.5}, {"set": "mpqa"}]}


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(RECORD))
    return path


def test_fields_that_are_there_are_read_as_from_a_dict(record):
    read = read_checked(record)
    assert read == RECORD
    assert json.loads(json.dumps(read)) == RECORD
    assert read["rows"][0]["score"] == 0.5
    assert "seconds" not in read
    assert read.get("seconds", 3) == 3


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda read: read["seconds"], "no field 'seconds'"),
        (lambda read: read["machine"]["cores"], "no field 'cores' in machine"),
        (lambda read: [row["score"] for row in read["rows"]], "no field 'score' in rows[1]"),
    ],
)
def test_a_missing_field_is_named_with_its_file_and_place(ask, what, record):
    for read in (read_checked(record), copy.deepcopy(read_checked(record))):
        with pytest.raises(BadInput) as refused:
            ask(read)
        assert refused.value.in_flags == f"{record}: this file is damaged: {what}; {FETCH_AGAIN}"


def test_how_to_mend_is_said_by_the_caller(tmp_path):
    path = tmp_path / "cell.json"
    path.write_text("{}")
    with pytest.raises(BadInput, match="no field 'score'; remove it"):
        read_checked(path, "remove it")["score"]


def test_a_file_that_holds_no_object_is_refused(tmp_path):
    path = tmp_path / "record.json"
    path.write_text("[1]")
    with pytest.raises(BadInput, match="holds an array, not a JSON object; fetch the file again"):
        read_checked(path)


def test_objects_inside_lists_of_lists_are_checked_and_other_values_stay():
    value = checked([[{"a": None}], 1, "b"], "file.json")
    assert value == [[{"a": None}], 1, "b"]
    assert isinstance(value[0][0], CheckedObject)
    with pytest.raises(BadInput, match=r"no field 'c' in \[0\]\[0\]"):
        value[0][0]["c"]
