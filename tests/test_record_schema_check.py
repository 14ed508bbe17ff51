"""A record file that was damaged or written by hand is refused with the part that is wrong."""

from copy import deepcopy

import pytest

from wordworth.errors import BadInput
from wordworth.record_schema_check import require_shape

WHOLE = {
    "kind": "worth",
    "version": 1,
    "settings": {"seed": 0},
    "data": {},
    "tables": {"scores": {"columns": {"rung": ["a", "b"], "score": [0.5, None]}, "describe": {}}},
    "findings": [{"name": "verdict", "text": "Yes.", "numbers": {}}],
    "timings": {"all": 1.5},
    "environment": {},
}


def changed(path, value):
    record = deepcopy(WHOLE)
    *parents, last = path
    part = record
    for name in parents:
        part = part[name]
    part[last] = value
    return record


def test_a_whole_record_passes():
    require_shape(WHOLE, "record.json", "run it again")


@pytest.mark.parametrize("field", WHOLE)
def test_a_missing_field_is_named(field):
    record = {name: value for name, value in WHOLE.items() if name != field}
    with pytest.raises(BadInput, match=rf"this record is damaged: the record: no field '{field}'") as error:
        require_shape(record, "record.json", "run it again")
    assert (error.value.where, error.value.mend) == ("record.json", "run it again")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("version",), "1", "the record: 'version' is '1'"),
        (("version",), True, "the record: 'version' is True"),
        (("tables", "scores"), [], "table 'scores' is []"),
        (("tables", "scores", "columns"), [], "table 'scores': 'columns' is []"),
        (("tables", "scores", "columns", "score"), 1, "column 'score' of table 'scores' is 1"),
        (
            ("tables", "scores", "columns", "score"),
            [1.0],
            "columns of table 'scores' are of unequal length: 'rung' has 2, 'score' has 1",
        ),
        (("findings", 0), "Yes.", "finding 1 is 'Yes.'"),
        (("findings", 0, "text"), None, "finding 1: 'text' is None"),
        (("timings", "all"), float("inf"), "it holds a number that is infinite or too large (inf)"),
        (("data", "deep"), {"list": [1, {"nan": float("nan")}]}, "a number that is infinite or too large (nan)"),
        (("settings", "seed"), 10**400, "a number that is infinite or too large (an integer of 1,329 bits)"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(path, value, words):
    with pytest.raises(BadInput) as error:
        require_shape(changed(path, value), "record.json", "run it again")
    assert words in error.value.what
    assert "\n" not in error.value.what
