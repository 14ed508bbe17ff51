"""Scores are shifted by how common classes are, where the metric cares for rare ones."""

import numpy as np
import pytest

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear import LinearChoice, LinearHead
from wordworth.representations.heads.logit_adjustment import TAUS, log_frequencies, taus_for


def target(labels, classes=3, metric="macro_f1", kind="single"):
    return Target(kind=kind, labels=np.asarray(labels), classes=tuple("abcdefgh"[:classes]), metric=metric)


def test_each_class_is_shifted_by_the_logarithm_of_its_share():
    shares = log_frequencies(target([0] * 900 + [1] * 90 + [2] * 10))
    assert np.exp(shares) == pytest.approx([0.9, 0.09, 0.01], rel=0.06)


def test_a_class_that_nobody_saw_has_a_finite_share():
    assert np.isfinite(log_frequencies(target([0, 0, 1]))).all()


def test_each_of_many_labels_is_shifted_by_its_own_log_odds():
    given = np.zeros((1000, 2), bool)
    given[:500, 0] = given[:10, 1] = True
    shares = log_frequencies(target(given, 2, "macro_f1", "multilabel"))
    assert shares == pytest.approx([0.0, np.log(10 / 990)], abs=0.06)


def test_for_micro_f1_one_threshold_serves_all_labels():
    given = np.zeros((1000, 2), bool)
    given[:500, 0] = given[:10, 1] = True
    shares = log_frequencies(target(given, 2, "micro_f1", "multilabel"))
    assert shares == pytest.approx([np.log(255 / 745)] * 2, abs=0.01)


@pytest.mark.parametrize("metric", ["macro_f1", "f1:a", "matthews"])
def test_metrics_that_care_for_rare_classes_choose_a_tau(metric):
    assert taus_for(target([0, 1], metric=metric)) == TAUS


def test_metrics_that_weigh_every_item_alike_choose_none():
    assert taus_for(target([0, 1], metric="accuracy")) == (0.0,)
    assert taus_for(target([0.5, 1.5], 0, "spearman", "regression")) == (0.0,)


def test_with_tau_of_one_all_classes_are_equally_likely_beforehand():
    """Features that tell nothing: the plain model gives the common class, the adjusted one has no opinion."""
    rng = np.random.default_rng(0)
    features = {"v": rng.normal(size=(2000, 2)).astype(np.float32)}
    labels = (rng.random(2000) < 0.1).astype(int)
    weak = {"view": "v", "strength": 0.03}
    plain, adjusted = (
        LinearHead().learn(features, target(labels, 2, "f1:b"), LinearChoice(**weak, tau=tau)).predict(features["v"])
        for tau in (0.0, 1.0)
    )
    assert (plain.argmax(1) == 0).all()
    assert np.abs(adjusted[:, 1] - adjusted[:, 0]).max() < 0.6
    assert 0.3 < adjusted.argmax(1).mean() < 0.7


def test_an_adjusted_class_never_seen_is_still_never_predicted():
    features = {"v": np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32)}
    fitted = LinearHead().learn(features, target([0, 1] * 20), LinearChoice(view="v", strength=1.0, tau=2.0))
    assert np.isneginf(fitted.predict(features["v"])[:, 2]).all()
