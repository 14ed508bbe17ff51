"""What a linear head learns for each form of labels, and that scores come back for all classes, on the right scale."""

import numpy as np
import pytest

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_problems import (
    ClassProblem,
    LabelProblem,
    NumberProblem,
    problem_of,
    to_predictions,
)
from wordworth.representations.heads.newton_cg import Precision, solve


def expand(problem, weights, offsets):
    return problem.expand(np.array(weights, np.float32), np.array(offsets, np.float32))


def test_two_classes_share_one_score_whose_halves_are_theirs():
    problem = ClassProblem.of(np.array([0, 2, 2]), 3)
    weights, offsets = expand(problem, [[4.0]], [1.0])
    assert weights.tolist() == [[-2, 0, 2]]
    assert offsets.tolist() == [-0.5, -np.inf, 0.5]


def test_a_class_without_examples_is_never_predicted():
    problem = ClassProblem.of(np.array([0, 1, 3]), 5)
    weights, offsets = expand(problem, [[1.0, 2.0, 3.0]], [0.1, 0.2, 0.3])
    assert weights.tolist() == [[1, 2, 0, 3, 0]]
    assert np.isneginf(offsets).tolist() == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("labels", "predicted"), [(np.array([2, 2]), 2), (np.zeros(0, dtype=np.int64), 0)], ids=["one class", "no rows"]
)
def test_with_one_class_there_is_nothing_to_learn(labels, predicted):
    problem = ClassProblem.of(labels, 4)
    assert problem.is_trivial
    assert problem.constant().argmax() == predicted


def test_a_label_of_no_row_is_never_predicted_and_one_of_all_rows_always():
    problem = LabelProblem(np.array([[True, False, True], [False, False, True]]))
    assert not problem.is_trivial
    assert problem.constant()[1:].tolist() == [-np.inf, np.inf]
    weights, offsets = expand(problem, [[1.0, 1.0, 1.0]], [0.5, 0.5, 0.5])
    assert weights.tolist() == [[1, 0, 0]]
    assert offsets.tolist() == [0.5, -np.inf, np.inf]


def test_a_label_of_no_row_or_of_all_takes_no_step_and_leaves_the_others_as_they_are():
    """The loss of such a label has no minimum: the solver followed it through all its steps, with all other labels."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(40, 6)).astype(np.float32)
    learned = features[:, :2] + rng.normal(size=(40, 2)) > 0
    constant = np.tile([False, True], (40, 1))
    few = Precision(steps=12)
    alone = solve(features, LabelProblem(learned).loss(3.0), few)
    beside = solve(features, LabelProblem(np.hstack([learned, constant])).loss(3.0), few)
    assert beside.converged.all()
    np.testing.assert_array_equal(beside.weights[:, 2:], 0)
    np.testing.assert_allclose(beside.weights[:, :2], alone.weights, atol=1e-6)


def test_labels_that_are_all_or_nothing_need_no_learning():
    assert LabelProblem(np.array([[True, False]])).is_trivial


def test_numbers_are_learned_with_mean_0_and_variance_1_and_predicted_as_they_were():
    values = np.array([10.0, 30.0, 50.0])
    problem = NumberProblem.of(values)
    assert problem.gold.mean() == pytest.approx(0, abs=1e-6)
    assert problem.gold.std() == pytest.approx(1)
    weights, offsets = expand(problem, [[1.0]], [0.0])
    assert (problem.gold * weights[0, 0] + offsets[0]).tolist() == pytest.approx(values.tolist())


@pytest.mark.parametrize("values", [np.array([3.0, 3.0]), np.zeros(0)])
def test_numbers_that_do_not_differ_are_predicted_as_they_are(values):
    problem = NumberProblem.of(values)
    assert problem.is_trivial
    assert problem.constant().tolist() == [3.0 if len(values) else 0.0]


@pytest.mark.parametrize(
    ("labels", "kind", "problem"),
    [
        (np.array([0, 1]), "classification", ClassProblem),
        (np.array([[True], [False]]), "multilabel", LabelProblem),
        (np.array([0.5, 1.0]), "regression", NumberProblem),
        ((np.array([0, 1]), np.array([1])), "tagging", ClassProblem),
    ],
)
def test_the_problem_is_that_of_the_labels(labels, kind, problem):
    made = problem_of(Target(kind=kind, labels=labels, classes=("a", "b"), metric="accuracy"))
    assert isinstance(made, problem)
    assert len(made.has_label if problem is LabelProblem else made.gold) == (3 if kind == "tagging" else 2)


def test_scores_become_what_metrics_take():
    scores = np.array([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]])
    assert to_predictions(scores, "classification", None) is scores
    assert to_predictions(scores, "regression", None).tolist() == [0.1, 0.8, 0.3]
    assert [tags.tolist() for tags in to_predictions(scores, "tagging", np.array([2, 0, 1]))] == [[1, 0], [], [1]]
