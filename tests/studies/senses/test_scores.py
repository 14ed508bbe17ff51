"""Scores beside frequency and chance."""

import pytest
from tests.studies.senses.made_up import MadeUp, made_up

from wordworth.progress import SILENT
from wordworth.studies.senses import scores
from wordworth.studies.senses.nearest_centroid import classify, fit_centroids
from wordworth.studies.word_explorer_tables import EMPTY


def told(of, model=MadeUp()):  # noqa: B008 - frozen
    return classify(model, of, fit_centroids(model, of, EMPTY, 10, SILENT), SILENT)


def test_scores_stand_beside_frequency_and_chance_with_intervals():
    of = made_up(300)
    hits = scores.hits(of, told(of), seed=0)
    rows = list(scores.rows("m", of, hits, 200, 0))
    some = {(row["system"], row["layer"]): row for row in rows if row["of"] == scores.AMBIGUOUS}
    best = some[scores.NEAREST, 1]
    assert best["low"] <= best["score"] <= best["high"]
    assert best["gap"] == pytest.approx(best["score"] - some[scores.FREQUENT, None]["score"])
    assert best["gap_low"] > 0
    assert some[scores.FREQUENT, None]["gap"] == 0
    assert some[scores.CHANCE, None]["score"] < some[scores.FREQUENT, None]["score"]
    assert (scores.FIRST, None) not in some  # these senses have no order


def test_f1_over_all_words_counts_those_without_an_answer():
    of = made_up(300)
    hits = scores.hits(of, told(of), seed=0)
    row = next(r for r in scores.rows("m", of, hits, 100, 0) if r["of"] == scores.ALL and r["layer"] == 1)
    right, answered = hits.right[:, 1].sum(), hits.answered.sum()
    precision, recall = right / answered, right / len(hits.answered)
    assert row["score"] == pytest.approx(2 * precision * recall / (precision + recall))
