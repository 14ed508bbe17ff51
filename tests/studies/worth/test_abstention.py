"""A rung that may abstain scores more on what it keeps, as its true probabilities say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score
from tests.studies.fake_ladder import FakeRung, constant, task
from tests.studies.worth.made_up import study as made_study
from tests.studies.worth.test_probability_scores import MENDED, TRUE, measured
from tests.studies.worth.test_score_predictions import in_folds

from wordworth.studies.worth.abstention import ABSTENTION, SHARES, abstention_table, surest
from wordworth.studies.worth.study_result import StudyResult


def rows_of(result, rung="true"):
    return {row["share"]: row for row in abstention_table(result).rows() if row["rung"] == rung}


@pytest.mark.parametrize(("metric", "peer"), [("accuracy", accuracy_score), ("f1:class 1", f1_score)])
def test_the_score_is_that_of_scikit_learn_on_the_surest_texts_of_each_run(metric, peer):
    result = measured(replace(task(1_200), metric=metric), TRUE)
    gold = np.asarray(result.task.gold(result.task.test))
    runs = [run for run in result.rung_results[1].runs if run.labels == result.labels]
    scores = []
    for run in runs:
        kept = np.argsort(-np.abs(run.predictions[:, 1]))[: len(gold) * 8 // 10]
        scores.append(peer(gold[kept], run.predictions[kept].argmax(1)))
    assert rows_of(result)[0.8]["score"] == pytest.approx(np.mean(scores))


def test_the_score_on_all_texts_is_that_of_the_ladder_and_rises_as_fewer_are_kept():
    result = measured(task(3_000), TRUE)
    rows = rows_of(result)
    assert tuple(rows) == SHARES
    assert rows[1.0]["score"] == pytest.approx(result.scores.mean("true", result.labels))
    scores = [rows[share]["score"] for share in SHARES]
    assert scores == sorted(scores)
    assert rows[0.5]["low"] > rows[1.0]["high"]
    assert all(row["low"] < row["score"] < row["high"] <= 1 for row in rows.values())


def test_that_every_sure_answer_is_right_on_a_few_texts_does_not_make_the_next_one_certain():
    rows = rows_of(measured(task(200), FakeRung("faultless", "counts", constant(1.0))), "faultless")
    for share, row in rows.items():
        errors_at_most = 1 - row["low"]
        assert row["score"] == row["high"] == 1
        assert 1 / (100 * share) < errors_at_most < 6 / (100 * share)  # three in n is the rule of thumb for none seen


def test_on_all_texts_of_a_test_part_the_interval_is_that_of_the_ladder():
    result = measured(task(400), TRUE)
    row, span = rows_of(result)[1.0], result.scores.score_interval("true", result.labels)
    assert (row["low"], row["high"]) == (span.low, span.high)


def test_folds_are_pooled_before_the_surest_texts_are_taken():
    result = measured(in_folds(1_500), TRUE)
    runs = [run for run in result.rung_results[1].runs if run.labels == result.labels]
    gold, scores = (
        np.concatenate(parts)
        for parts in zip(
            *((result.task.gold(result.task.test[run.items]), run.predictions[:, 1]) for run in runs), strict=True
        )
    )
    kept = np.argsort(-np.abs(scores))[:750]
    assert rows_of(result)[0.5]["score"] == pytest.approx(((scores[kept] > 0) == gold[kept]).mean())


def test_a_temperature_does_not_change_which_texts_are_surest_between_two_classes():
    plain, mended = (rows_of(measured(task(400), replace(rung, name="true"))) for rung in (MENDED, TRUE))
    assert {share: row["score"] for share, row in plain.items()} == {s: row["score"] for s, row in mended.items()}


@given(st.integers(1, 200), st.sampled_from(SHARES), st.integers(0, 1_000))
def test_the_surest_items_are_as_many_as_asked_for_and_none_is_less_sure_than_one_left_out(items, share, seed):
    confidence = np.round(np.random.default_rng(seed).random(items), 1)
    kept = surest(confidence, share)
    assert len(kept) == int(np.ceil(round(share * items, 9)))
    assert (np.diff(kept) > 0).all()
    left_out = np.delete(confidence, kept)
    assert not len(left_out) or confidence[kept].min() >= left_out.max()


def test_a_constant_rung_and_other_kinds_of_task_have_no_rows():
    record = made_study(FakeRung("tfidf", "counts", constant(0.75)))
    assert set(record.tables["abstention"].columns["rung"]) == {"tfidf"}
    made = task(200)
    values = replace(made, kind="regression", labels=made.labels.astype(float), classes=(), metric="r2")
    empty = abstention_table(StudyResult(values, None, [], None, 0.01))
    assert (empty.rows(), list(empty.columns)) == ([], list(ABSTENTION))
