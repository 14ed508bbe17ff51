"""What a thousand texts cost, of rungs whose probabilities are known: held to scikit-learn, and simulated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.metrics import confusion_matrix
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import Unlucky, at_top
from tests.studies.worth.test_probability_scores import MENDED, TOO_SURE, TRUE, KnownRung, measured
from tests.studies.worth.test_score_predictions import in_folds

from wordworth.measures.expected_cost import cost_metric
from wordworth.measures.metrics import metric
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.expected_costs import EXPECTED_COSTS, ExpectedCosts
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study_result import StudyResult

COSTS = np.array([[0.0, 1.0], [20.0, 0.5]])
EQUAL = 1 - np.eye(2)


def rows_of(result, costs=COSTS):
    return {row["rung"]: row for row in ExpectedCosts(result, costs).tables()["expected_costs"].rows()}


def cost_of(gold, predicted, costs=COSTS):
    return 1_000 * (confusion_matrix(gold, predicted, labels=range(len(costs))) * costs).sum() / len(gold)


@pytest.fixture(scope="module")
def split():
    return measured(task(3_000), TRUE, TOO_SURE, MENDED)


@pytest.mark.parametrize("rung", ["true", "too_sure", "mended"])
def test_the_costs_are_those_of_the_confusion_matrix_of_scikit_learn(split, rung):
    entry = next(each for each in split.rung_results if each.rung.name == rung)
    runs, gold = [run for run in entry.runs if run.labels == split.labels], split.task.gold(split.task.test)
    row = rows_of(split)[rung]
    predicted = [cost_of(gold, run.predictions.argmax(axis=1)) for run in runs]
    assert row["predicted_cost"] == pytest.approx(np.mean(predicted))
    decided = []
    for run in runs:
        log_odds = (run.predictions[:, 1] - run.predictions[:, 0]) / run.calibration.temperature
        decided.append(cost_of(gold, (expit(log_odds) > 1 / 20.5).astype(int)))  # 1 / (1 + 20 - 0.5), Elkan 2001
    assert row["decision_cost"] == pytest.approx(np.mean(decided))
    for name in ("predicted_cost", "decision_cost"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]


def test_with_equal_costs_both_ways_cost_the_errors_and_the_intervals_are_those_of_accuracy(split):
    rows = rows_of(split, EQUAL)
    for rung in ("true", "mended"):
        row, span = rows[rung], split.scores.score_interval(rung, split.labels)
        errors = 1_000 * (1 - split.scores.mean(rung, split.labels))
        assert row["predicted_cost"] == row["decision_cost"] == pytest.approx(errors)
        assert (row["decision_cost_low"], row["decision_cost_high"]) == pytest.approx(
            (1_000 * (1 - span.high), 1_000 * (1 - span.low))
        )


def test_decisions_by_true_probabilities_cost_less_than_predictions_and_than_decisions_by_wrong_ones(split):
    rows = rows_of(split)
    assert rows["true"]["decision_cost_high"] < rows["true"]["predicted_cost_low"]
    assert rows["true"]["decision_cost"] < rows["too_sure"]["decision_cost"]
    assert rows["too_sure"]["difference_low"] > 0
    costs = ExpectedCosts(split, COSTS)
    cheapest = costs.by_cost[0]
    assert {row["against"] for row in rows.values()} == {cheapest}
    assert [rows[cheapest][f"difference{end}"] for end in ("", "_low", "_high")] == [0, 0, 0]
    for rung, row in rows.items():
        assert row["difference"] == pytest.approx(row["decision_cost"] - rows[cheapest]["decision_cost"])
        assert row["difference_low"] <= row["difference"] <= row["difference_high"], rung


def test_differences_share_one_error_over_all_rungs(split):
    costs = ExpectedCosts(split, COSTS)
    best, labels = costs.by_cost[0], split.labels
    usual = costs.decided.gap_interval(best, "too_sure", labels)
    row = costs.row("too_sure")
    assert row["difference_low"] < 1_000 * usual.low
    shared = costs.decided.gap_interval(best, "too_sure", labels, 1 - 0.05 / 3)  # four rungs, three comparisons
    assert row["difference_low"] == pytest.approx(1_000 * shared.low)


def test_folds_are_taken_together():
    result = measured(in_folds(1_500), TRUE, MENDED)
    gold = np.asarray(result.task.gold(result.task.test))
    runs = [run for run in result.rung_results[1].runs if run.labels == result.labels]
    order = np.concatenate([run.items for run in runs])
    decided = np.concatenate([expit(run.predictions[:, 1]) > 1 / 20.5 for run in runs]).astype(int)
    row = rows_of(result)["true"]
    assert row["decision_cost"] == pytest.approx(cost_of(gold[order], decided))
    assert row["decision_cost_low"] < row["decision_cost"] < row["decision_cost_high"]


def test_groups_are_drawn_as_a_whole():
    made = task(1_200)
    groups = tuple(str(row // 12) for row in range(1_200))
    plain, grouped = (
        rows_of(measured(each, TRUE))["true"]
        for each in (made, replace(made, examples=replace(made.examples, groups=groups)))
    )
    assert grouped["decision_cost"] == plain["decision_cost"]
    assert grouped["decision_cost_low"] != plain["decision_cost_low"]


def ladder_of(made, *rungs, draws=200):
    run_context, chosen = RunContext(threads=1), WorthSettings(draws=draws)
    results, grid = open_rungs(rungs, made, run_context, ()), label_grid(made, chosen)
    fit_all(results, {result.rung.name: grid.runs(result.rung) for result in results}, made, grid, run_context)
    scores = measure(results, made, metric(made.metric, made.classes), Bootstrap(draws, 0))
    return StudyResult(made, grid, results, scores, 0.01)


@pytest.mark.parametrize(("costs", "answer"), [(COSTS, 1), (EQUAL, 0)])
def test_the_constant_rung_always_answers_the_class_that_costs_least_in_training(costs, answer):
    made = task(900)
    labels = np.where(np.arange(900) % 10 < 3, 1, 0)  # three in ten are of class 1
    result = ladder_of(replace(made, labels=labels), Majority.of("classification"), TRUE)
    gold = labels[result.task.test]
    found = ExpectedCosts(result, costs)
    assert found.constant_class() == f"class {answer}"
    assert found.row("majority")["decision_cost"] == pytest.approx(cost_of(gold, np.full(len(gold), answer), costs))


def test_of_three_classes_each_gets_the_least_expected_cost_and_there_is_no_threshold():
    costs = np.array([[0.0, 1.0, 9.0], [2.0, 0.0, 3.0], [4.0, 8.0, 0.0]])
    result = measured(task(900, classes=3), FakeRung("tfidf", "counts", constant(0.7)))
    runs = [run for run in result.rung_results[1].runs if run.labels == result.labels]
    gold = result.task.gold(result.task.test)
    decided = []
    for run in runs:
        probabilities = np.exp(run.predictions) / np.exp(run.predictions).sum(axis=1, keepdims=True)
        expected = np.einsum("nk,kj->nj", probabilities, costs)
        decided.append(cost_of(gold, expected.argmin(axis=1), costs))
    found = ExpectedCosts(result, costs)
    assert found.row("tfidf")["decision_cost"] == pytest.approx(np.mean(decided))
    assert found.threshold() == {}


def test_a_failed_run_counts_as_the_constant_rung():
    unlucky = Unlucky("unlucky", "static", constant(0.9), when=at_top(0))
    result = ladder_of(task(600), MAJORITY, unlucky)
    row = rows_of(result)["unlucky"]
    assert set(row) == set(EXPECTED_COSTS)
    assert all(np.isfinite(value) for name, value in row.items() if name not in ("rung", "against"))


def test_the_threshold_names_the_class_of_the_probabilities():
    result = measured(replace(task(400), metric="f1:class 1"), TRUE)
    assert ExpectedCosts(result, COSTS).threshold() == {"positive": "class 1", "threshold": pytest.approx(1 / 20.5)}


SHARE, ITEMS, STUDIES = 0.1, 300, 150
RARE = np.array([[0.0, 1.0], [20.0, 0.0]])


def simulated(seed, leads):
    """The costs of rungs whose probabilities are the true ones, on the texts of one draw; each lead is of one rung."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(2 * ITEMS) < SHARE).astype(np.int64)
    made = replace(task(2 * ITEMS), labels=labels, train=np.arange(ITEMS), test=np.arange(ITEMS, 2 * ITEMS))
    results = [RungResult(MAJORITY, runs=[run_of("majority", np.zeros(ITEMS))])]
    for name, lead in leads.items():
        seen = rng.normal(size=ITEMS) + lead * (2 * labels[made.test] - 1)
        results.append(RungResult(KnownRung(name, "counts", constant(0)), runs=[run_of(name, 2 * lead * seen)]))
    scores = measure(results, made, metric("accuracy", made.classes), Bootstrap(200, seed))
    return ExpectedCosts(StudyResult(made, LabelGrid((100,), ()), results, scores, 0.01), RARE)


