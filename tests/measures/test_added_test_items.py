"""Items added to a comparison: right for one system where the other is wrong, in the form that each metric takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wordworth.measures.added_test_items import PAIRS, added_items
from wordworth.measures.expected_cost import cost_metric
from wordworth.measures.metrics import metric

CLASSES = ("no", "yes", "maybe")


@pytest.mark.parametrize("name", ["accuracy", "macro_f1", "micro_f1", "matthews", "f1:yes"])
def test_the_first_of_two_perfect_systems_is_better_on_one_half_of_the_added_items_and_worse_on_the_other(name):
    gold, measure = np.array([0, 1, 2] * 10), metric(name, CLASSES)
    added = added_items(measure, gold, CLASSES)
    predicted, count = np.eye(3)[gold], len(added)
    sides = [added.predicted_with(predicted, first=first) for first in (True, False)]
    halves = (np.r_[np.ones(30), np.ones(count), np.zeros(count)], np.r_[np.ones(30), np.zeros(count), np.ones(count)])
    for weights, sign in zip(halves, (1, -1), strict=True):
        scores = [measure.score(added.gold_with(gold), side, weights[None])[0] for side in sides]
        assert np.sign(scores[0] - scores[1]) == sign
        assert max(scores) == 1.0


def test_a_metric_of_one_class_gets_items_of_that_class_and_others_items_of_each_class_of_the_test_part():
    gold = np.array([0, 1, 0, 1])
    assert list(added_items(metric("f1:yes", CLASSES), gold, CLASSES).gold) == [1]
    assert list(added_items(metric("macro_f1", CLASSES), gold, CLASSES).gold) == [0, 1]


def test_where_errors_differ_the_wrong_prediction_is_the_worst_answer_to_the_class():
    costs = cost_metric(np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [20.0, 4.0, 0.0]]))
    added = added_items(costs, np.array([0, 2, 1, 2]), CLASSES)
    assert added.gold.tolist() == [0, 1, 2]
    assert added.right.argmax(axis=1).tolist() == [0, 1, 2]
    assert added.wrong.argmax(axis=1).tolist() == [2, 0, 0]


def test_many_labels_get_items_with_one_label_each():
    gold = np.array([[True, False, False], [True, True, False]])
    added = added_items(metric("micro_f1", CLASSES), gold, CLASSES)
    assert added.gold.tolist() == [[True, False, False], [False, True, False]]
    assert ((added.right > 0) == added.gold).all()
    assert not (added.wrong > 0).any()


def test_tags_get_sentences_of_one_entity_each():
    tags = ("B-LOC", "I-LOC", "O", "B-PER")
    gold = (np.array([2, 3, 2]), np.array([0, 1]))
    measure = metric("entity_f1", tags)
    added = added_items(measure, gold, tags)
    assert {tags[int(sentence[0])] for sentence in added.gold} <= {"B-LOC", "I-LOC", "B-PER"}
    assert all(tags[int(sentence[0])] == "O" for sentence in added.wrong)
    joined = added.gold_with(gold), added.predicted_with(gold, first=True)
    assert 0 < measure.score(*joined) < 1


def test_words_that_are_counted_one_by_one_get_another_tag():
    tags = ("ADJ", "NOUN", "VERB")
    added = added_items(metric("token_accuracy", tags), (np.array([0, 1, 2]),), tags)
    assert all(int(right[0]) != int(wrong[0]) for right, wrong in zip(added.right, added.wrong, strict=True))


def test_values_get_none_as_two_systems_hardly_ever_predict_the_same_value():
    assert added_items(metric("spearman", ()), np.array([0.1, 0.5]), ()) is None


def test_a_resample_has_two_pairs_in_each_direction_on_average_each_as_heavy_as_a_group():
    added = added_items(metric("macro_f1", CLASSES), np.array([0, 1, 2]), CLASSES)
    weights = added.weights(20_000, 3.0, np.random.default_rng(0))
    assert weights.shape == (20_000, 6)
    assert weights.sum(axis=1).mean() == pytest.approx(2 * PAIRS * 3.0, rel=0.02)
    assert set(np.unique(weights)) <= {3.0 * count for count in range(12)}


def test_a_metric_without_a_worst_score_gets_none_since_a_wrong_item_would_outweigh_all_others():
    gold = np.array([0, 1, 0, 1])
    endless = replace(metric("accuracy", CLASSES), name="log_loss", least=-np.inf)
    assert added_items(endless, gold, CLASSES) is None
