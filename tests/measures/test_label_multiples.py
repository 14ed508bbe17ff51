"""Label multiples: crossings on the running best, and bounds that stay bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures import label_multiples
from wordworth.measures.label_multiples import Multiple

GRID = np.array([100, 200, 400, 800])
CHEAP = np.array([[0.70, 0.76, 0.80, 0.83]])


def one(found):
    return pytest.approx(found.values[0]), label_multiples.STATES[found.states[0]]


def test_power_curves_with_equal_exponents_have_a_constant_multiple():
    labels = 100 * 2 ** np.arange(6)
    errors = [0.05 + a * labels**-0.5 for a in (1.0, 2.0)]
    for at in range(4):
        target = np.array([1 - errors[0][at]])
        found = label_multiples.times_more_labels(labels, 1 - errors[1][None], int(labels[at]), target)
        assert one(found) == (4, "exact")
    reached = [label_multiples.crossings(labels, 1 - error[None], np.array([0.9])) for error in errors]
    assert [one(found) for found in reached] == [(400, "exact"), (1600, "exact")]


def test_a_crossing_is_linear_in_the_logarithm_of_the_labels():
    found = label_multiples.crossings(np.array([100, 200]), np.array([[0.80, 0.84]]), np.array([0.82]))
    assert found.values[0] == pytest.approx(141.42136, abs=1e-5)


@pytest.mark.parametrize(
    ("contextual", "expected"), [(0.80, (4, "exact")), (0.85, (8, "more than")), (0.65, (1, "at most"))]
)
def test_what_lies_beyond_the_grid_is_a_bound(contextual, expected):
    assert one(label_multiples.times_more_labels(GRID, CHEAP, 100, np.array([contextual]))) == expected


def test_a_dip_does_not_make_a_second_crossing():
    dip = np.array([[0.70, 0.81, 0.79, 0.83]])
    assert label_multiples.crossings(GRID, dip, np.array([0.80])).values[0] == pytest.approx(187.786, abs=1e-3)


def test_a_target_above_the_fitted_ceiling_is_never_reached():
    found = label_multiples.times_more_labels(
        GRID, np.tile(CHEAP, (2, 1)), 100, np.array([0.85, 0.85]), np.array([0.84, 0.9])
    )
    assert found.values.tolist() == [np.inf, 8]
    assert [label_multiples.STATES[state] for state in found.states] == ["never", "more than"]


def test_a_missing_score_is_undefined():
    found = label_multiples.times_more_labels(GRID, np.array([[0.7, np.nan, 0.8, 0.9]]), 100, np.array([0.75]))
    assert np.isnan(found.values[0])
    assert label_multiples.summary(found).median.state == "undefined"


def test_the_papers_direction_divides_by_what_the_contextual_system_needs():
    assert one(label_multiples.times_fewer_labels(GRID, CHEAP, 800, np.array([0.80]))) == (2, "exact")
    assert one(label_multiples.times_fewer_labels(GRID, CHEAP, 800, np.array([0.60]))) == (8, "more than")
    assert one(label_multiples.times_fewer_labels(GRID, CHEAP, 800, np.array([0.90]))) == (1, "at most")


def test_censored_draws_are_ordered_and_never_averaged():
    targets = np.array([0.65, 0.76, 0.80, 0.9, 0.9])
    found = label_multiples.summary(
        label_multiples.times_more_labels(GRID, np.tile(CHEAP, (5, 1)), 100, targets), level=0.9
    )
    assert found.median == Multiple(4, "exact")
    assert (found.low, found.high, found.censored) == (0, np.inf, 0.6)


def test_a_median_that_is_censored_says_so():
    found = label_multiples.summary(
        label_multiples.times_more_labels(GRID, np.tile(CHEAP, (3, 1)), 100, np.array([0.8, 0.9, 0.9]))
    )
    assert found.median == Multiple(8, "more than")


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_a_crossing_rises_with_its_target_and_lies_on_the_curve(seed):
    rng = np.random.default_rng(seed)
    curve, targets = np.tile(rng.random(4), (8, 1)), np.sort(rng.random(8))
    found = label_multiples.crossings(GRID, curve, targets)
    assert (np.diff(found.values) >= -1e-9).all()
    exact = found.states == label_multiples.EXACT
    on_curve = np.interp(np.log2(found.values), np.log2(GRID), np.maximum.accumulate(curve[0]))
    np.testing.assert_allclose(on_curve[exact], targets[exact], atol=1e-9)


@given(seed=st.integers(0, 2**32 - 1), stretch=st.integers(2, 9))
@settings(max_examples=25, deadline=None)
def test_a_multiple_does_not_depend_on_the_unit_of_labels(seed, stretch):
    rng = np.random.default_rng(seed)
    curves, targets = rng.random((6, 4)), rng.random(6)
    few, many = (label_multiples.times_more_labels(k * GRID, curves, 100 * k, targets) for k in (1, stretch))
    np.testing.assert_allclose(few.values, many.values)
    assert (few.states == many.states).all()