def run_of(name, log_odds):
    """A run whose scores are the log-odds of two equally frequent classes; its calibration knows the true shares."""
    scores = np.stack([np.zeros(len(log_odds)), log_odds], axis=1)
    return Run(name, 100, 0, scores, {}, 0.0, calibration=Calibration(shift=(0.0, float(logit(SHARE)))))


def true_cost(lead):
    """The expected cost of a thousand texts decided for by true probabilities, by a million draws."""
    rng = np.random.default_rng(1)
    gold = (rng.random(1_000_000) < SHARE).astype(int)
    log_odds = 2 * lead * (rng.normal(size=len(gold)) + lead * (2 * gold - 1)) + logit(SHARE)
    decided = (log_odds > logit(1 / 21)).astype(int)
    return 1_000 * float(RARE[gold, decided].mean())


def test_intervals_hold_true_costs_and_differences_where_a_rare_error_costs_twenty_times_the_others():
    leads = {"better": 1.4, "worse": 0.9}
    truth = {name: true_cost(lead) for name, lead in leads.items()}
    held = {"cost": 0, "difference": 0, "without added items": 0}
    for seed in range(STUDIES):
        costs = simulated(seed, leads)
        row, labels = costs.row("better"), costs.study.labels
        held["cost"] += row["decision_cost_low"] <= truth["better"] <= row["decision_cost_high"]
        span = costs.decided.gap_interval("better", "worse", labels)
        held["difference"] += 1_000 * span.low <= truth["worse"] - truth["better"] <= 1_000 * span.high
        low, high = -1_000 * np.quantile(costs.decided.score_draws("better", labels), [0.975, 0.025])
        held["without added items"] += low <= truth["better"] <= high
    assert held["cost"] / STUDIES >= 0.92
    assert held["difference"] / STUDIES >= 0.92
    assert held["without added items"] / STUDIES < 0.9


