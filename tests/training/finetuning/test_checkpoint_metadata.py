"""The file beside the weights of a fine-tuned model is read back, or refused where it is damaged."""

import json

import pytest

from wordworth.errors import BadInput
from wordworth.training.finetuning.checkpoint_metadata import read_metadata, write_metadata

WHOLE = {"kind": "classification", "classes": ["no", "yes"], "tokens": 128, "cut": "end", "second": False}


def test_what_was_written_is_read_back(tmp_path):
    write_metadata(tmp_path, {**WHOLE, "pooling": None, "columns": ["text"], "threshold": -1})
    assert read_metadata(tmp_path) == {"version": 1, **WHOLE, "pooling": None, "columns": ["text"], "threshold": -1}


def test_the_output_folder_of_a_run_will_do(tmp_path):
    (tmp_path / "model").mkdir()
    write_metadata(tmp_path / "model", WHOLE)
    assert read_metadata(tmp_path)["classes"] == ["no", "yes"]


def test_a_kind_of_an_earlier_version_is_known(tmp_path):
    write_metadata(tmp_path, {**WHOLE, "kind": "single"})
    assert read_metadata(tmp_path)["kind"] == "single"


@pytest.mark.parametrize("name", WHOLE)
def test_a_missing_field_is_named(tmp_path, name):
    write_metadata(tmp_path, {field: value for field, value in WHOLE.items() if field != name})
    with pytest.raises(BadInput, match=f"no field '{name}'") as error:
        read_metadata(tmp_path)
    assert "run wordworth finetune again" in error.value.mend


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "juggling"),
        ("classes", [1, 2]),
        ("tokens", 0),
        ("tokens", 10**12),
        ("cut", "sideways"),
        ("pooling", "best"),
        ("columns", [None]),
        ("context", -1),
    ],
)
def test_a_value_that_no_fine_tuning_writes_is_named(tmp_path, name, value):
    write_metadata(tmp_path, {**WHOLE, name: value})
    with pytest.raises(BadInput, match=f"invalid value of '{name}'"):
        read_metadata(tmp_path)


@pytest.mark.parametrize(
    ("version", "words"), [(2, "unknown format version 2"), (0, "no format version"), (True, "no format version")]
)
def test_a_version_of_the_future_asks_for_an_update(tmp_path, version, words):
    (tmp_path / "wordworth.json").write_text(json.dumps({**WHOLE, "version": version}))
    with pytest.raises(BadInput, match=words):
        read_metadata(tmp_path)


def test_a_folder_of_something_else_is_not_a_fine_tuned_model(tmp_path):
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        read_metadata(tmp_path)
