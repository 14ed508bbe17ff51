"""What holds for every kind of task unless it says otherwise."""

import numpy as np
import pytest
from tests.tasks.reading.rows import reviews, task_of

from wordworth.measures.metrics import Metric, metric
from wordworth.tasks.examples import Examples
from wordworth.tasks.task_types import ABOUT_TEXTS, ABOUT_WORDS, IN_LADDER, can_measure, get
from wordworth.tasks.task_types.base import TaskType
from wordworth.tasks.task_types.classification import Classification


class Plain(TaskType):
    """A kind that says nothing of its own."""

    name = "plain"
    exclusive = True


class Graded(TaskType):
    """A kind that derives from no other, and whose labels are classes."""

    name, label_form = "graded", "class"


class Ranked(Classification):
    """A kind that derives from another."""

    name, former_name = "ranked", ""


@pytest.mark.parametrize(
    ("name", "today"),
    [("single", "classification"), ("pair", "pair_classification"), ("choice", "multiple_choice"), ("tags", "tagging")],
)
def test_a_kind_is_known_by_its_name_and_its_former_name(name, today):
    assert get(name) is get(today)
    assert get(name).name == today
    assert get(name).legacy_name == name


def test_what_learns_a_kind_learns_those_that_derive_from_it():
    assert Ranked().learned_as == ("ranked", "classification")
    assert Plain().learned_as == ("plain",)


def test_a_kind_from_outside_is_measured_by_the_form_of_its_labels_and_by_metrics_that_name_it():
    own = Metric("own", "own", frozenset({"plain"}), rule=metric("accuracy", ()).rule)
    assert [name for name in ("accuracy", "matthews", "r2", "span_f1") if can_measure(metric(name, ()), Graded())] == [
        "accuracy",
        "matthews",
    ]
    assert can_measure(own, Plain())
    assert not can_measure(own, Graded())
    assert not can_measure(metric("accuracy", ()), Plain())


def test_the_kinds_of_the_ladder_are_those_of_whole_texts_and_those_of_words():
    assert ABOUT_TEXTS | ABOUT_WORDS == IN_LADDER
    assert {"classification", "multilabel"} <= ABOUT_TEXTS
    assert "tagging" in ABOUT_WORDS
    assert "question_answering" not in IN_LADDER


def test_a_label_is_the_name_of_its_class_and_the_best_score_decides():
    kind, classes = Plain(), ("no", "yes")
    assert kind.decide(np.array([0.2, 0.7])) == 1
    assert kind.plain_value(1, classes) == kind.label_text(1, classes) == "yes"
    assert kind.answer(np.array([0.2, 0.7]), classes) == {kind.answer_key: "yes"}


def test_texts_alike_are_resampled_together_and_every_label_can_be_learned():
    examples = Examples(("a", "b", "a"))
    assert list(Plain().clusters(examples)) == ["a", "b", "a"]
    assert Plain().learnable(np.array([0, 1, 0])).all()
    assert not Plain().has_unanswerable(np.array([0, 1, 0]))


def test_a_kind_without_classes_has_no_table_of_them():
    assert Plain().class_pairs(np.zeros(2), np.zeros((2, 2)), ("no", "yes")) is None
    assert Plain().class_flags(np.zeros(2), np.zeros((2, 2)), ("no", "yes")) == []


def test_flags_of_classes_follow_from_pairs_of_classes():
    flags = Ranked().class_flags(np.array([0, 1]), np.array([[0.0, 1.0], [0.0, 1.0]]), ("no", "yes"))
    assert [(name, gold.tolist(), predicted.tolist()) for name, gold, predicted in flags] == [
        ("no", [True, False], [False, False]),
        ("yes", [False, True], [True, True]),
    ]


def test_a_task_knows_its_kind(tmp_path):
    assert task_of(tmp_path, reviews()).type is get("classification")