def test_of_four_equal_rungs_none_is_surely_cheaper_than_the_others_in_more_than_five_studies_of_a_hundred():
    leads, wrong = dict.fromkeys(("a", "b", "c", "d"), 1.2), 0
    for seed in range(100):
        costs = simulated(seed, leads)
        wrong += costs.row(costs.by_cost[1])["difference_low"] > 0
    assert wrong <= 5


ANSWERS = {
    "a": np.array([[0.90, 0.05, 0.05], [0.05, 0.90, 0.05], [0.03, 0.07, 0.90]]),
    "b": np.array([[0.85, 0.05, 0.10], [0.05, 0.85, 0.10], [0.01, 0.04, 0.95]]),
}
"""How often each of two rungs answers a text of each class (row) as each class (column)."""


def answered(seed, costs, shares, items=200):
    """The scores by cost of both rungs on one draw of texts; nine in ten texts are as hard for the one as the other."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, items, p=shares)
    labels = np.concatenate([gold, gold])
    made = replace(task(2 * items, classes=3), labels=labels, train=np.arange(items), test=np.arange(items, 2 * items))
    shared, always_first = rng.random(items), np.eye(3)[np.zeros(items, dtype=int)]
    results = [RungResult(MAJORITY, runs=[Run("majority", 100, 0, always_first, {}, 0)])]
    for name, answers in ANSWERS.items():
        hardness = np.where(rng.random(items) < 0.9, shared, rng.random(items))
        predicted = (hardness[:, None] > np.cumsum(answers[gold], axis=1)[:, :2]).sum(axis=1)
        run = Run(name, 100, 0, np.eye(3)[predicted], {}, 0)
        results.append(RungResult(FakeRung(name, "counts", constant(0)), runs=[run]))
    return measure(results, made, cost_metric(costs), Bootstrap(200, seed))


def test_intervals_hold_where_the_dear_error_is_between_classes_that_are_no_neighbours():
    costs, shares = 1 - np.eye(3), np.array([0.6, 0.3, 0.1])
    costs[2, 0] = 20
    truth = {name: -(shares[:, None] * answers * costs).sum() for name, answers in ANSWERS.items()}
    held = {"cost": 0, "difference": 0}
    for seed in range(STUDIES):
        scores = answered(seed, costs, shares)
        held["cost"] += truth["a"] in scores.score_interval("a", 100)
        held["difference"] += truth["a"] - truth["b"] in scores.gap_interval("a", "b", 100)
    assert min(held.values()) / STUDIES >= 0.92
