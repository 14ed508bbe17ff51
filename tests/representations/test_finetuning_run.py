"""The logit adjustment of a fine-tuned network is chosen on rows that it did not learn from."""

from types import SimpleNamespace

import numpy as np
import pytest

from wordworth.representations.finetuning_run import _Attempt, best_adjustment, calibrated
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.logit_adjustment import LogitAdjustment


def target(labels, metric):
    return Target(kind="classification", labels=labels, classes=("common", "rare"), metric=metric)


def rare_labels(count, seed):
    return (np.random.default_rng(seed).random(count) < 0.1).astype(np.int64)


def scores_of(labels):
    """Scores that tell the classes apart, all of them too high for the common one."""
    signal = labels + np.random.default_rng(2).normal(0, 0.2, len(labels))
    return np.stack([np.full(len(labels), 2.0), signal], 1)


def test_an_adjustment_finds_the_rare_class_that_the_scores_miss():
    held = rare_labels(200, 1)
    adjustment = best_adjustment(target(rare_labels(1000, 0), "macro_f1"), target(held, "macro_f1"), scores_of(held))
    assert adjustment.tau > 0
    assert (adjustment(scores_of(held)).argmax(1) == held).mean() > 0.95


def test_probabilities_take_the_adjustment_back():
    held, scores = rare_labels(200, 1), scores_of(rare_labels(200, 1))
    gold = target(held, "macro_f1")
    adjustment = best_adjustment(target(rare_labels(1000, 0), "macro_f1"), gold, scores)
    calibration = calibrated(adjustment, gold, scores)
    plain = calibrated(LogitAdjustment.of(gold, 0.0), gold, scores)
    assert (calibration.held_out, plain.shift) == (200, ())
    assert np.allclose(calibration.probabilities(adjustment(scores)), plain.probabilities(scores))


def test_nothing_is_adjusted_where_every_row_counts_alike():
    held = rare_labels(200, 1)
    adjustment = best_adjustment(target(rare_labels(1000, 0), "accuracy"), target(held, "accuracy"), scores_of(held))
    assert adjustment.tau == 0


@pytest.mark.parametrize(
    ("texts", "kept_step", "epochs"), [(11, 2, 2), (40, 6, 2), (40, 3, 1), (40, 4, 1.3), (32, 4, 2)]
)
def test_the_passes_of_a_run_count_its_last_smaller_batch_as_a_batch(texts, kept_step, epochs):
    job = SimpleNamespace(settings=FineTuning(epochs=2), tokenized=SimpleNamespace(num_truncated=0))
    attempt = SimpleNamespace(job=job, training=np.arange(texts), held_out=np.arange(0))
    assert _Attempt.about(attempt, kept_step)["epochs"] == epochs
