import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.representations.heads.base import Target, concatenate, first_view
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.tasks.task import Examples, Task
from wordworth.testing.sample_tasks import sample_task

KINDS = ["classification", "multilabel", "regression", "tagging"]


def plain(labels):
    return [np.asarray(label).tolist() for label in labels]


@given(kind=st.sampled_from(KINDS), rows=st.lists(st.integers(0, 29), min_size=1, max_size=20))
def test_a_target_of_rows_has_the_labels_of_those_rows_in_their_order(kind, rows):
    task = sample_task(kind, size=30)
    target = Target.of(task, np.array(rows))
    assert len(target) == len(rows)
    assert plain(target.labels) == [plain(task.labels)[row] for row in rows]


@given(
    kind=st.sampled_from(KINDS),
    rows=st.lists(st.integers(0, 29), min_size=1, max_size=12),
    picks=st.lists(st.integers(0, 1000), min_size=1, max_size=12),
)
def test_items_of_a_target_are_the_target_of_their_rows(kind, rows, picks):
    task = sample_task(kind, size=30)
    items = np.array([pick % len(rows) for pick in picks])
    taken = Target.of(task, np.array(rows)).take(items)
    fresh = Target.of(task, np.array(rows)[items])
    assert plain(taken.labels) == plain(fresh.labels)
    assert (taken.lengths is None) == (fresh.lengths is None) == (kind != "tagging")
    if kind == "tagging":
        assert taken.lengths.tolist() == fresh.lengths.tolist() == [len(tags) for tags in taken.labels]


def test_groups_and_only_they_are_taken_along_where_the_user_names_them():
    texts = Examples(("a", "b", "c"), groups=(7, 7, 9))
    task = Task(
        "t", "classification", texts, np.array([0, 1, 0]), ("x", "y"), np.arange(2), np.arange(2, 3), "accuracy"
    )
    target = Target.of(task, np.array([2, 0, 1]))
    assert target.groups.tolist() == [9, 7, 7]
    assert target.take(np.array([1, 0])).groups.tolist() == [7, 9]
    assert Target.of(sample_task("classification"), np.arange(3)).groups is None


@given(kind=st.sampled_from(KINDS), cuts=st.lists(st.integers(1, 29), min_size=1, max_size=4, unique=True))
def test_the_parts_of_a_target_joined_are_the_target_without_groups(kind, cuts):
    target = Target.of(sample_task(kind, size=30), np.arange(30))
    parts = [target.take(part) for part in np.split(np.arange(30), sorted(cuts))]
    joined = concatenate(parts)
    assert plain(joined.labels) == plain(target.labels)
    assert joined.groups is None
    if kind == "tagging":
        assert joined.lengths.tolist() == target.lengths.tolist()


@pytest.mark.parametrize(
    ("metric", "score"),
    [("accuracy", 3 / 4), ("macro_f1", (0.8 + 2 / 3) / 2)],  # classes 0, 0, 1, 1 predicted as 0, 0, 0, 1
)
def test_predictions_are_scored_by_the_metric_of_the_task(metric, score):
    target = Target(kind="classification", labels=np.array([0, 0, 1, 1]), classes=("x", "y"), metric=metric)
    assert target.score(np.eye(2)[[0, 0, 0, 1]]) == pytest.approx(score)


def test_the_first_view_is_the_one_that_the_representation_names_first():
    target = Target.of(sample_task("classification"), np.arange(4))
    calls = []

    def features(training, held_out):
        calls.append((training.tolist(), held_out.tolist()))
        return {"words": np.zeros((4, 1)), "characters": np.zeros((4, 2))}, {}

    assert first_view(features, target) == "words"
    assert calls == [([0, 1, 2, 3], [])]


@pytest.mark.parametrize(
    ("classes", "parameters"), [(("x", "y", "z"), 3 * (5 + 1)), ((), 5 + 1)], ids=["three classes", "numbers"]
)
def test_a_head_has_a_weight_for_each_feature_and_a_bias_of_each_class(classes, parameters):
    labels = np.zeros(3, dtype=np.int64) if classes else np.zeros(3)
    target = Target(
        kind="classification" if classes else "regression", labels=labels, classes=classes, metric="accuracy"
    )
    assert LinearHead().num_learned(5, target, dict) == parameters
