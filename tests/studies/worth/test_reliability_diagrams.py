"""The table of reliability, of made-up rungs whose true probabilities are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from tests.studies.fake_ladder import task
from tests.studies.worth.test_probability_scores import MENDED, TOO_SURE, TRUE, measured, probabilities_of
from tests.studies.worth.test_score_predictions import in_folds

from wordworth.measures.calibration import MOST_BINS
from wordworth.studies.worth.reliability_diagrams import reliability_table


def rows_of(result, rung):
    return [row for row in reliability_table(result).rows() if row["rung"] == rung]


def inside(rows):
    return np.mean([row["right_low"] <= row["confidence"] <= row["right_high"] for row in rows])


def test_without_its_temperature_a_rung_is_too_sure_and_with_it_as_often_right_as_sure():
    rows = rows_of(measured(task(3_000), TRUE, MENDED), "mended")
    before, after = ([row for row in rows if row["with_temperature"] is flag] for flag in (False, True))
    assert len(before) == len(after) == MOST_BINS
    assert inside(after) >= 0.8
    assert inside(before) <= 0.3
    assert np.mean([row["confidence"] - row["right"] for row in before]) > 0.05


def test_the_bins_of_folds_are_those_of_scikit_learn():
    result = measured(in_folds(1_500), MENDED)
    after = [row for row in rows_of(result, "mended") if row["with_temperature"]]
    entry, gold = result.rung_results[1], np.asarray(result.task.gold(result.task.test))
    runs = [run for run in entry.runs if run.labels == result.labels]
    probabilities = np.concatenate([run.calibration.probabilities(run.predictions) for run in runs])
    right = probabilities.argmax(axis=1) == np.concatenate([gold[run.items] for run in runs])
    shares, means = calibration_curve(right, probabilities.max(axis=1), n_bins=MOST_BINS, strategy="quantile")
    assert [row["right"] for row in after] == pytest.approx(shares)
    assert [row["confidence"] for row in after] == pytest.approx(means)
    assert sum(row["texts"] for row in after) == 1_500


def test_answers_of_all_runs_on_a_test_part_are_in_the_bins():
    result = measured(task(3_000), MENDED)
    gold, runs = probabilities_of(result, "mended")
    after = [row for row in rows_of(result, "mended") if row["with_temperature"]]
    assert sum(row["texts"] for row in after) == len(runs) * len(gold)
    hits = [((probability > 0.5) == gold).mean() for probability in runs]
    assert np.average([row["right"] for row in after], weights=[row["texts"] for row in after]) == pytest.approx(
        np.mean(hits)
    )


def test_the_named_rung_and_the_best_with_context_are_shown_and_no_other():
    result = measured(task(600), TRUE, TOO_SURE, MENDED)
    rungs = {row["rung"] for row in reliability_table(result).rows()}
    assert rungs == {result.verdict.rung, "mended"}


def test_a_rung_without_a_temperature_has_one_set_of_bins():
    result = measured(task(600), replace(TOO_SURE, name="alone", family="frozen"))
    assert {row["with_temperature"] for row in rows_of(result, "alone")} == {False}


def test_texts_of_groups_widen_the_intervals():
    plain = measured(in_folds(400), MENDED)
    groups = tuple(f"author {row // 8}" for row in range(400))
    examples = replace(plain.task.examples, groups=groups)
    grouped = replace(plain, task=replace(plain.task, examples=examples))
    every = [[row["right_high"] - row["right_low"] for row in rows_of(each, "mended")] for each in (plain, grouped)]
    assert all(wide >= narrow for narrow, wide in zip(*every, strict=True))


def test_tasks_without_one_class_for_each_text_have_no_rows():
    plain = measured(in_folds(100), TRUE)
    several = replace(plain, task=replace(plain.task, kind="multilabel"))
    assert reliability_table(several).rows() == []
