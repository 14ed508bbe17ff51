"""The least number of studies that cannot tell: what a test of two known rungs would reach."""

from types import SimpleNamespace

import numpy as np
import pytest

from parts.known_pair import cannot_tell_at_best, definite, known_pair


@pytest.mark.parametrize(("gap", "error"), [(0.0, 0.2), (0.5, 0.3), (2.0, 0.8), (3.0, 1.5), (-1.0, 2.0)])
def test_the_probability_of_a_definite_test_is_that_of_simulated_tests(gap, error):
    estimates = np.random.default_rng(3).normal(gap, error, 200_000)
    ahead, within = estimates - 1.96 * error > 0, estimates + 1.96 * error < 1.0
    assert float(definite(gap, error, 1.0)) == pytest.approx((ahead | within).mean(), abs=0.005)


def test_a_study_without_fresh_draws_has_the_median_error_of_the_others():
    pairs = [{"gap": 2.0, "item_error": 0.5, "label_error": error} for error in (0.5, 1.5, None)]
    expected = sum(1 - float(definite(2.0, np.hypot(0.5, error), 1.0)) for error in (0.5, 1.5, 1.0))
    result = cannot_tell_at_best(pairs, 1.0)
    assert result["fresh_labels"] == pytest.approx(expected)
    assert result["rungs_as_fitted"] == pytest.approx(3 * (1 - float(definite(2.0, 0.5, 1.0))))


def test_without_any_fresh_draw_nothing_is_stated_of_fresh_labels():
    result = cannot_tell_at_best([{"gap": 2.0, "item_error": 0.5, "label_error": None}], 1.0)
    assert result["fresh_labels"] is None


def test_the_known_pair_is_that_of_the_best_true_scores_and_its_errors_are_of_the_studys_size():
    class FixedScores:
        """The scores of two runs, and of resamples whose standard deviation is a point."""

        def __init__(self, points):
            self.points = points

        def mean(self, name, _labels):
            return {"tfidf": 0.70, "glove": 0.72, "minilm": 0.75, "hybrid": 0.74}[name]

        def differences(self, rung, against, _labels):
            assert (rung, against) == ("minilm", "glove")
            return self.points, np.tile([0.02, 0.04], (len(self.points), 500))

    rungs = {
        group: tuple(SimpleNamespace(name=name) for name in names)
        for group, names in (("cheap", ("tfidf", "glove")), ("contextual", ("hybrid", "minilm")))
    }
    truth, fresh = FixedScores(np.array([0.02, 0.04])), FixedScores(np.array([0.01, 0.03, 0.05]))
    pair = known_pair(SimpleNamespace(**rungs), truth, fresh, 960, (1_200, 4_800))
    assert pair == pytest.approx({"gap": 3.0, "item_error": 2.0, "label_error": 2.0})
    assert known_pair(SimpleNamespace(**rungs), truth, None, 960, (1_200, 4_800))["label_error"] is None
