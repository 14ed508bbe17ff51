"""The table of probabilities, of made-up rungs whose true probabilities are known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant, task
from tests.studies.worth.made_up import Unlucky, at_top, study
from tests.studies.worth.test_score_predictions import in_folds

from wordworth.measures.log_loss_and_brier import log_losses
from wordworth.measures.metrics import metric
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.probability_scores import PROBABILITIES, loss_scores, positive_class, probabilities_table
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study_result import StudyResult

LEAD = 1.0
"""Half the distance of the means of two classes' scores, whose variance is 1: log-odds are twice it times the score."""


@dataclass(frozen=True)
class KnownPredictor:
    """Its log-odds are true, times a factor; its calibration knows that factor, or not."""

    task: object
    factor: float
    seed: int
    calibration: Calibration
    chosen: dict

    def predict(self, rows):
        gold = np.asarray(self.task.gold(rows))
        scores = np.random.default_rng(self.seed).normal(size=len(rows)) + LEAD * (2 * gold - 1)
        return np.stack([np.zeros(len(rows)), self.factor * 2 * LEAD * scores], axis=1)

    def predict_texts(self, examples):
        return np.zeros((len(examples), 2))


@dataclass(frozen=True)
class KnownRung(FakeRung):
    factor: float = 1.0
    calibration: Calibration = NOT_CALIBRATED

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return KnownLearner(self, task)


class KnownLearner(FakeLearner):
    def fit(self, rows, rng):  # noqa: ARG002 - a Learner
        return KnownPredictor(self.task, self.rung.factor, int(rng.integers(2**31)), self.rung.calibration, {})


TRUE = KnownRung("true", "counts", constant(0))
TOO_SURE = KnownRung("too_sure", "static", constant(0), factor=3.0)
MENDED = KnownRung("mended", "frozen", constant(0), factor=3.0, calibration=Calibration(3.0, 500))


def measured(made, *rungs, draws=200):
    """The result of a study of these rungs beside the constant one."""
    run_context, chosen = RunContext(threads=1), WorthSettings(draws=draws)
    results, grid = open_rungs([MAJORITY, *rungs], made, run_context, ()), label_grid(made, chosen)
    fit_all(results, {result.rung.name: grid.runs(result.rung) for result in results}, made, grid, run_context)
    scores = measure(results, made, metric(made.metric, made.classes), Bootstrap(draws, 0))
    return StudyResult(made, grid, results, scores, 0.01)


def table(made, *rungs):
    return {row["rung"]: row for row in probabilities_table(measured(made, *rungs)).rows()}


@pytest.fixture(scope="module")
def split():
    return measured(task(3_000), TRUE, TOO_SURE, MENDED)


def rows_of(result):
    return {row["rung"]: row for row in probabilities_table(result).rows()}


def probabilities_of(result, rung, runs=5):
    """Gold labels and the probability of the second class in each run on all labels."""
    entry = next(each for each in result.rung_results if each.rung.name == rung)
    at_all = [run for run in entry.runs if run.labels == result.labels][:runs]
    return np.asarray(result.task.gold(result.task.test)), [
        run.calibration.probabilities(run.predictions)[:, 1] for run in at_all
    ]


def test_overconfidence_is_found_and_the_temperature_mends_it(split):
    rows = rows_of(split)
    assert rows["true"]["calibration_error_low"] == 0
    assert rows["mended"]["calibration_error_low"] == 0
    assert rows["true"]["calibration_error"] < 0.02
    assert rows["too_sure"]["calibration_error_low"] > 0.05
    assert rows["too_sure"]["log_loss_low"] > rows["mended"]["log_loss_high"]
    assert rows["too_sure"]["brier_low"] > rows["mended"]["brier_high"]
    assert (rows["mended"]["temperature"], rows["mended"]["held_out"]) == (3.0, 500)
    assert (rows["true"]["temperature"], rows["true"]["held_out"]) == (1.0, 0)


