"""The rules that people follow without a study, and their regret."""

from __future__ import annotations

import pytest
from tests.recipes.test_validity import verdict
from tests.studies.fake_ladder import task

from parts.policies import policies, policy_regrets


def test_each_rule_names_a_rung_that_was_measured():
    named = policies(verdict("contextual is worth it", "minilm"), task(200), 100)
    assert named["the verdict"] == "minilm"
    assert named["always TF-IDF"] == "tfidf"
    assert "always fine-tune" not in named  # it was not measured


def test_the_rule_of_thumb_takes_frozen_vectors_up_to_80_labels_a_class_and_fine_tuning_above():
    assert policies(verdict("cannot tell yet", "tfidf"), task(200), 160)["by labels a class"] == "minilm"
    assert "by labels a class" not in policies(verdict("cannot tell yet", "tfidf"), task(200), 162)


def test_regret_is_what_a_rules_rung_falls_short_of_the_best_less_epsilon():
    rows = [
        {"set": "a", "true": {"tfidf": 0.70, "minilm": 0.74}, "policies": {"always TF-IDF": "tfidf"}},
        {"set": "a", "true": {"tfidf": 0.80, "minilm": 0.74}, "policies": {"always TF-IDF": "tfidf"}},
        {"set": "b", "true": {"tfidf": 0.70, "minilm": 0.70}, "policies": {"always TF-IDF": "tfidf"}},
    ]
    regret = policy_regrets(rows, 0.01)["always TF-IDF"]
    assert regret["mean_regret"] == pytest.approx((1.5 + 0.0) / 2)
    assert regret["largest"] == pytest.approx(3.0)
    assert regret["studies"] == 3
    low, high = regret["between"]
    assert 0 <= low <= regret["mean_regret"] <= high <= 1.5 + 1e-9
