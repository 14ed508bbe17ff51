"""Answers without the other side."""

import numpy as np
from tests.training.crossmodal.made_up import VOCABULARY, pairs

from wordworth.studies.crossmodal.baseline import prior
from wordworth.studies.crossmodal.evaluation import MEASURES


def test_the_prior_names_what_is_most_frequent_in_training():
    train, test = pairs(50), pairs(40, 1)
    hits = prior(VOCABULARY, train, test, 10, 0)
    right = dict(zip(MEASURES, hits.right.sum(0) / hits.answers.sum(0), strict=True))
    most_frequent = int(np.bincount(np.concatenate(train.words)).argmax())
    assert right["alignment"] == 0.5
    assert right["word from codes, top 1"] == np.mean(np.concatenate(test.words) == most_frequent)
    assert right["word from codes, top 5"] == 1
