from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant

from wordworth.studies.worth.rung_result import Answers, Run, RungResult, answers_at, predictions_at, whole_answers

TFIDF = FakeRung("tfidf", "counts", constant(0.8))


def run(rung, labels, seed, value, items=None):
    """A run that predicts its value for two items, or fails where there is none."""
    predictions = None if value is None else np.full(2, float(value))
    return Run(rung, labels, seed, predictions, {}, 0.0, "" if value is not None else "failed", items)


def ladder(*runs):
    """The constant rung, which answers 100 more than its seed, and TF-IDF with these runs."""
    floor = [run("majority", one.labels, one.seed, 100 + one.seed, one.items) for one in runs]
    return [RungResult(MAJORITY, runs=floor), RungResult(TFIDF, runs=list(runs))]


@given(folds=st.lists(st.integers(0, 3), min_size=1, max_size=30), data=st.data())
def test_the_predictions_of_folds_are_joined_in_the_order_of_the_items(folds, data):
    """Each item is predicted as its own number, so that the joined predictions are the numbers in order."""
    folds, order = np.array(folds), data.draw(st.permutations(range(4)))
    parts = [np.flatnonzero(folds == fold) for fold in order]
    joined = Answers.pooled([Answers(items.astype(float), items) for items in parts if len(items)])
    assert joined.items.tolist() == joined.predictions.tolist() == list(range(len(folds)))
    tags = Answers.pooled([Answers(tuple(np.full(2, item) for item in items), items) for items in parts if len(items)])
    assert [sentence.tolist() for sentence in tags.predictions] == [[item, item] for item in range(len(folds))]


def test_a_run_that_failed_counts_as_the_constant_rung_on_the_same_labels():
    results = ladder(
        run("tfidf", 50, 0, 7), run("tfidf", 100, 0, 5), run("tfidf", 100, 1, None), run("tfidf", 100, 2, 6)
    )
    answered = answers_at(results[1], 100, results)
    assert [answers.predictions.tolist() for answers in answered] == [[5, 5], [101, 101], [6, 6]]


def test_runs_that_predict_a_fold_each_are_one_answer_and_others_stay_apart():
    first, second = np.array([1, 2]), np.array([0, 3])
    results = ladder(run("tfidf", 100, 0, 5, first), run("tfidf", 100, 1, 6, second))
    assert [each.tolist() for each in predictions_at(results[1], 100, results, items=4)] == [[6, 5, 5, 6]]
    apart = ladder(run("tfidf", 100, 0, 5), run("tfidf", 100, 1, 6))
    assert [each.tolist() for each in predictions_at(apart[1], 100, apart, items=2)] == [[5, 5], [6, 6]]


def test_where_only_some_items_were_predicted_there_are_no_predictions_of_the_whole_test_part():
    results = ladder(run("tfidf", 100, 0, 5, np.array([1, 2])))
    assert predictions_at(results[1], 100, results, items=4) == []
    assert whole_answers([]) == []


def test_a_run_is_found_by_its_labels_and_seed_and_the_others_are_left_out():
    runs = [run("tfidf", labels, seed, 1) for labels in (50, 100) for seed in (0, 1)]
    result = RungResult(TFIDF, runs=runs)
    assert result.run(100, 1) is runs[3]
    assert result.run(100, 2) is None
    assert result.at(50).runs == runs[:2]
    assert len(result.runs) == 4


@pytest.mark.parametrize(("given_name", "seed_name"), [("", "tfidf"), ("first", "first")])
def test_draws_are_seeded_by_the_rungs_own_name_unless_another_is_given(given_name, seed_name):
    assert RungResult(TFIDF, seed_name=given_name).seed_name == seed_name
