"""One class for each example: its default metric, its files, and what needs no model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.sentence_formatting import one_spelling
from wordworth.tasks.examples import Examples
from wordworth.tasks.reading.infer_columns import TaskColumns
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task_types.classification import CLASSIFICATION, PAIR_CLASSIFICATION
from wordworth.tasks.task_types.prediction_cells import PredictedCell
from wordworth.text.file_formats.table import TextTable

CLASSES = ("bad", "good")


def test_accuracy_counts_where_classes_are_even_and_macro_f1_where_one_has_three_quarters():
    even, uneven = np.array([0, 1] * 50), np.array([0] * 80 + [1] * 20)
    assert CLASSIFICATION.default_metric(even, CLASSES, np.arange(100))[0] == "accuracy"
    metric, reason = CLASSIFICATION.default_metric(uneven, CLASSES, np.arange(100))
    assert metric == "macro_f1"
    assert "80 %" in reason


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30))
def test_labels_come_back_from_predictions_that_are_certain_of_them(labels):
    scores = CLASSIFICATION.as_predictions(np.array(labels), CLASSES)
    assert [CLASSIFICATION.decide(row) for row in scores] == labels


def test_predicted_classes_are_read_by_name_and_a_misspelt_one_is_named_with_its_place():
    cells = [PredictedCell("good", "line 1"), PredictedCell(" bad ", "line 2")]
    assert CLASSIFICATION.parse_predictions(cells, CLASSES, ()).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(BadInput, match="line 3: prediction 'goood'; did you mean 'good'"):
        CLASSIFICATION.parse_predictions([PredictedCell("goood", "line 3")], CLASSES, ())


def test_an_answer_is_the_likeliest_class_with_the_probability_of_each():
    answer = CLASSIFICATION.answer(np.log([1.0, 3.0]), CLASSES)
    assert answer == {"label": "good", "probabilities": {"bad": 0.25, "good": 0.75}}


def test_predictions_of_one_class_alone_are_degenerate_unless_the_labels_are_too():
    always, labels = np.array([[0.0, 1.0]] * 4), np.array([0, 1, 0, 1])
    assert CLASSIFICATION.is_degenerate(labels, always)
    assert not CLASSIFICATION.is_degenerate(np.ones(4, int), always)
    assert not CLASSIFICATION.is_degenerate(labels, CLASSIFICATION.as_predictions(labels, CLASSES))


def test_labels_outside_the_classes_are_a_problem():
    assert CLASSIFICATION.label_problem(np.array([0, 1]), Examples(("a", "b")), CLASSES) == ""
    assert "0 to 1" in CLASSIFICATION.label_problem(np.array([0, 2]), Examples(("a", "b")), CLASSES)


def test_the_constant_answer_is_the_largest_class():
    gold = np.array([1, 1, 0])
    assert CLASSIFICATION.constant_scores(gold, CLASSES).tolist() == pytest.approx([1 / 3, 2 / 3])
    assert (
        CLASSIFICATION.constant_text(CLASSIFICATION.constant_scores(gold, CLASSES), CLASSES) == "always saying “good”"
    )
    assert CLASSIFICATION.baseline_predictions(gold, CLASSES, 2).tolist() == [[1, 2], [1, 2]]


def test_pairs_are_learned_by_what_learns_pairs_and_keep_their_former_name():
    assert PAIR_CLASSIFICATION.takes_pairs
    assert not CLASSIFICATION.takes_pairs
    assert PAIR_CLASSIFICATION.legacy_name == "pair"


def rows(train, test):
    tables = []
    for labels in (train, test):
        columns = {"text": [f"text {row}" for row in range(len(labels))], "label": labels}
        tables.append(TextTable(columns, "a.csv", "0" * 64, range(1, len(labels) + 1)))
    return LabelledRows(tuple(tables), TaskColumns("text", ("label",)), ("train", "test"))


@pytest.mark.parametrize(
    ("train", "test", "classes"),
    [
        (["0", "1"], ["0.0", "1.0"], ("0", "1")),
        (["0.0", "1.0"], ["0", "0"], ("0", "1")),
        (["True", "False"], ["true", "false"], ("false", "true")),
        (["true", "false"], ["TRUE", "True"], ("false", "true")),
        (["True", "False", "unsure"], ["true", "false"], ("false", "true", "unsure")),
        (["True", "False"], ["True", "False"], ("False", "True")),
        (["1.0", "1.5"], ["1.0", "1.5"], ("1.0", "1.5")),
        (["Good", "good"], ["Good", "good"], ("Good", "good")),
    ],
)
def test_a_class_that_tables_write_otherwise_is_one_class_and_others_stay_as_written(train, test, classes):
    labelled = CLASSIFICATION.read(rows(train * 4, test * 4))
    assert labelled.classes == classes
    read = [classes[label] for label in labelled.labels]
    assert list(map(one_spelling, read)) == list(map(one_spelling, train * 4 + test * 4))
