"""Differences are those of the runs' predictions, paired by seed."""

import numpy as np
import pytest


def test_a_difference_is_the_mean_over_seeds_of_the_scores_differences(entities_study):
    _, record = entities_study
    test = {(row["system"], row["seed"]): row["test"] for row in record.tables["runs"].rows()}
    for row in record.tables["differences"].rows():
        each = [test["linked", seed] - test[row["second"], seed] for seed in (0, 1)]
        assert row["difference"] == pytest.approx(np.mean(each))
        assert row["low"] <= row["difference"] <= row["high"]


def test_every_system_has_the_same_seeds_and_steps(entities_study):
    rows = list(entities_study[1].tables["runs"].rows())
    assert {(row["seed"], row["steps"]) for row in rows} == {(seed, rows[0]["steps"]) for seed in (0, 1)}
    assert [row["system"] for row in rows[::2]] == ["linked", "shuffled", "unlinked", "control"]
