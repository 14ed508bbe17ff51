"""The prior of the variance between runs is found again from variances drawn from it."""

from __future__ import annotations

import numpy as np
import pytest

from run_variance_prior import fitted_prior


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
