"""The loss and the probabilities are those of the predicted visits of the patients alone."""

import numpy as np
import pytest
import torch
from tests.training.patient_visits.made_up import made_up_visits, settings
from torch.nn.functional import binary_cross_entropy_with_logits

from wordworth.training.patient_visits.recommendation import VisitRecommendation, probabilities, recommended, rows_of
from wordworth.training.patient_visits.visit_model import new_model


def test_visits_of_patients_are_listed():
    visits = made_up_visits()
    assert rows_of(visits, np.array([1, 16])).tolist() == [3, 4, 5, 48]


def test_the_loss_is_the_mean_over_predicted_visits():
    visits = made_up_visits()
    model = new_model(settings(), visits, (None, None), 0)
    loss = next(VisitRecommendation(model, visits, np.arange(16))(np.array([0, 1]), torch.Generator().manual_seed(0)))
    scores = recommended(model, visits, np.arange(6))
    gold = torch.from_numpy(visits.targets.flags[[1, 2, 4, 5]]).float()
    torch.testing.assert_close(loss, binary_cross_entropy_with_logits(scores, gold))


def test_probabilities_do_not_depend_on_how_many_patients_are_asked_for():
    visits = made_up_visits()
    model = new_model(settings(), visits, (None, None), 0)
    together = probabilities(model, visits, np.arange(30))
    assert together.shape == (int(visits.predicted.sum()), 3)
    assert ((together > 0) & (together < 1)).all()
    assert probabilities(model, visits, np.array([2])) == pytest.approx(together[4:6], abs=1e-6)
    assert model.training
