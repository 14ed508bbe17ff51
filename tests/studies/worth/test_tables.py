from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant, task
from tests.studies.worth.made_up import (
    CHOSEN,
    TFIDF,
    Unlucky,
    at_top,
    study,
)

from wordworth.reports import render
from wordworth.studies.worth.tables import classes_table
from wordworth.testing.sample_tasks import sample_task


def test_beside_a_metric_of_the_k_best_labels_stand_all_of_fewer_with_the_best_that_any_predictions_could_have():
    record = study(TFIDF, about=replace(task(600, classes=4), metric="recall@2"))
    rows = record.tables["metrics"].rows()
    ceilings = {row["metric"]: row["ceiling"] for row in rows}
    one_label = {"precision": lambda k: 1 / k, "recall": lambda _: 1.0, "f1": lambda k: 2 / (1 + k)}
    counted = {f"{name}@{k}": rule(k) for k in (1, 2) for name, rule in one_label.items()}
    assert {name: ceilings[name] for name in counted} == pytest.approx(counted)
    assert next(iter(ceilings)) == "recall@2"
    assert ceilings["accuracy"] is None
    assert all(row["score"] <= ceilings[row["metric"]] for row in rows if row["metric"] in counted)
    assert "at most" in render(record)
    assert "at most<" not in render(study(TFIDF))


def test_the_examples_are_those_of_the_two_rungs_that_the_verdict_compares():
    better = FakeRung("glove", "static", constant(0.8))
    minilm, chosen = FakeRung("minilm", "frozen", constant(0.85)), replace(CHOSEN, margin=30)
    record = study(replace(TFIDF, accuracy=constant(0.75)), better, minilm, chosen=chosen)
    verdict, example = record.finding("verdict").numbers, next(iter(record.tables["examples"].rows()))
    assert (verdict["compared"], verdict["against"]) == ("tfidf", "minilm")
    assert (example["cheap_rung"], example["contextual_rung"]) == ("tfidf", "minilm")


def test_where_no_two_rungs_have_examples_on_both_sides_those_with_the_most_stand():
    perfect, minilm = FakeRung("glove", "static", constant(0.9)), FakeRung("minilm", "frozen", constant(1.0))
    record = study(replace(TFIDF, accuracy=constant(0.0)), perfect, minilm, chosen=replace(CHOSEN, margin=1))
    rows = list(record.tables["examples"].rows())
    assert {row["which"] for row in rows} == {"contextual"}  # no pair has the other side: that with most examples
    assert {row["contextual_rung"] for row in rows} == {"minilm"}


def rows_of(record, name, **having):
    return [row for row in record.tables[name].rows() if having.items() <= row.items()]


def test_gaps_are_the_differences_of_scores_and_against_contextual_rungs_alone():
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)), FakeRung("tuned", "finetuned", constant(0.9)))
    curve = {(row["rung"], row["labels"]): row["score"] for row in rows_of(record, "curve", extrapolated=False)}
    gaps = record.tables["gaps"].rows()
    assert {row["against"] for row in gaps} == {"minilm", "tuned"}
    assert not [row for row in gaps if row["rung"] == row["against"]]
    same_runs = [row for row in gaps if "tuned" not in (row["rung"], row["against"])]
    assert same_runs
    for row in same_runs:
        rung, against = (curve[row[side], row["labels"]] for side in ("rung", "against"))
        assert row["gap"] == pytest.approx(rung - against)
        assert row["low"] <= row["gap"] <= row["high"]


def test_each_run_has_a_row_with_its_score_and_the_score_of_a_rung_is_the_mean_of_its_runs():
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.85)))
    for row in rows_of(record, "curve", extrapolated=False):
        runs = rows_of(record, "runs", rung=row["rung"], labels=row["labels"])
        assert len(runs) == row["seeds"]
        assert np.mean([run["score"] for run in runs]) == pytest.approx(row["score"])
        assert {run["state"] for run in runs} == {"ok"}
    assert json.loads(rows_of(record, "runs", rung="tfidf")[0]["chosen"]) == {"c": 1.0}


def test_a_run_that_failed_has_its_error_and_the_score_of_the_constant_rung():
    record = study(TFIDF, Unlucky("unlucky", "frozen", constant(0.9), when=at_top(1)))
    top = record.tables["ladder"].rows()[0]["labels"]
    failed = rows_of(record, "runs", rung="unlucky", labels=top, seed=1)[0]
    floor = rows_of(record, "runs", rung="majority", labels=top, seed=1)[0]
    assert failed["state"] == "it did not converge"
    assert failed["score"] == floor["score"]


def test_the_ladder_tells_each_rungs_score_its_gap_to_the_best_and_its_size():
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.95)), Unlucky("unlucky", "frozen", constant(0.9)))
    ladder = {row["rung"]: row for row in record.tables["ladder"].rows()}
    assert list(ladder) == ["majority", "tfidf", "minilm", "unlucky"]
    assert ladder["minilm"]["gap"] == 0
    assert ladder["tfidf"]["gap"] == pytest.approx(ladder["tfidf"]["score"] - ladder["minilm"]["score"])
    assert (ladder["tfidf"]["disk_bytes"], ladder["tfidf"]["parameters"], ladder["tfidf"]["width"]) == (1_000, 10, 2)
    assert [ladder[name]["within"] for name in ("majority", "tfidf", "minilm")] == [False, False, True]
    assert (ladder["unlucky"]["state"], ladder["unlucky"]["score"]) == ("failed", None)


@pytest.mark.parametrize("kind", ["classification", "multilabel", "tagging"])
def test_classes_are_counted_in_the_training_and_in_the_test_part(kind):
    made = sample_task(kind)
    for index, row in enumerate(classes_table(made).rows()):
        has = [np.any(label[index] if kind == "multilabel" else label == index) for label in made.labels]
        assert row == {
            "name": made.classes[index],
            "train": sum(has[item] for item in made.train),
            "test": sum(has[item] for item in made.test),
        }


def test_at_most_six_examples_of_each_side_are_shown_with_at_most_600_characters_of_their_text():
    made = task(600)
    long = replace(made, examples=replace(made.examples, first=tuple("word " * 400 for _ in made.examples.first)))
    record = study(TFIDF, FakeRung("minilm", "frozen", constant(0.8)), about=long)
    rows = record.tables["examples"].rows()
    counts = Counter(row["which"] for row in rows)
    assert set(counts) == {"cheap", "contextual"}
    assert max(counts.values()) <= 6
    assert all(len(row["text"]) <= 600 for row in rows)


def test_of_the_two_answers_that_an_example_shows_only_the_one_named_as_right_is_right():
    rows = study(TFIDF, FakeRung("minilm", "frozen", constant(0.8))).tables["examples"].rows()
    assert {row["which"] for row in rows} == {"cheap", "contextual"}
    for row in rows:
        other = "cheap" if row["which"] == "contextual" else "contextual"
        assert row[row["which"]] == row["gold"] != row[other]
