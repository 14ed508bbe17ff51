"""Settings are chosen by the task's metric, or by a simpler measure where it is undefined."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from wordworth.tasks.selection_score import selection_score

TASK = SimpleNamespace(metric="accuracy", classes=("a", "b"))
SCORES = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])


def test_the_metric_decides_where_it_is_defined():
    assert selection_score(TASK, np.array([0, 1, 1]), SCORES) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("labels", "predictions", "expected"),
    [
        (np.array([0, 1, 1]), SCORES, 2 / 3),
        (np.array([1.0, 2.0]), np.array([1.0, 4.0]), -2),
        (np.array([[True, False], [True, True]]), np.array([[1.0, 1.0], [1.0, 1.0]]), 3 / 4),
        ((np.array([0, 1]), np.array([1])), (np.array([0, 0]), np.array([1])), 2 / 3),
    ],
    ids=["classes", "numbers", "any number of labels", "tags"],
)
def test_where_the_metric_is_undefined_predictions_nearer_the_labels_score_higher(
    labels, predictions, expected, monkeypatch
):
    undefined = SimpleNamespace(score=lambda *_: math.nan)
    monkeypatch.setattr("wordworth.tasks.selection_score.metric", lambda *_: undefined)
    assert selection_score(TASK, labels, predictions) == pytest.approx(expected)
