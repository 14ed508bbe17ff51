from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.finetune.cases import BRIEF

from wordworth.studies.finetune import finetune
from wordworth.studies.finetune.results import metrics_of, paired_difference, score_rows, scored
from wordworth.testing.sample_tasks import sample_task


def test_the_interval_of_a_score_without_a_least_holds_its_mean(encoder, tmp_path):
    hopeless = {**BRIEF, "learning_rate": 1e-9, "epochs": 1}
    (row,) = [
        row
        for row in finetune(sample_task("regression", 120), model=encoder, out=tmp_path, **hopeless)
        .table("scores")
        .to_dict("records")
        if row["metric"] == "r2"
    ]
    assert row["low"] <= row["mean"] <= row["high"]
    assert row["mean"] < 0


def test_a_difference_of_two_seeds_stays_within_what_is_possible():
    task = sample_task("classification", 60)
    gold = task.gold(task.test)
    right, wrong = np.eye(len(task.classes))[gold], np.eye(len(task.classes))[(gold + 1) % len(task.classes)]
    first, other = (
        [SimpleNamespace(seed=seed, test=predictions) for seed, predictions in enumerate(each)]
        for each in ((right, wrong), (wrong, right))
    )
    difference = paired_difference(task, first, other, 0)
    assert (difference.mean, difference.low, difference.high) == (0.0, -1.0, 1.0)


def ended(task, *shares):
    """Runs by seed that are right in these shares of the test part, and give its last class to the others."""
    gold = np.asarray(task.gold(task.test))
    wrong = (gold + 1) % len(task.classes)
    rows = np.arange(len(gold))
    predictions = [np.where(rows < round(share * len(gold)), gold, wrong) for share in shares]
    return [SimpleNamespace(seed=seed, test=np.eye(len(task.classes))[each]) for seed, each in enumerate(predictions)]


def test_the_scores_of_runs_are_told_with_their_mean_their_spread_and_an_interval_around_it():
    task = sample_task("classification", 90)
    scores = scored(task, ended(task, 0.5, 0.7, 0.9), "accuracy", 0)
    (row,) = score_rows([scores], best=2)
    assert scores.values == pytest.approx([0.5, 0.7, 0.9])
    expected = {"runs": 3, "mean": 0.7, "deviation": 0.2, "least": 0.5, "most": 0.9, "best": 0.9}
    assert {name: row[name] for name in expected} == pytest.approx(expected)
    assert 0 <= row["low"] < 0.7 < row["high"] <= 1


def test_one_run_has_no_spread_and_no_run_has_no_numbers():
    task = sample_task("classification", 90)
    (one,) = score_rows([scored(task, ended(task, 0.5), "accuracy", 0)], best=0)
    assert (one["mean"], one["deviation"]) == (pytest.approx(0.5), None)
    (none,) = score_rows([scored(task, [], "accuracy", 0)], best=None)
    assert none["runs"] == 0
    assert {none[name] for name in ("mean", "deviation", "least", "most", "low", "high", "best")} == {None}


def test_runs_are_subtracted_from_those_of_the_same_seed_and_failed_ones_have_no_partner():
    task = sample_task("classification", 90)
    first, other = ended(task, 0.9, 0.8, 0.7), ended(task, 0.5, 0.7, 0.7)
    first[2].test = None
    difference = paired_difference(task, first, other[::-1], 0)
    assert (difference.runs, difference.mean) == (2, pytest.approx((0.4 + 0.1) / 2))
    assert difference.low <= difference.mean <= difference.high
    assert paired_difference(task, first[:1], other[1:], 0) is None


def test_the_metrics_are_the_tasks_own_first_then_those_of_its_publication_each_once():
    task = replace(sample_task("classification"), metric="macro_f1", metrics=("mcc", "accuracy"))
    names = metrics_of(task)
    assert names[:3] == ("macro_f1", "mcc", "accuracy")
    assert len(set(names)) == len(names)
    assert set(task.type.metrics) <= set(names)
