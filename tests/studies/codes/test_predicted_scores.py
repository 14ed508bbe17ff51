"""The threshold is the one with the best mean Jaccard."""

import numpy as np

from wordworth.studies.codes.predicted_scores import THRESHOLDS, best_threshold


def test_the_best_threshold_separates_what_is_true():
    truth = np.array([[True, False], [False, True]])
    assert best_threshold(truth, np.array([[0.62, 0.58], [0.3, 0.9]])) == 0.6
    assert best_threshold(truth, np.ones((2, 2))) == THRESHOLDS[0]
