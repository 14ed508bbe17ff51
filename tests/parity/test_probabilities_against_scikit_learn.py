"""Measures of probabilities, and the temperature, against scikit-learn on drawn probabilities of many sizes."""

import numpy as np
import pytest
import sklearn.metrics as peer
from sklearn.linear_model import LogisticRegression

import sklearn
from wordworth.measures.log_loss_and_brier import brier_scores, log_losses
from wordworth.measures.ranking import area_under_roc, average_precision, one_against_rest
from wordworth.representations.heads.temperature_scaling import fit_temperature

pytestmark = pytest.mark.peers
HALVES_SEVERAL_CLASSES = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 7)


def drawn(seed, classes):
    rng = np.random.default_rng(seed)
    items = classes + 7 * (seed + 1)
    probabilities = np.round(rng.dirichlet(np.full(classes, 0.5), items), 2 + seed % 8)
    probabilities /= probabilities.sum(1, keepdims=True)
    return np.append(np.arange(classes), rng.integers(classes, size=items - classes)), probabilities


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("seed", range(20))
def test_probabilities_score_as_in_scikit_learn(seed, classes):
    gold, probabilities = drawn(seed, classes)
    labels = list(range(classes))
    assert log_losses(gold, probabilities).mean() == pytest.approx(peer.log_loss(gold, probabilities, labels=labels))
    if HALVES_SEVERAL_CLASSES:
        theirs = peer.brier_score_loss(gold, probabilities, labels=labels, scale_by_half=True)
        assert brier_scores(gold, probabilities).mean() == pytest.approx(theirs)


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("seed", range(20))
def test_rankings_score_as_in_scikit_learn(seed, classes):
    gold, probabilities = drawn(seed, classes)
    if classes == 2:
        positive, scores = gold == 1, probabilities[:, 1]
        assert area_under_roc(positive, scores) == pytest.approx(peer.roc_auc_score(positive, scores))
        assert average_precision(positive, scores) == pytest.approx(peer.average_precision_score(positive, scores))
        return
    area = peer.roc_auc_score(gold, probabilities, multi_class="ovr", average="macro")
    assert one_against_rest(area_under_roc, gold, probabilities) == pytest.approx(area)
    precision = peer.average_precision_score(gold, probabilities, average="macro")
    assert one_against_rest(average_precision, gold, probabilities) == pytest.approx(precision)


@pytest.mark.parametrize("seed", range(10))
def test_the_temperature_of_two_classes_is_the_slope_of_a_logistic_regression_without_intercept(seed):
    rng = np.random.default_rng(seed)
    log_odds = 4 * rng.normal(size=2_000)
    gold = (rng.random(2_000) < 1 / (1 + np.exp(-log_odds / 3))).astype(np.int64)
    regression = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-8).fit(log_odds[:, None], gold)
    ours = fit_temperature([np.stack([np.zeros(2_000), log_odds], axis=1)], [gold])
    assert ours.temperature == pytest.approx(1 / regression.coef_[0, 0], rel=2e-3)
