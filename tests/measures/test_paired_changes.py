"""Changes of a score beside one system: the metric's own difference, paired, and never without width."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges

CLASSES = ("bad", "good")
ACCURACY = metric("accuracy", CLASSES)


def answers(flags, gold):
    """Predicted scores that are right where flags say so."""
    return np.eye(2)[np.where(flags, gold, 1 - gold)]


def comparison(gold, draws=500, seed=0):
    return PairedChanges.of(ACCURACY, gold, CLASSES, draws, np.random.default_rng(seed))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 1)), min_size=2, max_size=60))
def test_the_change_is_the_difference_of_two_scores(rows):
    first, second, gold = (np.array(column) for column in zip(*rows, strict=True))
    change = comparison(gold).change(answers(first, gold), answers(second, gold))
    assert np.isclose(change.value, first.mean() - second.mean())
    opposite = comparison(gold).change(answers(second, gold), answers(first, gold))
    assert np.isclose(opposite.value, -change.value)


def test_equal_predictions_have_an_interval_around_nothing():
    gold = np.arange(100) % 2
    right = answers(np.ones(100, dtype=bool), gold)
    change = comparison(gold).change(right, right)
    assert change.value == 0
    assert change.interval.low < 0 < change.interval.high
    assert not change.is_sure(1)


def test_a_large_change_is_sure_among_many_comparisons():
    gold = np.arange(200) % 2
    right, wrong = (answers(np.full(200, flag), gold) for flag in (True, False))
    assert comparison(gold).change(wrong, right).is_sure(144)


def test_ninety_five_of_a_hundred_intervals_hold_the_true_change():
    rng, covered = np.random.default_rng(0), 0
    for seed in range(300):
        gold = rng.integers(0, 2, 200)
        system = rng.random(200) < 0.85
        variant = np.where(rng.random(200) < 0.1, rng.random(200) < 0.5, system)
        change = comparison(gold, seed=seed).change(answers(variant, gold), answers(system, gold))
        covered += 0.1 * 0.5 + 0.9 * 0.85 - 0.85 in change.interval
    assert covered >= 275
