"""The prior of the variance between runs is found again from variances drawn from it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from run_variance_prior import fitted_prior, least_item_error


def test_a_known_prior_is_found_again():
    rng = np.random.default_rng(0)
    true = 0.011**2 * 6 / rng.chisquare(6, 4_000)
    variances = true * rng.chisquare(4, 4_000) / 4
    prior = fitted_prior(variances, np.full(4_000, 4.0))
    assert np.sqrt(prior.value) == pytest.approx(0.011, rel=0.03)
    assert prior.degrees_of_freedom == pytest.approx(6, rel=0.15)


def test_groups_that_differ_no_more_than_chance_makes_them_have_one_variance():
    variances = 0.01**2 * np.random.default_rng(1).chisquare(4, 4_000) / 4
    assert fitted_prior(variances, np.full(4_000, 4.0)).degrees_of_freedom > 100


def test_one_half_width_covers_both_deviations_from_the_least_error_by_items_on_and_not_below():
    def half_widths(items):
        """The largest that covers at most 97 % where runs differ by 0.5, the least that covers 93 % where by 2.0."""
        most = norm.ppf(0.985, scale=np.hypot(items, 0.5))
        return most, norm.ppf(0.965, scale=np.hypot(items, 2.0))

    error = least_item_error(0.5, 2.0)
    assert 2.8 < error < 2.9
    assert np.diff(half_widths(error)) == pytest.approx(0, abs=1e-9)
    assert np.diff(half_widths(error - 0.1)) > 0 > np.diff(half_widths(error + 0.1))
