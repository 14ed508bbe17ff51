"""A metric that a user names must exist and measure the user's kind of task; an error offers those that do."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.sklearn import TextClassifier, TextRegressor
from wordworth.tasks import task_types
from wordworth.tasks.check_metric import require_metric

OFFERED = {
    "classification": "available: 'accuracy', 'macro_f1', 'micro_f1', 'matthews', 'f1:<class>', 'precision@k'",
    "multilabel": "available: 'accuracy', 'macro_f1', 'micro_f1', 'f1:<class>', 'precision@k'",
    "tagging": (
        "available: 'accuracy', 'entity_f1', 'entity_precision', 'entity_recall', 'token_accuracy', 'f1:<class>'"
    ),
    "regression": "available: 'pearson', 'spearman', 'r2'",
    "multiple_choice": "available: 'accuracy'",
    "question_answering": "available: 'span_f1', 'exact_match', 'has_answer_f1', 'no_answer_f1'",
}


@pytest.mark.parametrize("kind", OFFERED)
def test_an_unknown_metric_gets_those_of_this_kind_of_task(kind):
    with pytest.raises(BadInput) as refused:
        require_metric("nope", task_types.get(kind), ())
    assert (refused.value.what, refused.value.mend) == ("no metric 'nope'", OFFERED[kind])


@pytest.mark.parametrize(
    ("name", "kind", "hint"),
    [
        ("acc", "classification", "did you mean 'accuracy'?"),
        ("mcc", "classification", OFFERED["classification"]),
        ("macro", "classification", "did you mean 'macro_f1'?"),
        ("precison@3", "multilabel", "did you mean 'precision@3'?"),
        ("recall@0", "multilabel", "write recall@1"),
        ("spear", "regression", "did you mean 'spearman'?"),
        ("acc", "regression", OFFERED["regression"]),
        ("acc", None, "did you mean 'accuracy'?"),
    ],
)
def test_the_start_of_a_name_is_enough_to_be_understood(name, kind, hint):
    with pytest.raises(BadInput) as refused:
        require_metric(name, kind and task_types.get(kind), ())
    assert refused.value.mend == hint


def test_a_metric_of_another_kind_of_task_is_refused_with_those_of_this_kind():
    with pytest.raises(BadInput, match="does not measure a task of kind regression; available: 'pearson'"):
        require_metric("accuracy", task_types.get("regression"), ())


def test_worth_and_the_estimators_say_so():
    rows = {"text": [f"{word} film {n}" for n in range(20) for word in ("good", "bad")], "label": ["p", "n"] * 20}
    with pytest.raises(BadInput, match="`metric`: no metric 'acc'; did you mean 'accuracy'"):
        ww.worth(rows, metric="acc")
    with pytest.raises(BadInput, match="no metric 'nope'; available: 'accuracy', 'macro_f1', 'micro_f1', 'matthews'"):
        TextClassifier(metric="nope").fit(rows["text"], rows["label"])
    with pytest.raises(BadInput, match=r"no metric 'nope'; available: 'pearson', 'spearman', 'r2'$"):
        TextRegressor(metric="nope").fit(rows["text"], np.arange(40))


def test_f1_alone_is_pointed_to_the_f1_of_a_class():
    with pytest.raises(BadInput, match="no metric 'f1'; name a class: f1:ham; or take macro_f1"):
        require_metric("f1", task_types.get("classification"), ("ham", "spam"))
    with pytest.raises(BadInput, match="name a class: f1:CLASS"):
        require_metric("f1", None)
