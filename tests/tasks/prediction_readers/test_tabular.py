"""Files of classes, values and options: what is read, and what is said of those that do not fit."""

from pathlib import Path

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.datasets import find_dataset_spec
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.prediction_readers.align import ExpectedIds
from wordworth.tasks.prediction_readers.tabular import read_predictions
from wordworth.tasks.task import Examples

RTE, STSB, CONLL, SWAG = (
    find_dataset_spec("rte"),
    find_dataset_spec("stsb"),
    find_dataset_spec("conll2003"),
    find_dataset_spec("swag"),
)
ASKED = ExpectedIds("rte's dev part", ("0", "1", "2"))


def part(**fields) -> Part:
    examples = Examples(("a", "b", "c"), ids=ASKED.ids, **fields)
    return Part(examples, np.zeros(3, dtype=np.int64), ())


def said(folder: Path, name: str, text: str, of: DatasetSpec = RTE, **fields) -> np.ndarray:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_predictions(path, of, part(**fields), ASKED)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.tsv", "index\tprediction\n0\tentailment\n1\tnot_entailment\n2\tentailment\n"),
        ("p.tsv", "index\tprediction\n2\tentailment\n1\tnot_entailment\n0\tentailment\n"),
        ("p.csv", "id,label\n0,entailment\n1,not_entailment\n2,entailment\n"),
        ("p.csv", "prediction\nentailment\nnot_entailment\nentailment\n"),
        ("p.txt", "entailment\nnot_entailment\nentailment\n\n"),
        ("p.jsonl", '{"prediction": "entailment"}\n{"prediction": "not_entailment"}\n{"prediction": "entailment"}\n'),
    ],
)
def test_classes_are_read_by_id_or_in_order(tmp_path, name, text):
    assert said(tmp_path, name, text).tolist() == [[1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("prediction\nentailment\n", "1 predictions where rte's dev part has 3 examples"),
        ("id,prediction\n0,entailment\n1,entailment\n", r"1 id \('2'\) of rte's dev part without a prediction"),
        ("id,prediction\n0,entailment\n7,entailment\n", r"1 id \('7'\) that rte's dev part does not have"),
        ("id,prediction\n0,entailment\n0,entailment\n", r"1 id \('0'\) twice"),
        (
            "prediction\nentailment\n1\nentailment\n",
            "line 3: prediction '1'; available: 'entailment', 'not_entailment'",
        ),
        ("text\nentailment\nx\ny\n", "name the column 'prediction'"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(tmp_path, text, what):
    with pytest.raises(BadInput, match=what):
        said(tmp_path, "p.csv", text)


def test_values_are_numbers(tmp_path):
    assert said(tmp_path, "p.txt", "1.5\n-2\n3e0\n", STSB).tolist() == [1.5, -2, 3]
    with pytest.raises(BadInput, match="line 2: prediction 'nan' is not a finite number"):
        said(tmp_path, "p.txt", "1.5\nnan\n3\n", STSB)


def test_options_are_numbers_and_missing_ones_cannot_win(tmp_path):
    options = (("a", "b"), ("a", "b", "c"), ("a", "b"))
    found = said(tmp_path, "p.txt", "0\n2\n1\n", SWAG, options=options)
    assert found.tolist() == [[1, 0, -np.inf], [0, 0, 1], [0, 1, -np.inf]]
    with pytest.raises(BadInput, match="line 1: prediction '2' is not one of 0 to 1"):
        said(tmp_path, "p.txt", "2\n2\n1\n", SWAG, options=options)


def test_what_wordworth_predict_writes_is_read(tmp_path):
    line = '{{"id": {0}, "label": "entailment", "probabilities": {{"entailment": 0.9, "not_entailment": 0.1}}}}\n'
    assert said(tmp_path, "p.jsonl", "".join(map(line.format, (2, 0, 1)))).tolist() == [[1, 0]] * 3
    values = '{"id": 0, "value": 1.5}\n{"id": 1, "value": 2}\n{"id": 2, "value": 0}\n'
    assert said(tmp_path, "p.jsonl", values, STSB).tolist() == [1.5, 2, 0]
    choices = '{"id": 1, "choice": 1, "option": "b"}\n{"id": 0, "choice": 0}\n{"id": 2, "choice": 0}\n'
    assert said(tmp_path, "p.jsonl", choices, SWAG, options=(("a", "b"),) * 3).argmax(1).tolist() == [0, 1, 0]


def test_a_published_task_of_ones_own_reads_predictions_too(tmp_path):
    own = DatasetSpec(
        name="mine",
        title="?",
        source="me",
        kind="single",
        classes=("a", "b"),
        metrics=("accuracy",),
        folders=("mine",),
        layouts=(
            FileLayout(files={"dev": "d.csv"}, read=TextTableReader(first="text", label="label", classes=("a", "b"))),
        ),
    )
    assert said(tmp_path, "p.txt", "a\nb\na\n", own).argmax(1).tolist() == [0, 1, 0]
