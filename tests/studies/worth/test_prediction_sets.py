"""The table of prediction sets, of made-up rungs whose sets are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task
from tests.studies.worth.test_probability_scores import TRUE, measured
from tests.studies.worth.test_score_predictions import in_folds

from wordworth.representations.heads.prediction_sets import prediction_sets
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.studies.worth.prediction_sets import PREDICTION_SETS, prediction_sets_table
from wordworth.studies.worth.study_result import StudyResult

WIDE, NARROW = (
    replace(TRUE, name=name, calibration=Calibration(1.0, 500, set_threshold=threshold))
    for name, threshold in (("wide", 0.9), ("narrow", 0.3))
)


@pytest.mark.parametrize("made", [task(1_200), in_folds(1_200)], ids=["test part", "folds"])
def test_coverage_and_size_are_those_of_the_sets_of_each_run(made):
    result = measured(made, WIDE, NARROW)
    rows = {row["rung"]: row for row in prediction_sets_table(result).rows()}
    assert list(rows) == ["wide", "narrow"]
    for rung in (WIDE, NARROW):
        (of_rung,) = (each for each in result.rung_results if each.rung.name == rung.name)
        covered, sizes = [], []
        for run in of_rung.runs:
            if run.labels == result.labels:
                gold = np.asarray(made.gold(made.test if run.items is None else made.test[run.items]))
                sets = prediction_sets(run.calibration, run.predictions)
                covered.append(sets[np.arange(len(gold)), gold].mean())
                sizes.append(sets.sum(1).mean())
        row = rows[rung.name]
        assert row["coverage"] == pytest.approx(np.mean(covered), abs=1e-9)
        assert row["size"] == pytest.approx(np.mean(sizes))
        assert row["coverage_low"] < row["coverage"] < row["coverage_high"]
        assert row["size"] == pytest.approx(2 - row["single"])
    assert rows["wide"]["coverage"] > rows["narrow"]["coverage"]


def test_rungs_that_held_nothing_out_and_other_kinds_of_task_have_no_rows():
    assert prediction_sets_table(measured(task(400), TRUE)).rows() == []
    made = task(200)
    values = replace(made, kind="regression", labels=made.labels.astype(float), classes=(), metric="r2")
    empty = prediction_sets_table(StudyResult(values, None, [], None, 0.01))
    assert (empty.rows(), list(empty.columns)) == ([], list(PREDICTION_SETS))
