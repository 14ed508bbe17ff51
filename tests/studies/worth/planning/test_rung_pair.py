"""The difference that N test labels show: against the formula, and in simulated studies where the truth is known."""

import math

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import TFIDF

from wordworth.measures.metrics import metric
from wordworth.studies.worth.gap_variance import GapVariance
from wordworth.studies.worth.planning.rung_pair import SIZES, Pair
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.tasks.examples import Examples
from wordworth.tasks.task import Task

MINILM = FakeRung("minilm", "frozen", constant(0.8))
STUDIES, UNLABELLED = 400, 1_000
ITEMS_ALONE = GapVariance(9.0, 0.0, 0.0, 0.0, 1.0)
"""A variance whose part by the items is to be replaced."""


def on(share, texts=UNLABELLED):
    """Whether two rungs disagree on each text, where they do on this share."""
    return np.arange(texts) < round(share * texts)


def answers(items, disagreement, difference, rng):
    """Whether the cheap and the contextual rung are right on each item, where they truly differ by so much."""
    kind = rng.choice(
        3, size=items, p=[(disagreement + difference) / 2, (disagreement - difference) / 2, 1 - disagreement]
    )
    together = rng.random(items) < 0.7
    return np.where(kind == 2, together, kind == 1), np.where(kind == 2, together, kind == 0)


def scores(cheap, contextual):
    """The scores of two rungs that are right on these test items, of a task with two classes."""
    items, rows = len(cheap), np.arange(len(cheap))
    gold = rows % 2
    task = Task("made up", "classification", Examples(("",) * items), gold, ("a", "b"), rows[:0], rows, "accuracy")
    results = [
        RungResult(rung, runs=[Run(rung.name, 10, 0, np.eye(2)[np.where(right, gold, 1 - gold)], {}, 0.0)])
        for rung, right in ((TFIDF, cheap), (MINILM, contextual))
    ]
    return measure(results, task, metric("accuracy", task.classes), Bootstrap(300, 0))


@pytest.mark.slow
@pytest.mark.parametrize(("labels", "disagreement"), [(200, 0.3), (800, 0.1)])
def test_the_planned_difference_is_shown_in_four_of_five_studies(labels, disagreement):
    rng = np.random.default_rng(labels)
    so_far = scores(*answers(100, disagreement, 0.0, rng))
    seen = answers(UNLABELLED, disagreement, 0.0, rng)
    planned = Pair.of(("tfidf", "minilm"), seen[0] != seen[1], so_far.gap_variance("minilm", "tfidf", 10), 100)
    true = float(planned.difference([labels])[0])
    definite = [
        scores(*answers(labels, disagreement, true, rng)).gap_interval("minilm", "tfidf", 10).low > 0
        for _ in range(STUDIES)
    ]
    assert 0.75 < np.mean(definite) < 0.86


def test_of_two_rungs_that_are_level_few_studies_tell():
    rng = np.random.default_rng(0)
    lows = [scores(*answers(200, 0.3, 0.0, rng)).gap_interval("minilm", "tfidf", 10).low for _ in range(STUDIES)]
    assert np.mean(np.array(lows) > 0) < 0.05


def test_with_the_items_alone_the_difference_is_that_of_the_normal_formula():
    pair = Pair.of(("tfidf", "minilm"), on(0.2), ITEMS_ALONE, 50)
    np.testing.assert_allclose(pair.difference(SIZES[3:]), 2.8016 * np.sqrt(0.2 / np.array(SIZES[3:])), rtol=1e-4)
    np.testing.assert_allclose(pair.half_width([400]), 1.95996 * np.sqrt(0.2 / 400), rtol=1e-4)


def test_what_other_labels_would_change_makes_the_difference_larger():
    of_labels = GapVariance(9.0, 0.0, 0.0, 0.0, 4.0, label_draws=0.2 / 50)
    plain, wider = (Pair.of(("tfidf", "minilm"), on(0.2), variance, 50) for variance in (ITEMS_ALONE, of_labels))
    assert (wider.difference([400, 1_600]) > 1.3 * plain.difference([400, 1_600])).all()


def test_rungs_cannot_lead_by_more_than_they_disagree():
    pair = Pair.of(("tfidf", "minilm"), on(0.05), ITEMS_ALONE, 50)
    assert pair.difference([50]).tolist() == [math.inf]  # by the formula 8.9 points
    assert math.isfinite(pair.difference([400])[0])
    assert pair.labels_for(0.066) == math.inf  # of 1,000 texts, 50 may be 6.5 %


def test_100_texts_without_a_disagreement_leave_room_for_a_lead_and_1_000_for_less():
    few, many = (Pair.of(("tfidf", "minilm"), on(0, texts), ITEMS_ALONE, 50) for texts in (100, 1_000))
    assert few.disagreement_interval.high == pytest.approx(1 - 0.025**0.01)
    assert few.labels_for(0.01) == pytest.approx(7.849 * few.disagreement_interval.high / 0.01**2, rel=0.01)
    assert few.labels_for(0.04) == many.labels_for(0.01) == math.inf


@pytest.mark.parametrize("texts", [100, 300])
def test_a_lead_beyond_the_upper_end_is_rare(texts):
    rng, lead = np.random.default_rng(texts), 0.02
    pairs = (Pair.of(("", ""), rng.random(texts) < lead, ITEMS_ALONE, 50) for _ in range(STUDIES))
    highs = [pair.disagreement_interval.high for pair in pairs]
    assert np.mean(np.array(highs) < lead) < 0.05


def test_the_labels_for_a_difference_show_it_and_few_less_do_not():
    pair = Pair.of(("tfidf", "minilm"), on(0.2), ITEMS_ALONE, 50)
    needed = pair.labels_for(0.03)
    assert pair.difference([needed])[0] <= 0.03 < pair.difference([0.99 * needed])[0]
    assert needed == pytest.approx(7.849 * 0.2 / 0.03**2, rel=0.01)


def test_a_difference_that_luck_between_runs_hides_is_never_shown():
    unsteady = GapVariance(9.0, 0.0, 0.02**2, 0.0, 4.0)
    assert Pair.of(("tfidf", "minilm"), on(0.2), unsteady, 50).labels_for(0.01) == math.inf
