"""Labels as a person writes them."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.tasks.examples import Origin
from wordworth.tasks.task import Answer, Examples, Task

SAME = (Answer("Rome", 3), Answer("Rome", 9), Answer("the city", 20))


def task(kind: str, classes: tuple[str, ...] = ()) -> Task:
    examples = Examples(("a", "b"), options=(("no", "yes"), ("left", "right", "on")) if kind == "choice" else None)
    rows = np.arange(1)
    return Task("t", kind, examples, np.zeros(2), classes, rows, rows + 1, "accuracy")


@pytest.mark.parametrize(
    ("kind", "classes", "label", "words"),
    [
        ("single", ("no", "yes"), np.int64(1), "yes"),
        ("regression", (), 2.5, "2.50"),
        ("multilabel", ("a", "b", "c"), np.array([True, False, True]), "a, c"),
        ("multilabel", ("a", "b"), np.array([False, False]), "none"),
        ("tags", ("O", "B-LOC"), np.array([0, 1, 0]), "O B-LOC O"),
        ("choice", (), np.int64(2), "on"),
        ("span", (), SAME, "Rome / the city"),
        ("span", (), "Rome", "Rome"),
        ("span", (), (), "no answer"),
        ("span", (), "", "no answer"),
    ],
)
def test_a_label_is_written_as_its_kind_of_task_has_it(kind, classes, label, words):
    assert task(kind, classes).label_text(label, 1) == words


def test_a_task_that_is_printed_fits_on_a_line():
    assert repr(task("single")) == "Task('t', kind='classification', train=1 rows, test=1 rows, metric='accuracy')"


def test_predictions_come_to_the_best_class_or_to_the_classes_above_zero():
    scores = np.array([-1.0, 2.0, 0.5])
    assert task("single").type.decide(scores) == task("choice").type.decide(scores) == 1
    assert task("multilabel").type.decide(scores).tolist() == [False, True, True]
    assert task("regression").type.decide(2.5) == 2.5


def test_rows_know_the_files_that_they_are_from():
    files = (Origin("train.csv", "one", 1), Origin("test.csv", "two", 1))
    known = replace(task("single"), origins=files)
    assert known.sources_of(np.array([0])) == ["one"]
    assert known.sources_of(np.array([0, 1])) == ["one", "two"]
    skipped = replace(known, origins=(Origin("train.csv", "one", 3),))
    assert skipped.sources_of(np.array([1])) == ["one"]
    assert task("single").sources_of(np.array([0])) == []
