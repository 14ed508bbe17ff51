"""Control variables say beforehand what a text may add to the differences of rungs, 0 on average over the pool."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.studies.worth.planning.control_variates import control_variates
from wordworth.studies.worth.planning.sampling_by_disagreement import Contrast, RungAnswers

PAIRS = [Contrast("counts", "frozen", 0.02), Contrast("static", "frozen", 0.05)]


def answers(texts=400, seed=0):
    """Three rungs of two classes whose probabilities are true, each seeing the text in its own noise."""
    rng = np.random.default_rng(seed)
    clear = rng.standard_normal(texts)
    made = {}
    for name in ("counts", "static", "frozen"):
        yes = 1 / (1 + np.exp(-2 * (clear + rng.standard_normal(texts))))
        likely = np.stack([1 - yes, yes], axis=1)
        made[name] = RungAnswers(np.eye(2)[likely.argmax(axis=1)], likely)
    return made


@given(st.integers(2, 60), st.integers(0, 1_000))
def test_each_has_a_mean_of_zero_and_a_variance_of_one(texts, seed):
    made = control_variates(PAIRS, answers(texts, seed))
    assert made.shape[0] == texts
    assert made.shape[1] <= 1 + len(PAIRS)
    np.testing.assert_allclose(made.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(made.var(axis=0), 1, atol=1e-6)


def test_the_first_is_what_texts_are_drawn_by_and_the_others_are_uncorrelated():
    rungs = answers()
    made = control_variates(PAIRS, rungs)
    squares = sum(pair.expected_squares(rungs) / pair.absolute_difference**2 for pair in PAIRS)
    assert np.corrcoef(made[:, 0], squares)[0, 1] == pytest.approx(1)
    assert np.corrcoef(made[:, 1], made[:, 2])[0, 1] == pytest.approx(0, abs=1e-9)


def test_they_foretell_the_difference_of_the_rungs():
    rungs = answers(4_000)
    rng = np.random.default_rng(1)
    likely = np.mean([each.probabilities for each in rungs.values()], axis=0)
    gold = (rng.random(4_000) < likely[:, 1]).astype(int)
    right = {name: each.shares[np.arange(4_000), gold] for name, each in rungs.items()}
    difference = right["frozen"] - right["counts"]
    design = np.column_stack([np.ones(4_000), control_variates(PAIRS, rungs)])
    left = difference - design @ np.linalg.lstsq(design, difference, rcond=None)[0]
    assert left.var() < 0.95 * difference.var()


def test_rungs_that_never_disagree_have_none():
    one = answers(50)["counts"]
    assert control_variates(PAIRS, dict.fromkeys(("counts", "static", "frozen"), one)).shape == (50, 0)