def test_the_columns_are_those_of_scikit_learn(split):
    row, (gold, runs) = rows_of(split)["mended"], probabilities_of(split, "mended")
    positive = positive_class(split.task)
    of_positive = [probability if positive else 1 - probability for probability in runs]
    assert row["positive"] == split.task.classes[positive]
    assert row["log_loss"] == pytest.approx(np.mean([log_loss(gold, probability) for probability in runs]))
    assert row["brier"] == pytest.approx(np.mean([brier_score_loss(gold, probability) for probability in runs]))
    assert row["auroc"] == pytest.approx(np.mean([roc_auc_score(gold, probability) for probability in runs]))
    precisions = [average_precision_score(gold == positive, probability) for probability in of_positive]
    assert row["average_precision"] == pytest.approx(np.mean(precisions))
    top = [np.argsort(-probability)[: len(gold) // 10] for probability in of_positive]
    assert row["precision_10"] == pytest.approx(np.mean([(gold[texts] == positive).mean() for texts in top]))


def test_the_interval_of_a_loss_holds_what_its_true_probabilities_lose(split):
    draws = np.random.default_rng(0).normal(size=200_000) + LEAD
    expected = -np.log(expit(2 * LEAD * draws)).mean()
    rows = rows_of(split)
    for rung in ("true", "mended"):
        assert rows[rung]["log_loss_low"] < expected < rows[rung]["log_loss_high"]
        assert rows[rung]["log_loss_low"] < rows[rung]["log_loss"] < rows[rung]["log_loss_high"]


def test_that_no_answer_is_wrong_on_a_few_texts_does_not_make_the_next_brier_score_certain():
    row = table(task(200), FakeRung("faultless", "counts", constant(1.0)))["faultless"]
    assert row["brier_low"] <= row["brier"] < 0.1
    assert row["brier_high"] > row["brier"] + 1.5 / 100


def test_losses_of_rungs_are_paired_by_the_one_bootstrap(split):
    losses = loss_scores(split, log_losses)
    assert losses.bootstrap == split.scores.bootstrap
    assert losses.gap("mended", "too_sure", split.labels) > 0
    assert losses.gap_interval("mended", "too_sure", split.labels).low > 0


def test_folds_are_measured_together_and_ranked_each_by_its_own_model():
    result = measured(in_folds(1_500), TRUE, MENDED)
    rows, gold = rows_of(result), np.asarray(result.task.gold(result.task.test))
    entry = result.rung_results[1]
    runs = [run for run in entry.runs if run.labels == result.labels]
    each = [(gold[run.items], run.calibration.probabilities(run.predictions)[:, 1]) for run in runs]
    together = [np.concatenate(column) for column in zip(*each, strict=True)]
    assert rows["true"]["log_loss"] == pytest.approx(log_loss(*together))
    assert rows["true"]["auroc"] == pytest.approx(np.mean([roc_auc_score(*fold) for fold in each]))
    assert rows["true"]["log_loss_low"] < rows["true"]["log_loss"] < rows["true"]["log_loss_high"]
    assert rows["true"]["calibration_error_low"] == 0


def test_no_score_depends_on_a_temperature():
    plain, mended = (
        measured(task(400), replace(MENDED, calibration=each)) for each in (NOT_CALIBRATED, MENDED.calibration)
    )
    for name in plain.scores.table:
        assert np.array_equal(plain.scores.table[name].by_draw, mended.scores.table[name].by_draw)


def test_several_classes_have_no_positive_one():
    row = table(task(600, classes=3), FakeRung("tfidf", "counts", constant(0.7)))["tfidf"]
    assert row["positive"] is row["precision_10"] is row["precision_20"] is None
    assert row["auroc"] > 0.6
    assert row["average_precision"] > 0.5


def test_the_positive_class_is_that_of_the_metric_else_the_rarer():
    made = task(200)
    labels = np.array([0] * 40 + [1] * 160)
    assert positive_class(replace(made, labels=labels)) == 0
    assert positive_class(replace(made, labels=labels, metric="f1:class 1")) == 1
    assert positive_class(replace(made, labels=1 - labels)) == 1


def test_other_kinds_of_task_have_no_such_table():
    made = task(200)
    labels = made.labels.astype(float)
    result = StudyResult(replace(made, kind="regression", labels=labels, classes=(), metric="r2"), None, [], None, 0.01)
    empty = probabilities_table(result)
    assert (empty.rows(), list(empty.columns)) == ([], list(PROBABILITIES))


def test_a_failed_run_counts_as_the_constant_rung_and_the_record_has_the_table():
    unlucky = Unlucky("unlucky", "static", constant(0.9), when=at_top(0))
    record = study(FakeRung("tfidf", "counts", constant(0.75)), unlucky)
    rows = {row["rung"]: row for row in record.tables["probabilities"].rows()}
    assert set(rows) == {"majority", "tfidf", "unlucky"}
    assert all(np.isfinite(row["log_loss"]) for row in rows.values())
    assert set(record.tables["probabilities"].describe) == set(PROBABILITIES)
