"""Offsets are the best on the scores that they were set on."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from specialist_offsets import offsets_for, threshold

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.7])
def test_no_other_threshold_has_a_better_f1(rate):
    gold = RNG.random(60) < rate
    scores = gold + RNG.normal(0, 1, 60)
    offset = threshold(gold, scores)
    best = max(f1_score(gold, scores >= value, zero_division=0) for value in scores)
    assert f1_score(gold, scores + offset > 0) == pytest.approx(best)


def test_a_threshold_that_gains_nothing_is_left():
    assert threshold(np.array([True, False]), np.array([1.0, -1.0])) == 0


def test_macro_f1_does_not_fall():
    gold = RNG.choice(3, 90, p=(0.8, 0.15, 0.05))
    scores = np.eye(3)[gold] + RNG.normal(0, 1, (90, 3)) + (1.5, 0, 0)
    offsets = offsets_for("macro_f1", "classification", "abc", gold, scores)
    before, after = (f1_score(gold, each.argmax(1), average="macro") for each in (scores, scores + offsets))
    assert after > before


def test_one_class_is_moved_where_the_metric_is_its_f1_and_none_for_accuracy():
    gold, scores = np.array([0, 0, 1, 0]), np.array([[1.0, 0.0], [1.0, -1.0], [1.0, 0.9], [1.0, -2.0]])
    assert offsets_for("accuracy", "classification", "ab", gold, scores) is None
    offsets = offsets_for("f1:b", "classification", "ab", gold, scores)
    assert offsets[0] == 0
    assert ((scores + offsets).argmax(1) == gold).all()
