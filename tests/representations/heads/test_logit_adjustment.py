"""Scores are shifted by how common classes are, where the metric cares for rare ones."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearChoice, LinearHead
from wordworth.representations.heads.logit_adjustment import (
    NONE,
    REGULARISED_TAUS,
    TAUS,
    log_frequencies,
    regularised_taus_for,
    taus_for,
)


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


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "matthews"])
def test_a_regularised_model_chooses_a_tau_under_any_metric_of_all_classes(metric):
    assert regularised_taus_for(target([0, 1], metric=metric)) == REGULARISED_TAUS
    assert regularised_taus_for(target([0.5, 1.5], 0, "spearman", "regression")) == NONE


def test_the_f1_of_a_class_or_of_labels_has_the_wide_range_of_taus():
    assert regularised_taus_for(target([0, 1], metric="f1:a")) == TAUS
    assert regularised_taus_for(target(np.eye(3, dtype=bool), metric="micro_f1", kind="multilabel")) == TAUS


def shrunk(count=400, seed=0):
    """Four classes of uneven frequency, told apart by many weak features under a strong penalty."""
    rng = np.random.default_rng(seed)
    labels = rng.choice(4, size=count, p=(0.55, 0.25, 0.15, 0.05))
    directions = np.random.default_rng(7).normal(size=(4, 60))
    return (rng.normal(size=(count, 60)) * 3 + directions[labels]).astype(np.float32), labels


def test_frequent_classes_are_not_predicted_too_often_by_a_model_that_is_shrunk():
    features, labels = shrunk()
    new, gold = shrunk(4000, seed=1)
    head = LinearHead(strengths=(0.03, 0.1))
    views = {"v": features}
    choice = head.choose(
        lambda training, held_out: ({"v": features[training]}, {"v": features[held_out]}),
        target(labels, 4, "accuracy"),
        np.random.default_rng(0),
    )
    fitted, plain = (
        head.learn(views, target(labels, 4, "accuracy"), each) for each in (choice, replace(choice, tau=0.0))
    )
    judged = target(gold, 4, "accuracy")
    assert choice.tau > 0
    assert judged.score(fitted.predict(new)) > judged.score(plain.predict(new)) + 0.01


def test_under_accuracy_the_predicted_class_is_the_most_probable_one():
    features, labels = shrunk()
    fitted = LinearHead(strengths=(0.03,)).learn(
        {"v": features}, target(labels, 4, "accuracy"), LinearChoice(view="v", strength=0.03, tau=1.0)
    )
    scores = fitted.predict(features)
    assert (fitted.calibration.probabilities(scores).argmax(1) == scores.argmax(1)).all()


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
