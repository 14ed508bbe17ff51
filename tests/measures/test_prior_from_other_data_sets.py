"""A prior from other data sets: its interval, and what it makes of a difference that was measured."""

import numpy as np
import pytest
from scipy.stats import t as student

from wordworth.measures.prior_from_other_data_sets import DataSetPrior

PRIOR = DataSetPrior(0.03, 0.02, 20.0)


def test_the_interval_holds_the_difference_of_a_further_data_set():
    rng, held = np.random.default_rng(0), []
    for _ in range(2_000):
        *others, new = rng.normal(0.03, 0.02, 12)
        held.append(new in DataSetPrior.of([[other] for other in others]).interval())
    assert 0.94 <= np.mean(held) <= 0.96


def test_it_holds_that_of_a_further_study_where_data_sets_have_several():
    rng, held = np.random.default_rng(1), []
    for _ in range(2_000):
        *others, new = (centre + rng.normal(0, 0.02, 2) for centre in rng.normal(0.03, 0.02, 12))
        held.append(new[0] in DataSetPrior.of(others).interval())
    assert 0.94 <= np.mean(held) <= 0.98


def test_its_interval_is_that_of_students_distribution():
    assert PRIOR.interval(0.9).low == pytest.approx(student.ppf(0.05, 20, 0.03, 0.02))
    assert PRIOR.interval(0.9).high == pytest.approx(student.ppf(0.95, 20, 0.03, 0.02))


def test_with_what_is_measured_it_is_the_product_of_two_normal_densities_where_it_has_many_degrees():
    middle, span = DataSetPrior(0.03, 0.02, 1e7).with_measured(0.0, 0.01)
    weight, error = 0.01**2 / (0.01**2 + 0.02**2), np.sqrt(1 / (1 / 0.01**2 + 1 / 0.02**2))
    assert middle == pytest.approx(0.03 * weight, abs=1e-5)
    assert (span.low, span.high) == pytest.approx((middle - 1.96 * error, middle + 1.96 * error), abs=2e-5)


def test_the_interval_with_what_is_measured_holds_the_truth_over_data_sets():
    rng, held = np.random.default_rng(2), []
    for _ in range(1_000):
        truth = 0.03 + 0.02 * rng.standard_t(20)
        held.append(truth in PRIOR.with_measured(truth + rng.normal(0, 0.015), 0.015)[1])
    assert 0.93 <= np.mean(held) <= 0.97


def test_a_data_set_unlike_all_others_is_believed():
    few = DataSetPrior(0.03, 0.02, 3.0)
    middle, _ = few.with_measured(0.3, 0.01)
    assert middle == pytest.approx(0.3, abs=0.003)


def test_a_measurement_that_says_nothing_leaves_the_prior():
    middle, span = PRIOR.with_measured(0.0, 1.0)
    assert middle == pytest.approx(0.03, abs=1e-3)
    assert (span.low, span.high) == pytest.approx((PRIOR.interval().low, PRIOR.interval().high), abs=1e-3)
