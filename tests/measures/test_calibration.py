"""The calibration error of simulated probabilities whose true error is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax
from sklearn.calibration import calibration_curve

from wordworth.measures.binomial import exact_interval
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.calibration import MOST_BINS, bins_of, calibration_error, reliability_bins

STUDIES, DRAWS = 80, 200
TRUE_ERROR = {1.0: 0.0, 0.5: 0.016}
"""Of the four bins of 100 items of two normal classes 4.4 standard deviations apart, by temperature."""


def simulated(items, rng, temperature=1.0, classes=2):
    """Confidence of scores at a temperature below 1, too sure, and whether it was right; and the truth about both."""
    scores = 2 * rng.normal(size=(items, classes))
    truth = softmax(scores, axis=1)
    gold = (truth.cumsum(1) > rng.random((items, 1))).argmax(1)
    predicted = softmax(scores / temperature, axis=1)
    named = predicted.argmax(1)
    return predicted.max(1), named == gold, truth[np.arange(items), named]


def true_error(temperature, classes):
    """The error of bins of equal numbers of items, by their true probabilities."""
    confidence, _, truth = simulated(300_000, np.random.default_rng(99), temperature, classes)
    order = np.argsort(confidence)
    parts = np.array_split((truth - confidence)[order], MOST_BINS)
    return float(np.sqrt(np.mean([part.mean() ** 2 for part in parts])))


def measured(items, temperature, classes, seed, groups=None):
    rng = np.random.default_rng(seed)
    confidence, right, _ = simulated(items, rng, temperature, classes)
    return calibration_error(confidence[None], right[None], item_weights(items, DRAWS, rng, groups))


def test_true_probabilities_have_an_error_of_0_within_their_interval():
    errors = [measured(1_000, 1.0, 2, seed) for seed in range(STUDIES)]
    assert np.mean([error.span.low <= 0.0 for error in errors]) >= 0.9
    assert np.mean([error.value for error in errors]) < 0.015  # uncorrected, chance makes it 0.045
    assert np.median([error.value for error in errors]) < 0.012


@pytest.mark.parametrize(("classes", "temperature"), [(2, 0.5), (2, 0.7), (5, 0.5), (2, 2.0)])
def test_the_interval_holds_the_true_error_of_probabilities_that_are_off(classes, temperature):
    truth = true_error(temperature, classes)
    errors = [measured(1_500, temperature, classes, seed) for seed in range(STUDIES)]
    assert np.mean([truth in error.span for error in errors]) >= 0.9
    assert np.sqrt(np.mean([error.value**2 for error in errors])) == pytest.approx(truth, rel=0.06)
    assert all(error.span.low <= error.value <= error.span.high for error in errors)


def test_overconfidence_is_found():
    error = measured(1_500, 0.5, 2, 0)
    assert error.span.low > 0.05


def test_items_drawn_in_groups_widen_the_interval():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(300), 5)
    confidence, right = (np.repeat(each, 5) for each in simulated(300, rng, 0.5)[:2])
    together = calibration_error(confidence[None], right[None], item_weights(1_500, 400, rng, groups))
    apart = calibration_error(confidence[None], right[None], item_weights(1_500, 400, rng))
    assert together.span.high - together.span.low > 1.5 * (apart.span.high - apart.span.low)


def test_a_stretch_widens_the_interval_and_leaves_the_error():
    confidence, right, _ = simulated(800, np.random.default_rng(0), 0.5)
    weights = item_weights(800, 300, np.random.default_rng(1))
    plain, wide = (calibration_error(confidence[None], right[None], weights, stretch=by) for by in (1.0, 1.5))
    assert plain.value == wide.value
    assert wide.span.low < plain.span.low
    assert wide.span.high > plain.span.high


def test_several_runs_have_the_mean_of_their_squared_errors():
    rng = np.random.default_rng(0)
    pairs = [simulated(1_000, np.random.default_rng(0), temperature)[:2] for temperature in (0.5, 0.4)]
    weights = item_weights(1_000, 300, rng)
    each = [calibration_error(confidence[None], right[None], weights).value for confidence, right in pairs]
    both = calibration_error(*map(np.stack, zip(*pairs, strict=True)), weights)
    assert both.value == pytest.approx(np.sqrt(np.mean(np.square(each))))
    same = calibration_error(*(np.stack([part, part]) for part in pairs[0]), weights)
    alone = calibration_error(*(part[None] for part in pairs[0]), weights)
    assert (same.span.low, same.span.high) == pytest.approx((alone.span.low, alone.span.high))


def test_an_equal_confidence_for_every_item_is_held_to_how_often_it_is_right():
    right = np.arange(100) < 60
    weights = item_weights(100, 400, np.random.default_rng(0))
    error = calibration_error(np.full((1, 100), 0.8), right[None], weights)
    assert error.value == pytest.approx(np.sqrt(0.2**2 - 0.6 * 0.4 / 99), rel=0.05)
    assert 0.2 in error.span


def test_certainty_that_was_always_right_may_be_wrong_next_time():
    error = calibration_error(np.ones((1, 50)), np.ones((1, 50), bool), np.ones((20, 50)))
    assert (error.value, error.span.low) == (0, 0)
    assert 0.01 < error.span.high < 3 / 50


def test_an_equal_gap_of_all_items_that_are_right_is_as_uncertain_as_the_share_that_is_right():
    rng = np.random.default_rng(0)
    confidence = 0.9 + 1e-9 * rng.random((1, 100))
    found = calibration_error(confidence, np.ones((1, 100), bool), item_weights(100, DRAWS, rng))
    assert found.value == pytest.approx(0.1, abs=1e-6)
    assert 0.9 + found.span.low > exact_interval(100, 100).low
    assert 0.06 < found.span.low < 0.095
    assert 0.1 < found.span.high < 0.14


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_where_hardly_any_answer_is_wrong_the_interval_holds_the_true_error_all_the_same(temperature):
    held = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=100) + 2.2  # two classes, half their distance; 98.6 % of answers are right
        log_odds = np.abs(4.4 * scores / temperature)
        error = calibration_error(expit(log_odds)[None], (scores > 0)[None], item_weights(100, DRAWS, rng))
        held.append(error.span.low <= TRUE_ERROR[temperature] <= error.span.high)
    assert np.mean(held) >= 0.93


@given(st.integers(0, 10_000), st.integers(1, 900), st.integers(0, 3))
def test_bins_hold_about_equally_many_items_and_equal_ones_together(seed, items, decimals):
    confidence = np.round(np.random.default_rng(seed).random(items), decimals)
    bins = bins_of(confidence)
    assert set(bins) == set(range(bins.max() + 1))
    assert bins.max() + 1 <= max(1, min(MOST_BINS, items // 25))
    order = np.argsort(confidence, kind="stable")
    assert (np.diff(bins[order]) >= 0).all()
    assert all(len(set(bins[confidence == value])) == 1 for value in np.unique(confidence))
    if decimals == 3 and items >= 25 and len(np.unique(confidence)) == items:
        assert np.ptp(np.bincount(bins)) <= 1


@given(st.integers(0, 10_000))
def test_the_order_of_items_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    confidence, right, _ = simulated(120, rng, 0.6)
    weights, order = item_weights(120, 50, rng), rng.permutation(120)
    first = calibration_error(confidence[None], right[None], weights)
    other = calibration_error(confidence[None, order], right[None, order], weights[:, order])
    assert (first.value, first.span.high) == pytest.approx((other.value, other.span.high))


def test_nothing_to_measure_is_refused():
    with pytest.raises(ValueError, match="needs items and runs"):
        calibration_error(np.zeros((1, 0)), np.zeros((1, 0), bool), np.zeros((5, 0)))


def test_the_error_is_that_of_kumars_estimator_written_out():
    confidence, right, _ = simulated(1_500, np.random.default_rng(3), 0.6)
    order = np.argsort(confidence)
    off = np.split((right - confidence)[order], MOST_BINS)
    squared = np.mean([each.mean() ** 2 - each.var(ddof=1) / len(each) for each in off])
    weights = item_weights(1_500, 3_000, np.random.default_rng(4))
    error = calibration_error(confidence[None], right[None], weights)
    assert error.value == pytest.approx(np.sqrt(squared), rel=0.02)


def test_the_bins_of_a_diagram_are_those_of_scikit_learn():
    confidence, right, _ = simulated(1_500, np.random.default_rng(5), 0.6)
    shares, means = calibration_curve(right, confidence, n_bins=MOST_BINS, strategy="quantile")
    bins = reliability_bins(confidence[None], right[None])
    assert [each.right for each in bins] == pytest.approx(shares)
    assert [each.confidence for each in bins] == pytest.approx(means)
    assert [each.items for each in bins] == [100] * MOST_BINS


def test_the_interval_of_a_bin_holds_how_often_it_is_right():
    held = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        right = rng.random(40) < 0.93
        held += [0.93 in each.span for each in reliability_bins(np.full((1, 40), 0.99), right[None])]
    assert len(held) == 100
    assert np.mean(held) >= 0.95


def test_answers_of_several_runs_are_no_further_items():
    rng = np.random.default_rng(0)
    confidence, right = np.full((4, 60), 0.9), np.tile(rng.random(60) < 0.8, (4, 1))
    (one,), (four,) = reliability_bins(confidence[:1], right[:1]), reliability_bins(confidence, right)
    assert (one.items, four.items) == (60, 240)
    assert (four.right, four.span) == (one.right, one.span)
    (grouped,) = reliability_bins(confidence[:1], right[:1], design_effect=3.0)
    assert grouped.span.low < one.span.low
    assert grouped.span.high > one.span.high


def test_a_bin_without_errors_has_an_interval_all_the_same():
    (all_right,) = reliability_bins(np.full((1, 30), 0.9), np.ones((1, 30), bool))
    assert all_right.span.low == pytest.approx(0.025 ** (1 / 30))
    assert all_right.span.high == 1.0
