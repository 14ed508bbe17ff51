import numpy as np

from wordworth.representations.constant_baseline import Majority
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED
from wordworth.representations.rung import RunContext
from wordworth.tasks.task import Examples, Task

RNG = np.random.default_rng(0)


def fitted(kind, labels, classes, words=None, metric="accuracy"):
    n = len(labels)
    task = Task("t", kind, Examples(("text",) * n, None, words), labels, classes, np.arange(n), np.arange(n), metric)
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


def made(kind, labels, classes, metric, words=None):
    """A task whose first rows are to learn from; the last row, of the test part, has the second class."""
    rows = np.arange(len(labels))
    return Task(
        "t", kind, Examples(("text",) * len(labels), None, words), labels, classes, rows[:-1], rows[-1:], metric
    )


def test_it_is_called_by_another_constant_where_that_is_best_by_the_metric():
    labels = np.array([0, 0, 0, 1, 1, 1])
    titles = {
        metric: Majority.of("single").named_for(made("single", labels, ("bad", "good"), metric)).title
        for metric in ("accuracy", "macro_f1", "f1:good", "f1:bad")
    }
    assert titles == {
        "accuracy": "majority class",
        "macro_f1": "majority class",
        "f1:good": "always saying “good”",
        "f1:bad": "majority class",
    }
    several = np.eye(4, dtype=bool)[np.array([0, 0, 0, 1, 1, 2, 3, 0])]
    of_labels = Majority.of("multilabel")
    assert (
        of_labels.named_for(made("multilabel", several, tuple("abcd"), "micro_f1")).title
        == "giving every text the same labels"
    )
    for kind, gold, classes, metric, words in (
        ("regression", np.array([1.0, 2.0, 3.0]), (), "r2", None),
        ("tags", (np.array([0]),) * 3, ("O",), "accuracy", (("a",),) * 3),
    ):
        assert Majority.of(kind).named_for(made(kind, gold, classes, metric, words)) == Majority.of(kind)


def test_by_f1_of_a_class_the_constant_names_that_class_though_another_is_larger():
    labels = np.array([0, 0, 0, 1, 1])
    said = {
        metric: fitted("single", labels, ("bad", "good"), metric=metric).predict_texts(Examples(("x",))).argmax(1)[0]
        for metric in ("accuracy", "macro_f1", "matthews", "f1:good", "f1:bad")
    }
    assert said == {"accuracy": 0, "macro_f1": 0, "matthews": 0, "f1:good": 1, "f1:bad": 0}


def test_by_micro_f1_labels_that_few_texts_have_are_given_to_all_where_no_label_is_common():
    labels = np.eye(4, dtype=bool)[np.array([0, 0, 0, 1, 1, 2, 3])]
    said = fitted("multilabel", labels, tuple("abcd"), metric="micro_f1").predict_texts(Examples(("x",))) > 0
    assert said.tolist() == [[True, True, False, False]]  # 5 of 14 given and 5 of 7 found: 0.48; one label: 0.43


def test_its_probabilities_are_the_shares_of_the_classes_whatever_the_metric_names():
    labels = np.array([0, 0, 0, 1, 1])
    for metric in ("accuracy", "f1:good"):
        constant = fitted("single", labels, ("bad", "good"), metric=metric)
        probabilities = constant.calibration.probabilities(constant.predict(np.arange(2)))
        assert np.allclose(probabilities, [[3.5 / 6, 2.5 / 6]] * 2)  # half a text is added to each class
    assert fitted("regression", np.array([1.0, 2.0]), ()).calibration == NOT_CALIBRATED
