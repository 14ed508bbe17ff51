"""From a file to a task: which columns, which kind, which split, which metric."""

import os
from pathlib import Path

import numpy as np
import pytest
from tests.tasks.reading.rows import reviews, task_of, warnings, write

from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task

DATA = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[3] / "shared" / "data"))


def test_a_file_becomes_a_task_with_everything_a_study_needs(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(), text="text", label="label")
    assert (task.kind, task.classes, task.metric) == ("classification", ("bad", "good"), "accuracy")
    assert (len(task.train), len(task.test)) == (36, 24)
    assert not set(task.train) & set(task.test)
    assert task.origins[0].rows == 60
    assert len(task.origins[0].sha256) == 64
    assert [task.classes[label] for label in task.labels[:4]] == ["bad", "good", "bad", "good"]
    assert task.examples.first[3] == "review 3 of thing 23757"
    assert task.numbers.tolist() == list(range(60))
    assert warnings(task) == set()


def test_where_accuracy_is_taken_it_is_said_what_a_constant_answer_would_score(tmp_path: Path) -> None:
    rows = [dict(row, label="yes" if n % 3 else "no") for n, row in enumerate(reviews())]
    said = next(finding for finding in task_of(tmp_path, rows).warnings if finding.name == "method.metric")
    assert said.text.endswith(
        "under the 75 % from which macro F1 is used; always predicting that class would score about 67."
    )


def test_where_the_best_labels_are_counted_it_is_said_what_no_predictions_can_exceed(tmp_path: Path) -> None:
    rows = [dict(row, label=("a|b", "b|c", "a|c", "c|a")[n % 4]) for n, row in enumerate(reviews())]
    said = next(
        finding for finding in task_of(tmp_path, rows, metric="precision@3").warnings if finding.name == "method.metric"
    )
    assert said.numbers == {"metric": "precision@3", "ceiling": pytest.approx(2 / 3), "labels": 2.0}
    assert said.text.endswith("With 2.0 labels a test text, no predictions can score above 66.7 points.")
    with pytest.raises(BadInput, match="1 to 3"):
        task_of(tmp_path, rows, metric="precision@4")


@pytest.mark.parametrize("kind", ["multiple_choice", "question_answering"])
def test_kinds_that_the_ladder_has_no_rungs_for_are_refused_with_the_command_that_learns_them(
    tmp_path: Path, kind: str
) -> None:
    with pytest.raises(
        BadInput, match=f"can learn a task of kind {kind}; fine-tune .*finetune --data FILE --kind {kind}"
    ):
        task_of(tmp_path, reviews(), kind=kind)


def test_the_kind_can_be_named(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(labels=(1, 2, 10)), kind="regression")
    assert task.labels.dtype == np.float64
    assert (task.kind, task.metric, task.classes) == ("regression", "spearman", ())
    assert task_of(tmp_path, reviews(labels=(1, 2, 10))).classes == ("1", "2", "10")


def test_two_texts_make_pairs_of_classes_or_of_amounts(tmp_path: Path) -> None:
    rows = [
        {"premise": f"a {n}", "hypothesis": f"b {n}", "label": ("yes", "no")[n % 2], "score": n / 9} for n in range(60)
    ]
    task = task_of(tmp_path, rows)
    assert (task.kind, task.examples.second[1]) == ("pair_classification", "b 1")
    assert task_of(tmp_path, rows, label="score").kind == "regression"


def test_uneven_classes_are_measured_by_macro_f1(tmp_path: Path) -> None:
    assert task_of(tmp_path, reviews(labels=("a", "a", "a", "a", "b"))).metric == "macro_f1"
    assert task_of(tmp_path, reviews(labels=("a", "a", "b"))).metric == "accuracy"


def test_a_metric_of_one_class_can_be_named(tmp_path: Path) -> None:
    assert task_of(tmp_path, reviews(), metric="f1:good").metric == "f1:good"


def test_a_limit_draws_rows_by_class_and_says_so(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(400, ("a", "a", "a", "b")), limit=100)
    assert len(task.examples) == len(task.train) + len(task.test) == 100
    assert np.bincount(task.labels).tolist() == [75, 25]
    assert task.examples.first[0] == f"review {task.numbers[0]} of thing {task.numbers[0] * 7919}"
    assert "warning.limit" in warnings(task)


def april(tmp_path: Path, count: int) -> str:
    rows = [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(count)]
    return str(write(tmp_path / "april.jsonl", rows))


def test_a_limit_is_of_the_labels_and_a_test_file_is_read_whole(tmp_path: Path) -> None:
    task = task_of(tmp_path, reviews(400), test=april(tmp_path, 300), limit=100)
    assert (len(task.train), len(task.test)) == (100, 300)
    assert "warning.test_rows" not in warnings(task)
    limit = next(finding for finding in task.warnings if finding.name == "warning.limit")
    assert limit.text == "100 of 400 rows to learn from were used, drawn by class at random."
    assert limit.numbers["learned"] == 100


def test_a_test_file_without_end_is_thinned_and_its_price_is_said(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("wordworth.tasks.reading.split.MOST_TESTED", 100)
    task = task_of(tmp_path, reviews(400), test=april(tmp_path, 400))
    assert (len(task.train), len(task.test)) == (400, 100)
    finding = next(finding for finding in task.warnings if finding.name == "warning.test_rows")
    assert finding.numbers == {"used": 100, "file_rows": 400, "wider": 2.0}
    assert "2.0 times as wide" in finding.text
    assert "warning.limit" not in warnings(task)  # all rows to learn from were used


SETS = {
    "trec": ("trec/train.csv.xz", "trec/test.csv", "classification", 6, 5452, 500, "accuracy"),
    "mr": ("mr/all.csv.xz", None, "classification", 2, 7996, 2666, "accuracy"),
    "stsb": ("stsb/train.csv.xz", "stsb/test.csv", "regression", 0, 5749, 1379, "spearman"),
    "mrpc": ("mrpc/train.csv.xz", "mrpc/test.csv.xz", "pair_classification", 2, 4076, 1725, "accuracy"),
    "goemotions": ("goemotions/train.csv.xz", "goemotions/test.csv.xz", "multilabel", 28, 43410, 5427, "micro_f1"),
    "conll2003": ("conll2003/eng.train.xz", "conll2003/eng.testa.xz", "tagging", 9, 14041, 3250, "entity_f1"),
    "sms_spam": ("sms_spam/all.csv.xz", None, "classification", 2, 4192, 1382, "macro_f1"),
    "hate_offensive": ("hate_offensive/all.csv.xz", None, "classification", 3, 18587, 6196, "macro_f1"),
    "ag_news": ("ag_news/train_sample.csv.xz", "ag_news/test.csv.xz", "classification", 4, 10001, 7600, "accuracy"),
}
LARGE = {"goemotions", "conll2003", "hate_offensive", "ag_news"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in SETS]
)
def test_real_sets_are_read_as_what_they_are(name: str) -> None:
    train, test, *wanted = SETS[name]
    if not (DATA / train).exists():
        pytest.skip(f"{DATA / train} is not here: set WORDWORTH_DATA to the folder of the data sets")
    task = read_task(DATA / train, ReadSettings(test=str(DATA / test) if test else None))
    assert [task.kind, len(task.classes), len(task.train), len(task.test), task.metric] == wanted
