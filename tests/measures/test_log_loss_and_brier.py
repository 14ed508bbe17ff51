"""Log loss and Brier score: as defined, as in scikit-learn, and best where the probabilities are the true ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

from wordworth.measures.log_loss_and_brier import brier_scores, log_losses


def drawn(seed, classes, items=80):
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.full(classes, 0.3), items)
    return np.append(np.arange(classes), rng.integers(classes, size=items - classes)), probabilities


@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("seed", range(5))
def test_the_means_are_those_of_scikit_learn(seed, classes):
    gold, probabilities = drawn(seed, classes)
    assert log_losses(gold, probabilities).mean() == pytest.approx(log_loss(gold, probabilities))
    if classes == 2:
        assert brier_scores(gold, probabilities).mean() == pytest.approx(brier_score_loss(gold, probabilities[:, 1]))


def test_a_class_held_impossible_costs_much_and_not_without_bound():
    gold, probabilities = np.array([0, 1]), np.array([[0.0, 1.0], [0.0, 1.0]])
    assert log_losses(gold, probabilities) == pytest.approx([36.04, 0.0], abs=0.01)
    assert log_losses(gold, probabilities).mean() == pytest.approx(log_loss(gold, probabilities))
    assert brier_scores(gold, probabilities) == pytest.approx([1.0, 0.0])


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_no_other_probabilities_are_expected_to_score_better_than_the_true_ones(seed, classes):
    truth, other = np.random.default_rng(seed).dirichlet(np.ones(classes), 2)
    every = np.arange(classes)
    for score in (log_losses, brier_scores):
        expected = [float(truth @ score(every, np.tile(said, (classes, 1)))) for said in (truth, other)]
        assert expected[0] <= expected[1] + 1e-12


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_a_brier_score_lies_between_0_and_1_and_a_log_loss_is_not_negative(seed, classes):
    gold, probabilities = drawn(seed, classes, 20)
    assert (brier_scores(gold, probabilities) >= 0).all()
    assert (brier_scores(gold, probabilities) <= 1).all()
    assert (log_losses(gold, probabilities) >= 0).all()


@pytest.mark.parametrize("wrong", [np.nan, -0.1, 1.5])
def test_what_is_no_probability_is_refused(wrong):
    for score in (log_losses, brier_scores):
        with pytest.raises(ValueError, match="1 of 2 probabilities"):
            score(np.array([0]), np.array([[wrong, 0.5]]))
