"""Choices of a cause or an effect, from COPA's, Balanced COPA's and XCOPA's own files."""

import json

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task

ROW = {"premise": "It rained.", "choice1": "The street got wet.", "choice2": "The sun shone.", "label": 0}


def lines(*rows):
    return "".join(json.dumps({**ROW, "question": "effect", **row}) + "\n" for row in rows)


def test_the_official_files_are_read_with_a_connective_before_each_alternative(tmp_path):
    files = {"train.jsonl": lines({}, {"question": "cause", "label": 1}), "val.jsonl": lines({})}
    task = named_task("copa", folder=write(tmp_path, files))
    assert task.examples.first == ("It rained.",) * 3
    assert task.examples.second == ("so", "because", "so")
    assert task.examples.options[0] == ("The street got wet.", "The sun shone.")
    assert task.labels.tolist() == [0, 1, 0]


def test_a_mirrored_row_is_in_the_part_of_the_row_that_it_mirrors(tmp_path):
    file = lines({"id": 1}, {"id": 1001}, {"id": 400}, {"id": 401}, {"id": 1401}, {"id": 500}, {"id": 1500})
    task = named_task("copa", folder=write(tmp_path, {"dev.jsonl": file}))
    assert (len(task.train), len(task.test)) == (3, 4)


def test_a_language_of_xcopa_learns_from_copa_in_english(tmp_path, monkeypatch):
    write(tmp_path / "copa", {"train.jsonl": lines({}), "val.jsonl": lines({})})
    rows = lines({"lang": "it"}, {"lang": "et"}, {"lang": "it"})
    write(tmp_path / "xcopa", {"val.jsonl": rows, "test.jsonl": rows})
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    assert (len(named_task("xcopa:it").train), len(named_task("xcopa:it").test)) == (1, 2)
    assert len(named_task("xcopa", held_out="test").test) == 3
    with pytest.raises(BadInput, match="XCOPA has no language 'en'"):
        named_task("xcopa:en")


@pytest.mark.parametrize(("row", "error"), [
    ({"question": "why"}, "line 1: question 'why' is neither cause nor effect"),
    ({"label": 2}, "line 1: label '2' is not one of 0 to 1"),
])  # fmt: skip
def test_a_row_that_cannot_be_read_is_named(tmp_path, row, error):
    with pytest.raises(BadInput, match=error):
        named_task("copa", folder=write(tmp_path, {"train.jsonl": lines(row), "val.jsonl": lines({})}))


def test_a_file_without_rows_of_a_part_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no row of this file is in this part"):
        named_task("copa", folder=write(tmp_path, {"dev.jsonl": lines({"id": 1})}))
