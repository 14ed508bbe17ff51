"""Any number of labels for a text: what separates them in a cell, and how predictions are read."""

import numpy as np
import pytest

from wordworth.tasks.examples import Examples
from wordworth.tasks.task_types.multilabel import MULTILABEL, separator

CLASSES = ("joy", "fear", "anger")


@pytest.mark.parametrize(
    ("cells", "column", "mark"),
    [
        (["a|b", "b|c", "a|c", "a|b|c"], "label", "|"),
        (["a; b", "b; c", "a; c", "c"], "label", ";"),
        (['["a"]', '["a", "b"]'], "label", "JSON array"),
        (["a b", "b c", "a c", "a b c"], "labels", " "),
        (["a b", "b c", "a c", "a b c"], "label", None),
        (["one", "two", "one"], "label", None),
        (["Paris, France", "Rome, Italy"], "label", None),
    ],
)
def test_what_separates_labels_is_what_makes_them_combine(cells, column, mark):
    assert separator(cells, column) == mark


def test_labels_above_zero_are_predicted_and_none_is_an_answer_too():
    scores = np.array([2.0, -1.0, 0.5])
    assert MULTILABEL.decide(scores).tolist() == [True, False, True]
    assert MULTILABEL.answer(scores, CLASSES)["labels"] == ["joy", "anger"]
    assert MULTILABEL.label_text(np.zeros(3, bool), CLASSES) == "none"


def test_predictions_certain_of_labels_give_these_labels():
    labels = np.array([[True, False, True], [False, False, False]])
    assert (MULTILABEL.as_predictions(labels, CLASSES) > 0).tolist() == labels.tolist()


def test_the_same_labels_for_all_are_degenerate_where_the_gold_differ():
    gold = np.array([[True, False, False], [False, True, False]])
    assert MULTILABEL.is_degenerate(gold, np.ones((2, 3)))
    assert not MULTILABEL.is_degenerate(gold, MULTILABEL.as_predictions(gold, CLASSES))


def test_each_class_has_its_own_flags():
    gold = np.array([[True, False, False], [False, True, False]])
    flags = MULTILABEL.class_flags(gold, np.full((2, 3), -1.0), CLASSES)
    assert [name for name, *_ in flags] == list(CLASSES)
    assert flags[0][1].tolist() == [True, False]
    assert not any(predicted.any() for _, _, predicted in flags)


def test_labels_are_flags():
    assert MULTILABEL.label_problem(np.ones((1, 3), bool), Examples(("a",)), CLASSES) == ""
    assert MULTILABEL.label_problem(np.ones((1, 3)), Examples(("a",)), CLASSES) != ""
