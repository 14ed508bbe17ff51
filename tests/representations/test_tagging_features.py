import numpy as np

from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.heads.crf_head import LinearChainCrf
from wordworth.representations.rung import RunContext
from wordworth.representations.tagging_features import TagFeatures, features, shape
from wordworth.tasks.task import Examples, Task


def test_a_words_shape_keeps_marks_and_makes_runs_one():
    assert [shape(word) for word in ("McDonald's-42", "USA", "e.g.", "２０")] == ["XxXx'x-9", "X", "x.x.", "9"]


def test_a_shape_keeps_the_length_of_a_word_in_a_script_without_case():
    assert [shape(word) for word in ("北京市", "北京", "ซ", "ABC公司1999年", "ªª")] == ["ooo", "oo", "o", "Xoo9o", "x"]


def test_a_word_sees_its_neighbours():
    first, second = features(["New", "York"])
    assert "1:york" in first
    assert "-1:new" in second
    assert "1:york" not in second


def test_no_words_give_no_features():
    assert list(features([])) == []


def test_the_rung_weighs_what_it_learns_and_not_every_column_that_features_may_be_hashed_to():
    words = (("Rome", "fell"), ("in", "Rome"))
    labels = (np.array([0, 1]), np.array([1, 0]))
    task = Task(
        "two", "tags", Examples(("", ""), words=words), labels, ("B-x", "O"), np.arange(2), np.arange(2), "entity_f1"
    )
    learner = RepresentationRung(TagFeatures(), LinearChainCrf()).prepare(task, RunContext())
    learned = learner.fit(task.train, np.random.default_rng(0)).head.parameters
    assert learner.cost().parameters == learned < 200
    assert learner.cost().disk_bytes == 4 * learned
