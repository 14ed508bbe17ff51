"""Scores and their intervals: from one bootstrap, paired, as wide as the runs and the items make them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.worth.made_up import (
    LABELS,
    judged,
    scores,
)

from wordworth.measures.bootstrap import Interval
from wordworth.measures.intervals_from_few_runs import RunVariance
from wordworth.measures.training_sample_variance import RowCounts
from wordworth.studies.worth.run_scores import CrossFittedScores, RunScores
from wordworth.studies.worth.scores import Bootstrap, Scores


def test_one_run_is_as_doubtful_as_the_luck_that_is_assumed_of_it():
    one = scores(runs=1, tfidf=(80, 0.5), tuned=(82, 0.5))
    assumed = scores(runs=1, assumed={"tuned": 0.02}, tfidf=(80, 0.5), tuned=(82, 0.5))
    assert judged(one).answer == "contextual is worth it"
    assert judged(assumed).answer == "cannot tell yet"
    span = assumed.gap_interval("tfidf", "tuned", LABELS)
    normal = 2 * 1.96 * np.hypot(0.02, np.hypot(0.005, 0.005) / 1.96)
    assert 1.2 * normal < span.high - span.low < 1.5 * normal  # a deviation from other data is itself uncertain


def test_runs_of_the_study_count_beside_what_other_data_sets_have_shown():
    """Five runs that do not differ: the variance is half of the prior's, which is worth as many degrees of freedom."""
    one, several = (scores(runs=runs, assumed={"tuned": 0.02}, tuned=(80, 0.1)) for runs in (1, 5))
    widths = [found.score_interval("tuned", LABELS) for found in (one, several)]
    assert (widths[1].high - widths[1].low) < (widths[0].high - widths[0].low) / np.sqrt(2 * 5)


def test_a_rung_is_level_with_itself_whatever_is_assumed_of_its_luck():
    found = scores(runs=1, assumed={"tuned": 0.01}, tfidf=(80, 1), tuned=(97, 1))
    assert found.gap_interval("tuned", "tuned", LABELS) == Interval(0.0, 0.0)


def test_no_interval_of_a_score_leaves_the_metrics_scale():
    found = replace(scores(runs=1, assumed={"tuned": 0.01}, tuned=(99.5, 1)), score_range=(0.0, 1.0))
    assert found.score_interval("tuned", LABELS).high == 1.0


def test_no_interval_of_a_difference_leaves_what_is_possible():
    found = replace(scores(runs=1, assumed={"tuned": 0.9}, tfidf=(50, 1), tuned=(60, 1)), score_range=(0.0, 1.0))
    assert found.gap_interval("tuned", "tfidf", LABELS) == Interval(-1.0, 1.0)


def test_draws_of_few_runs_are_as_wide_as_their_interval():
    rng = np.random.default_rng(0)
    point = np.array([0.70, 0.76])
    table = {("tuned", LABELS): RunScores(point, point[:, None] + rng.normal(0, 0.01, 4_000))}
    found = Scores(table, Bootstrap(4_000, 0))
    span = found.score_interval("tuned", LABELS)
    assert np.quantile(found.score_draws("tuned", LABELS), [0.025, 0.975]) == pytest.approx([span.low, span.high])
    assert span.high - span.low > 0.3  # two runs six points apart tell little


def test_draws_of_one_run_hold_the_luck_that_is_assumed_of_it():
    one, other = (scores(runs=1, assumed=assumed, tuned=(80, 0.2)) for assumed in ({}, {"tuned": 0.02}))
    assert one.score_draws("tuned", LABELS).std() < 0.002
    assert np.quantile(other.score_draws("tuned", LABELS) - 0.8, 0.975) == pytest.approx(2.78 * 0.02, rel=0.1)


