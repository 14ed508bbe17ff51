"""Learning curves: published forms, fits that find them, and extrapolation that knows its limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import curve_fit

from wordworth.measures import learning_curves
from wordworth.measures.learning_curves import FAMILIES, Curves

GRID = 50 * 2 ** np.arange(7)
FORMS = {
    "pow3": lambda x: 0.9 - 1.1 * x**-0.4,
    "pow4": lambda x: 0.9 - 2.5 * (x + 60) ** -0.5,
    "mmf4": lambda x: (0.5 * 100 + 0.9 * x**0.8) / (100 + x**0.8),
    "wbl4": lambda x: 0.9 - 0.4 * np.exp(-0.1 * x**0.5),
    "exp3": lambda x: -0.3 * np.exp(-0.004 * x) + 0.85,
}


def curve(name, floor, gain, p, q=1.0):
    one = np.ones(1)
    return Curves(FAMILIES[name], 1.0, floor * one, gain * one, p * one, q * one)


def test_a_power_curve_has_its_published_values_and_labels_needed():
    pow3 = curve("pow3", 0.9, 1.0, 0.5)
    assert pow3.at([100, 400])[0] == pytest.approx([0.80, 0.85])
    assert pow3.needed(0.88)[0] == pytest.approx(2500)
    assert pow3.needed(0.90)[0] == np.inf
    assert pow3.ceilings[0] == 0.9


def test_the_other_forms_have_their_published_values():
    assert curve("mmf4", 0.5, 0.4, 100.0, 1.0).at([100])[0, 0] == pytest.approx(0.70)
    assert curve("wbl4", 0.9, 0.4, 0.1, 0.5).at([100])[0, 0] == pytest.approx(0.7528482, abs=1e-7)


@pytest.mark.parametrize("name", FORMS)
def test_a_fit_finds_a_curve_of_its_own_family(name):
    truth = FORMS[name]
    fitted = learning_curves.fit(name, GRID, truth(GRID.astype(float))[None])
    assert np.abs(fitted.at(GRID)[0] - truth(GRID.astype(float))).max() < 2e-4
    assert fitted.at([4 * GRID[-1]])[0, 0] == pytest.approx(truth(4.0 * GRID[-1]), abs=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_a_power_law_is_fitted_as_well_as_by_scipys_least_squares(seed):
    sizes = GRID.astype(float)
    scores = 0.9 - 1.3 * sizes**-0.45 + np.random.default_rng(seed).normal(0, 0.004, len(sizes))

    def power_law(labels, a, b, c):
        return a - b * (labels / sizes[0]) ** -c

    found, _ = curve_fit(power_law, sizes, scores, (0.9, 0.3, 0.5), bounds=([-10, 0, 0.01], [10, 10, 10**0.5]))
    ours = learning_curves.fit("pow3", GRID, scores[None]).at(GRID)[0]
    assert ((ours - scores) ** 2).sum() <= (1 + 1e-5) * ((power_law(sizes, *found) - scores) ** 2).sum()


@pytest.mark.parametrize("name", FORMS)
def test_labels_needed_are_where_the_curve_reaches_the_target(name):
    fitted = learning_curves.fit(name, GRID, FORMS[name](GRID.astype(float))[None])
    target = float(fitted.at([777])[0, 0])
    assert fitted.needed(target)[0] == pytest.approx(777, rel=1e-6)
    assert fitted.needed(float(fitted.ceilings[0]) + 1e-6)[0] == np.inf


@pytest.mark.parametrize("name", FAMILIES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_no_fitted_curve_falls_and_none_is_worse_than_a_constant(name, seed):
    scores = np.random.default_rng(seed).random((4, 7))
    fitted = learning_curves.fit(name, GRID, scores)
    assert (np.diff(fitted.at(np.geomspace(50, 12800, 40))) >= -1e-12).all()
    if name != "last1":
        error = ((fitted.at(GRID) - scores) ** 2).sum(axis=1)
        assert (error <= scores.var(axis=1) * 7 + 1e-12).all()


@pytest.mark.parametrize("name", FORMS)
@given(seed=st.integers(0, 2**32 - 1), scale=st.floats(0.1, 10), shift=st.floats(-1, 1))
@settings(max_examples=10, deadline=None)
def test_a_fit_follows_a_change_of_unit_and_of_scale(name, seed, scale, shift):
    scores = np.sort(np.random.default_rng(seed).random((3, 7)), axis=1)
    plain = learning_curves.fit(name, GRID, scores).at([6400])
    moved = learning_curves.fit(name, 3 * GRID, scale * scores + shift).at([19200])
    np.testing.assert_allclose(moved, scale * plain + shift, atol=1e-6 * scale)


def test_selection_holds_out_the_largest_size_and_keeps_the_control():
    chosen = learning_curves.select(GRID, FORMS["pow3"](GRID.astype(float))[None])
    assert set(chosen.errors) == set(FAMILIES)
    assert chosen.errors["pow3"] < 1e-3 < chosen.errors["last1"]
    flat = learning_curves.select(GRID, np.array([[0.6, 0.7, 0.75, 0.8, 0.8, 0.8, 0.7]]))
    assert flat.errors["last1"] == pytest.approx(0.1)


def test_two_sizes_leave_only_the_control():
    assert learning_curves.select([100, 200], np.array([[0.7, 0.8]])).family.name == "last1"


def test_an_extension_covers_a_known_curve_and_widens_with_distance():
    rng = np.random.default_rng(0)
    truth, held = FORMS["pow3"], 0
    for _ in range(40):
        observed = truth(GRID.astype(float)) + rng.normal(0, 0.005, 7)
        draws = observed + rng.normal(0, 0.005, (40, 7))
        found = learning_curves.extend(GRID, draws, [6400, 12800])
        widths = [span.high - span.low for span in found.intervals]
        assert widths[1] > widths[0]
        held += truth(12800.0) in found.intervals[1]
    assert held >= 36


def test_an_extension_goes_on_from_the_last_score_as_the_power_law_of_the_four_largest_sizes_does():
    rising = np.array([0.9, 0.1, 0.5, *FORMS["pow3"](GRID[3:].astype(float))])
    found = learning_curves.extend(GRID, rising[None], [6400, 12800])
    assert found.median == pytest.approx(FORMS["pow3"](np.array([6400.0, 12800.0])), abs=2e-3)
    assert found.selection.family.name == "pow3"


@given(seed=st.integers(0, 2**32 - 1), sizes=st.integers(4, 8))
@settings(max_examples=20, deadline=None)
def test_no_extension_falls_below_the_last_score(seed, sizes):
    labels = 50 * 2 ** np.arange(sizes)
    scores = np.random.default_rng(seed).random((5, sizes))
    found = learning_curves.extend(labels, scores, [2 * labels[-1], 4 * labels[-1]])
    assert (np.diff(np.column_stack([scores[:, -1], found.scores]), axis=1) >= -1e-12).all()


def test_a_curve_that_falls_is_carried_on_as_it_ended():
    falling = np.array([[0.9, 0.9, 0.9, 0.7, 0.65, 0.6, 0.6]])
    assert learning_curves.extend(GRID, falling, [6400]).median == pytest.approx([0.6])


def test_a_curve_of_fewer_than_four_sizes_is_not_extended():
    with pytest.raises(ValueError, match="3 sizes is too short"):
        learning_curves.extend(GRID[:3], np.ones((2, 3)), [400])


def test_nothing_foretold_exceeds_the_best_score_there_can_be():
    found = learning_curves.extend(GRID, np.array([[0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99]]), [12800])
    assert found.scores.max() <= 1
    assert found.intervals[0].high <= 1


def test_a_curve_tends_to_its_limit_and_one_that_no_family_predicts_has_none():
    rising = FORMS["pow3"](GRID.astype(float))[None]
    assert learning_curves.ceilings(GRID, rising)[0] == pytest.approx(FORMS["pow3"](1e30), abs=2e-3)
    assert learning_curves.ceilings([100, 200], np.array([[0.7, 0.8]])).tolist() == [np.inf]


def test_the_limit_of_a_curve_is_raised_by_twice_the_error_of_its_family():
    scores = FORMS["pow3"](GRID.astype(float))[None] + np.random.default_rng(0).normal(0, 0.01, (50, 7))
    chosen = learning_curves.select(GRID, scores)
    limits = learning_curves.fit(chosen.family.name, GRID, scores).ceilings
    assert chosen.family.name != "last1"
    np.testing.assert_allclose(learning_curves.ceilings(GRID, scores) - limits, 2 * chosen.error)


def test_a_curve_is_not_extended_further_than_four_times():
    with pytest.raises(ValueError, match="more than 4 times"):
        learning_curves.extend(GRID, np.ones((2, 7)), [12801])


def test_too_few_sizes_for_a_family_are_refused():
    with pytest.raises(ValueError, match="pow4 needs at least 4"):
        learning_curves.fit("pow4", [1, 2, 4], np.ones((1, 3)))


def test_the_same_draws_give_the_same_bytes():
    draws = np.random.default_rng(0).random((20, 7))
    first, second = (learning_curves.extend(GRID, draws, [6400]).scores for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("least", [0.0, -1.0])
def test_nothing_foretold_is_worse_than_the_worst_score_there_can_be(least):
    scores = least + np.abs(np.random.default_rng(0).normal(0.1, 0.1, (50, 7)))
    found = learning_curves.extend(GRID, scores, [6400, 12800], least)
    assert found.scores.min() >= least
    assert [span.low for span in found.intervals] == [least, least]


def test_what_does_not_learn_is_held_where_it_is():
    draws = np.random.default_rng(0).uniform(0.2, 0.3, 200)
    found = learning_curves.constant_curve(draws, [6400, 12800])
    assert found.median == pytest.approx([np.median(draws)] * 2)
    assert found.intervals[0] == found.intervals[1]
    assert found.intervals[0].low > 0.2
