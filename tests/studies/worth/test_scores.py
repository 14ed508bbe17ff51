"""Scores and their intervals: from one bootstrap, paired, as wide as the runs and the items make them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import (
    LABELS,
    judged,
    rung_results,
    scores,
)

from wordworth.measures.bootstrap import Interval
from wordworth.measures.metrics import metric
from wordworth.studies.worth.scores import Bootstrap, RunScores, Scores, measure


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
    found = replace(scores(runs=1, assumed={"tuned": 0.01}, tuned=(99.5, 1)), ends=(0.0, 1.0))
    assert found.score_interval("tuned", LABELS).high == 1.0


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


def test_two_systems_that_answer_every_test_text_alike_are_as_close_as_the_test_part_can_show():
    """The same predictions under two names: 400 texts bound their difference by about 3.4 of them (1.96 sqrt(3))."""
    entries, _, layout = rung_results(
        MAJORITY, FakeRung("one", "counts", constant(0.8)), FakeRung("two", "frozen", constant(0.8))
    )
    copied = [run.predictions for run in entries[1].runs]
    entries[2].runs = [
        type(run)("two", run.labels, run.seed, copied[i], {}, 0.0) for i, run in enumerate(entries[2].runs)
    ]
    scores = measure(entries, task(), metric("accuracy", ("class 0", "class 1")), Bootstrap(400, 0))
    doubt = scores.gap_interval("one", "two", layout.top)
    items = len(task().test)
    assert -5 / items < doubt.low <= -2.5 / items < 2.5 / items <= doubt.high < 5 / items
    assert doubt == scores.gap_interval("two", "one", layout.top).negated()


def test_test_texts_that_hang_together_are_drawn_together():
    """Half of the test texts said twice bear no more evidence than once: the interval stays as wide."""
    made = task(400)
    half = made.test[: len(made.test) // 2]
    once, twice = replace(made, test=half), replace(made, test=np.concatenate([half, half]))
    entries, _, layout = rung_results(MAJORITY, FakeRung("tfidf", "counts", constant(0.8)), rows=400)
    spans = []
    for one in (once, twice):
        said = [np.asarray(run.predictions)[: len(half)] for run in entries[1].runs]
        entries[1].runs = [
            replace(run, predictions=np.concatenate([part] * (len(one.test) // len(half))))
            for run, part in zip(entries[1].runs, said, strict=True)
        ]
        found = measure(entries[1:], one, metric("accuracy", one.classes), Bootstrap(400, 0))
        spans.append(found.score_interval("tfidf", layout.top))
    assert spans[0] == spans[1]
