"""Changes of a score beside one system: the metric's own difference, paired, and never without width."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges

CLASSES = ("bad", "good")
ACCURACY = metric("accuracy", CLASSES)


def answers(flags, gold):
    """Predicted scores that are right where flags say so."""
    return np.eye(2)[np.where(flags, gold, 1 - gold)]


def width(change):
    return change.interval.high - change.interval.low


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


@pytest.mark.parametrize("differing", [0, 3, 30])
def test_rows_repeated_in_groups_tell_no_more_than_each_row_once(differing):
    gold, rng = np.arange(100) % 2, np.random.default_rng(1)
    system = rng.random(100) < 0.8
    variant = np.where(np.arange(100) < differing, ~system, system)
    once = comparison(gold, 4_000).change(answers(variant, gold), answers(system, gold))
    repeated = [np.repeat(each, 5) for each in (gold, variant, system)]
    groups = np.repeat(np.arange(100), 5)
    paired = PairedChanges.of(ACCURACY, repeated[0], CLASSES, 4_000, np.random.default_rng(0), groups)
    grouped = paired.change(*(answers(flags, repeated[0]) for flags in repeated[1:]))
    assert np.isclose(grouped.value, once.value)
    assert np.isclose(width(grouped), width(once), rtol=0.15)


def test_one_differing_row_does_not_take_the_width_that_groups_need():
    gold, groups = np.arange(200) % 2, np.repeat(np.arange(40), 5)
    paired = PairedChanges.of(ACCURACY, gold, CLASSES, 2_000, np.random.default_rng(0), groups)
    right = answers(np.ones(200, dtype=bool), gold)
    one = answers(np.arange(200) > 0, gold)
    assert width(paired.change(one, right)) > 0.7 * width(paired.change(right, right))


def test_few_groups_have_wider_intervals_than_their_resamples_alone():
    gold, groups = np.arange(40) % 2, np.repeat(np.arange(5), 8)
    right, every = answers(np.arange(40) % 3 > 0, gold), answers(np.ones(40, dtype=bool), gold)
    paired = PairedChanges.of(ACCURACY, gold, CLASSES, 4_000, np.random.default_rng(0), groups)
    assert width(paired.change(right, every)) > 1.3 * width(replace(paired, groups=None).change(right, every))


def test_the_interval_of_a_score_has_width_where_all_answers_are_right_and_holds_the_truth():
    gold = np.arange(60) % 2
    faultless = comparison(gold).score_interval(answers(np.ones(60, bool), gold))
    assert 0.9 < faultless.low < 0.99
    assert faultless.high == 1
    held = []
    for seed in range(200):
        right = np.random.default_rng(seed).random(60) < 0.97
        held.append(0.97 in comparison(gold, seed=seed).score_interval(answers(right, gold)))
    assert np.mean(held) >= 0.9  # percentiles of resamples alone: at most 84 %, as all 60 are right in 16 %


def test_the_interval_of_a_score_over_groups_is_that_of_groups():
    group, held = np.repeat(np.arange(20), 10), []
    gold = np.arange(200) % 2
    for seed in range(150):
        rng = np.random.default_rng(seed)
        right = rng.random(200) < rng.choice([0.5, 0.9], 20)[group]
        ends = [
            PairedChanges.of(ACCURACY, gold, CLASSES, 300, rng, by).score_interval(answers(right, gold))
            for by in (group, None)
        ]
        held.append([0.7 in each for each in ends])
    by_group, by_row = np.mean(held, axis=0)
    assert by_group >= 0.92
    assert by_row < 0.85
