"""Files of answers and of doubts, as SQuAD's scorer reads them."""

from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.tasks.prediction_readers.align import ExpectedIds
from wordworth.tasks.prediction_readers.squad import read_answers, read_no_answer_probabilities

ASKED = ExpectedIds("rte's dev part", ("0", "1", "2"))


def answers(folder: Path, text: str, name: str = "a.json") -> list[str]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_answers(path, ASKED)


def test_answers_are_found_by_id(tmp_path):
    assert answers(tmp_path, '{"2": "c", "0": "a", "1": ""}') == ["a", "", "c"]
    lines = '{"id": 1, "prediction": ""}\n{"id": "0", "prediction": "a"}\n{"id": "2", "answer": "c"}\n'
    assert answers(tmp_path, lines, "a.jsonl") == ["a", "", "c"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"0": "a"', "this is not JSON"),
        ('["a"]', "this JSON is not an object"),
        ('[{"0": "a"}]', "this JSON is not an object"),
        ('{"0": "a", "0": "b"}', "twice"),
        ('{"0": "a", "1": null, "2": "c"}', "the answer to '1' is None"),
        ('{"version": 1, "data": [{"title": "t"}]}', "the answer to 'version' is 1; write"),
        ('{"data": [{"title": "t", "paragraphs": []}]}', r"the answer to 'data' is a list; write \{\"id\": \"answer\""),
        ('{"0": "a"}', r"2 ids \('1', '2'\) of rte's dev part without a prediction"),
    ],
)
def test_a_broken_file_of_answers_is_one_clear_error(tmp_path, text, what):
    with pytest.raises(BadInput, match=what):
        answers(tmp_path, text)


def test_doubts_are_numbers(tmp_path):
    path = tmp_path / "na.json"
    path.write_text('{"0": 0, "1": 1.5, "2": -3}')
    assert read_no_answer_probabilities(path, ASKED).tolist() == [0, 1.5, -3]
    path.write_text('{"0": 0, "1": true, "2": -3}')
    with pytest.raises(BadInput, match="is True; write numbers"):
        read_no_answer_probabilities(path, ASKED)
