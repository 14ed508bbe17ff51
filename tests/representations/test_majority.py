import numpy as np

from wordworth.representations.majority import Majority
from wordworth.representations.rung import RunContext
from wordworth.tasks.task import Examples, Task

RNG = np.random.default_rng(0)


def fitted(kind, labels, classes, words=None):
    n = len(labels)
    task = Task(
        "t", kind, Examples(("text",) * n, None, words), labels, classes, np.arange(n), np.arange(n), "accuracy"
    )
    return Majority().prepare(task, RunContext()).fit(np.arange(n), RNG)


def test_the_most_frequent_class_is_predicted():
    assert fitted("single", np.array([0, 1, 1]), ("a", "b")).predict_texts(Examples(("x",))).argmax(1).tolist() == [1]


def test_the_mean_is_predicted():
    assert fitted("regression", np.array([1.0, 2.0, 6.0]), ()).predict_texts(Examples(("x", "y"))).tolist() == [3, 3]


def test_a_label_most_texts_have_is_given():
    labels = np.array([[True, False], [True, True], [True, False]])
    assert (fitted("multilabel", labels, ("a", "b")).predict_texts(Examples(("x",))) > 0).tolist() == [[True, False]]


def test_a_word_gets_its_most_frequent_tag_and_a_new_word_the_most_frequent_of_all():
    words = (("Rome", "fell"), ("Rome", "rose"), ("in", "Rome"))
    labels = (np.array([1, 0]), np.array([1, 0]), np.array([0, 2]))
    said = fitted("tags", labels, ("O", "B-LOC", "B-ORG"), words).predict_texts(
        Examples(("", ""), None, (("Rome", "x"), ()))
    )
    assert [tags.tolist() for tags in said] == [[1, 0], []]


def test_it_is_called_what_it_answers():
    assert [Majority.of(kind).title for kind in ("single", "regression", "tags")] == [
        "majority class",
        "the mean",
        "a word's usual tag",
    ]