def cross_fitted(label_sd, item_sd=0.01, seed=0, sizes=(100, 200, 400), rows=1_000):
    """Scores of two rungs whose five runs predict folds: their difference varies by labels and by items as told."""
    rng, draws, table = np.random.default_rng(seed), 2_000, {}
    top = rows * 4 // 5
    for labels in sizes:
        shared = 1 - labels / rows  # subsets of the same rows differ less than fresh ones
        for name in ("tfidf", "minilm"):
            point = 0.8 + label_sd / np.sqrt(2) * np.sqrt(shared * top / labels) * rng.standard_normal(5)
            table[name, labels] = RunScores(point, np.tile(point[:, None], draws))
    for name in ("tfidf", "minilm"):
        whole = RunScores(np.array([0.8]), 0.8 + item_sd / np.sqrt(2) * rng.standard_normal((1, draws)))
        table[name, top] = CrossFittedScores.of(whole, np.full(5, 0.8))
    return Scores(table, Bootstrap(draws, 0), row_counts=RowCounts(rows, rows)), top


def test_the_interval_of_folds_holds_for_other_labels_too():
    widths = {}
    for label_sd in (0.0, 0.008):
        studies = [cross_fitted(label_sd, seed=seed) for seed in range(20)]
        spans = [scores.gap_interval("minilm", "tfidf", top) for scores, top in studies]
        widths[label_sd] = float(np.mean([span.high - span.low for span in spans]))
    assert widths[0.0] == pytest.approx(2 * 1.96 * 0.01, rel=0.15)  # runs on fewer labels do not differ
    assert 1.0 < widths[0.008] / (2 * 1.96 * np.hypot(0.01, 0.008)) < 1.3  # estimated from few runs


def test_the_difference_on_folds_is_less_sure_than_its_items_alone_make_it():
    scores, top = cross_fitted(0.02)
    variance = scores.gap_variance("minilm", "tfidf", top)
    assert variance.items == pytest.approx(1e-4, rel=0.1)
    assert variance.runs == 0
    assert variance.label_draws > variance.items
    assert variance.error(np.array([4.0]))[0] == pytest.approx(variance.error(np.array([1.0]))[0] / 2)


def test_scores_of_fewer_items_take_the_effect_of_the_labels_from_all_scores():
    scores, top = cross_fitted(0.02)
    alone = replace(scores, table={key: value for key, value in scores.table.items() if key[1] == top})
    known = replace(alone, runs_from=scores)
    assert known.gap_interval("minilm", "tfidf", top) == scores.gap_interval("minilm", "tfidf", top)
    assert known.gap_interval("minilm", "tfidf", top) != alone.gap_interval("minilm", "tfidf", top)


def test_a_gap_is_the_difference_of_the_two_scores_whatever_their_runs():
    rng = np.random.default_rng(0)
    whole, part = (RunScores(np.array([score]), score + 0.01 * rng.standard_normal((1, 400))) for score in (0.8, 0.85))
    tfidf, tuned = CrossFittedScores.of(whole, np.full(5, 0.8)), CrossFittedScores.of(part, np.array([0.75]))
    in_folds = Scores({("tfidf", 80): tfidf, ("tuned", 80): tuned}, Bootstrap(400, 0), row_counts=RowCounts(100, 100))
    five = RunScores(np.array([0.7, 0.8, 0.9, 0.8, 0.8]), 0.8 + 0.01 * rng.standard_normal((5, 400)))
    tested = Scores({("tfidf", 80): five, ("tuned", 80): part}, Bootstrap(400, 0))
    for found in (in_folds, tested):
        assert found.gap("tuned", "tfidf", 80) == pytest.approx(0.05)
        assert found.mean("tuned", 80) - found.mean("tfidf", 80) == pytest.approx(0.05)
        assert found.seeds_of("tuned", 80) == 1
    larger = replace(tested, table=tested.table | {("tfidf", 160): five})
    assert larger.gap("tuned", "tfidf", 80) == pytest.approx(0.15)  # of one subset of the labels, not of five


def test_the_luck_of_runs_averages_out_over_folds():
    assumed, spans = {"tuned": RunVariance(0.02**2, 4.0)}, {}
    for runs in (1, 4):
        score = CrossFittedScores.of(RunScores(np.array([0.8]), np.full((1, 400), 0.8)), np.full(runs, 0.8))
        table = {("tuned", 80): score}
        spans[runs] = Scores(table, Bootstrap(400, 0), assumed, row_counts=RowCounts(100, 100)).score_interval(
            "tuned", 80
        )
    assert spans[1].high - spans[1].low == pytest.approx(2 * (spans[4].high - spans[4].low))
