"""Texts to label are drawn with the stated probabilities, more often where rungs disagree, and stay unbiased."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.studies.worth.planning.sampling_by_disagreement import (
    EVEN_SHARE,
    Contrast,
    RungAnswers,
    draw,
    even_labels,
    inclusion_probabilities,
)

PAIR = Contrast("cheap", "contextual", 0.02)


def sure(classes):
    """The answers of a rung that is sure of one class for each text."""
    shares = np.eye(3)[np.asarray(classes)]
    return RungAnswers(shares, shares)


def two_rungs(texts=1_000, disagreement=0.1, seed=0):
    rng = np.random.default_rng(seed)
    first = rng.integers(2, size=texts)
    return {"cheap": sure(first), "contextual": sure(np.where(rng.random(texts) < disagreement, 1 - first, first))}


def test_a_text_on_which_two_rungs_are_sure_of_different_classes_moves_their_difference_by_one():
    answers = {"cheap": sure([0, 1, 2]), "contextual": sure([0, 2, 2])}
    np.testing.assert_array_equal(PAIR.expected_squares(answers), [0, 1, 0])


def test_texts_of_which_both_rungs_are_likely_wrong_count_less():
    shares = {"cheap": np.eye(3)[[0]], "contextual": np.eye(3)[[1]]}
    unsure = {name: RungAnswers(each, np.array([[0.1, 0.1, 0.8]])) for name, each in shares.items()}
    assert PAIR.expected_squares(unsure)[0] == pytest.approx(0.2)


@given(st.integers(1, 60), st.integers(1, 60), st.floats(0, 1), st.integers(0, 1_000))
def test_probabilities_add_up_to_the_number_of_texts_and_none_is_above_one(texts, number, disagreement, seed):
    number = min(number, texts)
    probabilities = inclusion_probabilities([PAIR], two_rungs(texts, disagreement, seed), number)
    assert probabilities.sum() == pytest.approx(number)
    assert (probabilities > 0).all()
    assert (probabilities <= 1).all()
    drawn = draw(probabilities, np.random.default_rng(seed))
    assert len(drawn) == len(set(drawn.tolist())) == number


def test_a_pool_smaller_than_the_number_is_labelled_whole():
    assert inclusion_probabilities([PAIR], two_rungs(5), 8).tolist() == [1.0] * 5


def test_each_text_is_drawn_as_often_as_its_probability_says():
    probabilities = inclusion_probabilities([PAIR], two_rungs(40, 0.3), 10)
    rng = np.random.default_rng(0)
    counts = np.bincount(np.concatenate([draw(probabilities, rng) for _ in range(20_000)]), minlength=40)
    np.testing.assert_allclose(counts / 20_000, probabilities, atol=0.015)


def test_the_first_of_the_drawn_texts_are_a_sample_with_the_same_shares():
    """A user may label some of them and stop: the first half has half of each probability."""
    probabilities = inclusion_probabilities([PAIR], two_rungs(40, 0.3), 10)
    rng = np.random.default_rng(0)
    counts = np.bincount(np.concatenate([draw(probabilities, rng)[:5] for _ in range(20_000)]), minlength=40)
    np.testing.assert_allclose(counts / 20_000, probabilities / 2, atol=0.015)


def test_no_text_weighs_more_than_five_evenly_drawn_ones():
    probabilities = inclusion_probabilities([PAIR], two_rungs(1_000, 0.1), 50)
    assert (1 / probabilities).max() <= 1_000 / 50 / EVEN_SHARE * (1 + 1e-9)


def test_weighted_differences_are_unbiased_and_vary_at_least_as_much_less_as_is_said():
    """Two rungs that disagree on a tenth of the texts: their true difference, and the variance of its estimate.

    It varies even less here, as a fixed pool of 200 such texts is drawn from and not new texts each time.
    """
    answers = two_rungs(2_000, 0.1)
    rng = np.random.default_rng(1)
    differs = answers["cheap"].shares.argmax(1) != answers["contextual"].shares.argmax(1)
    adds = np.where(differs, rng.choice([-1, 1], size=2_000, p=[0.3, 0.7]), 0)
    probabilities = inclusion_probabilities([PAIR], answers, 60)
    chosen, even = [], []
    for _ in range(4_000):
        drawn = draw(probabilities, rng)
        chosen.append((adds[drawn] / probabilities[drawn]).sum() / 2_000)
        even.append(adds[rng.permutation(2_000)[:60]].mean())
    assert np.mean(chosen) == pytest.approx(adds.mean(), abs=4 * np.std(chosen) / np.sqrt(4_000))
    expected = even_labels(PAIR, answers, probabilities) / 60
    assert expected == pytest.approx((1 - EVEN_SHARE) / 0.1, rel=0.12)
    assert expected < np.var(even) / np.var(chosen) < 2 * expected


def test_a_pair_that_is_hard_to_tell_apart_has_more_of_the_texts_than_one_that_is_easy():
    answers = {"cheap": sure([0, 0, 0, 0]), "weak": sure([0, 1, 0, 0]), "contextual": sure([0, 0, 1, 0])}
    near, far = Contrast("cheap", "contextual", 0.01), Contrast("weak", "contextual", 0.10)
    probabilities = inclusion_probabilities([near, far], answers, 1)
    assert probabilities[2] > probabilities[1] > probabilities[0]


def test_rungs_that_never_disagree_are_drawn_evenly():
    answers = {"cheap": sure([0, 1, 1]), "contextual": sure([0, 1, 1])}
    probabilities = inclusion_probabilities([PAIR], answers, 2)
    np.testing.assert_allclose(probabilities, 2 / 3)
    assert even_labels(PAIR, answers, probabilities) == pytest.approx(2)
