"""The simulated worlds are as they say, and the figures of a cell are those of its studies."""

import numpy as np
import pytest
from scipy.special import ndtr

from metric_coverage import (
    FIRST,
    SECOND,
    TIMES,
    Classes,
    Groups,
    Probabilities,
    Values,
    accuracy_at,
    of_best,
    of_probabilities,
    of_scores,
    true_of_probabilities,
)


def test_a_rung_is_as_often_right_as_its_classes_lie_apart_and_true_probabilities_have_no_calibration_error():
    true = true_of_probabilities(Probabilities(2.0, 1.0), 1_000)
    assert true["surest 1"] == pytest.approx(ndtr(2.0), abs=2e-3)
    assert true["calibration_error"] == 0
    assert true_of_probabilities(Probabilities(2.0, 2.0), 1_000)["calibration_error"] > 0.01


def test_the_cheap_rung_of_the_curves_needs_four_times_the_labels():
    assert accuracy_at(SECOND, TIMES * 100.0) == pytest.approx(accuracy_at(FIRST, 100.0))


def test_groups_are_as_many_as_a_twelfth_of_the_rows_and_differ_in_size_where_asked_for():
    sizes = [np.bincount(Groups(unequal).sample(240, np.random.default_rng(0)).groups) for unequal in (False, True)]
    assert set(sizes[0]) == {12}
    assert len(sizes[1]) == 20
    assert sizes[1].max() > 3 * sizes[1].min()


def test_a_cell_has_the_shares_of_its_studies_that_hold_the_truth():
    found = of_scores(Values(lognormal=False), "pearson", 100, 20)
    assert found["studies"] == 20
    assert 0.7 <= found["score held"] <= 1
    assert found["mean score"] == pytest.approx(found["score"], abs=0.03)
    equal = Classes((0.5, 0.5), ((FIRST, 0.6), ("other", 0.6)))
    assert of_best(equal, 100, 20)["raised by"] > 0
    held = of_probabilities(Probabilities(1.0, 1.0), 100, 5)["held"]
    assert all(share >= 0.4 for share in held.values())
