from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression, Ridge

from wordworth.representations.feature_blocks import Blocks
from wordworth.representations.heads.linear_losses import LogisticLoss, SoftmaxLoss, SquaredLoss
from wordworth.representations.heads.newton_cg import Precision, solve

FINE = Precision(tolerance=1e-5)


def features(n=90, width=12, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, width)) * np.geomspace(1, 0.05, width) / 2).astype(np.float32)


def weights(n, *strengths):
    return np.repeat(np.array(strengths, np.float32)[None], n, axis=0)[:, :, None]


def signs(labels):
    return np.where(labels, 1, -1).astype(np.float32)[:, None, None]


def blocks(x):
    """The same features as a dense block beside a sparse one, their shares taken out."""
    return Blocks((x[:, :5] / np.float32(2), csr_matrix(x[:, 5:] * 4)), (2.0, 0.25))


@pytest.mark.parametrize("strength", [0.1, 10.0, 100.0])
@pytest.mark.parametrize("form", ["dense", "sparse", "blocks"])
def test_it_finds_scikit_learns_logistic_regression_in_every_form(form, strength):
    x = features()
    labels = x[:, 0] + 0.3 * np.random.default_rng(1).normal(size=len(x)) > 0
    space = {
        "dense": x,
        "sparse": csr_matrix(x),
        "blocks": blocks(x),
    }[form]
    found = solve(space, LogisticLoss(signs(labels), weights(len(x), strength)), FINE)
    peer = LogisticRegression(C=strength, tol=1e-10, max_iter=5000).fit(x.astype(np.float64), labels)
    assert found.converged.all()
    assert np.abs(found.scores[:, 0, 0] - peer.decision_function(x)).max() < 5e-3


def test_many_classes_are_one_softmax():
    x, labels = features(), np.random.default_rng(0).integers(0, 4, 90)
    gold = np.eye(4, dtype=np.float32)[labels][:, None]
    found = solve(x, SoftmaxLoss(gold, weights(90, 3.0)), FINE)
    peer = LogisticRegression(C=3.0, tol=1e-10, max_iter=5000).fit(x.astype(np.float64), labels).decision_function(x)
    ours = found.scores[:, 0] - found.scores[:, 0].mean(1, keepdims=True)
    assert np.abs(ours - (peer - peer.mean(1, keepdims=True))).max() < 5e-3


def test_numbers_are_ridge_regression():
    x = features()
    values = x @ np.arange(12.0) + 3
    found = solve(x, SquaredLoss(values.astype(np.float32)[:, None, None], weights(90, 5.0)), FINE)
    assert found.scores[:, 0, 0] == pytest.approx(Ridge(alpha=0.2).fit(x, values).predict(x), abs=2e-3)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99), held=st.integers(2, 30))
def test_an_item_of_weight_zero_teaches_nothing_and_is_still_scored(seed, held):
    """A batch of two models, one of which leaves items out, against each model by itself."""
    x = features(60, 20, seed)
    labels = np.random.default_rng(seed).random(60) < 0.5
    labels[-2:] = True, False  # both answers are among those that stay
    both = weights(60, 4.0, 4.0)
    both[:held, 1] = 0
    found = solve(x, LogisticLoss(np.repeat(signs(labels), 2, axis=1), both), FINE)
    alone = solve(x[held:], LogisticLoss(signs(labels[held:]), weights(60 - held, 4.0)), FINE)
    assert found.weights[:, 1, 0] == pytest.approx(alone.weights[:, 0, 0], abs=5e-3)
    assert found.scores[:held, 1, 0] == pytest.approx(x[:held] @ alone.weights[:, 0, 0] + alone.offsets[0, 0], abs=1e-2)


def test_a_class_that_a_model_never_sees_gets_no_share():
    x, labels = features(), np.arange(90) % 3
    gold = np.eye(3, dtype=np.float32)[labels][:, None]
    rows = weights(90, 1.0, 1.0)
    rows[labels == 2, 1] = 0
    found = solve(x, SoftmaxLoss(gold, rows), FINE)
    assert (found.scores[:, 1].argmax(1) != 2).all()
    assert not found.weights[:, 1, 2].any()


def test_a_near_solution_leads_to_the_same_one():
    x, labels = features(), np.arange(90) % 2 == 0
    weak = solve(x, LogisticLoss(signs(labels), weights(90, 1.0)), FINE)
    strong = LogisticLoss(signs(labels), weights(90, 10.0))
    cold, warm = solve(x, strong, FINE), solve(x, strong, FINE, weak.start)
    assert warm.scores == pytest.approx(cold.scores, abs=5e-3)


@pytest.mark.parametrize("strength", [0.01, 1.0, 1000.0])
def test_equal_items_fewer_than_their_features_are_solved_like_more(strength):
    """Three different items, 16 times each: coefficients that cancel out must not grow without bound."""
    x, labels = np.repeat(features(3, 64), 16, axis=0), np.arange(48) % 3
    x += features(48, 64, seed=1) * np.float32(1e-6)
    gold = np.eye(3, dtype=np.float32)[labels][:, None]
    rows = weights(64, strength)
    rows[48:] = 0
    padded, more = np.vstack([x, np.zeros((16, 64), np.float32)]), np.vstack([gold, np.zeros((16, 1, 3), np.float32)])
    few = solve(x, SoftmaxLoss(gold, rows[:48]), FINE)
    many = solve(padded, SoftmaxLoss(more, rows), FINE)
    assert few.scores == pytest.approx(many.scores[:48], abs=1e-2)
    again = solve(x, SoftmaxLoss(gold, rows[:48]), FINE, few.start)
    assert again.scores == pytest.approx(few.scores, abs=1e-2)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("strength", [0.1, 10.0])
def test_items_without_any_feature_leave_the_base_rates(strength, seed):
    """A model that knows no word of a task: only offsets are learned, whose sum over classes is flat."""
    labels = np.random.default_rng(seed).integers(0, 3, 12)
    gold = np.eye(3, dtype=np.float32)[labels][:, None]
    loss = SoftmaxLoss(gold, weights(12, strength))
    found = solve(np.zeros((12, 64), np.float32), loss, Precision())
    again = solve(np.zeros((12, 64), np.float32), loss, Precision(), found.start)
    assert not found.weights.any()
    shares = np.exp(again.scores[0, 0])
    assert shares / shares.sum() == pytest.approx(gold.mean((0, 1)), abs=0.02)


@pytest.mark.parametrize("width", [12, 200])
def test_the_scores_of_other_features_lead_to_the_same_solution(width):
    """Fewer features than items, and more: both forms of the variables begin from another solution's scores."""
    near, x, labels = features(seed=1), features(width=width), np.arange(90) % 3
    gold = np.eye(3, dtype=np.float32)[labels][:, None]
    loss = SoftmaxLoss(gold, weights(90, 5.0))
    start = replace(solve(near, loss, FINE).start, variables=None)
    cold, warm = solve(x, loss, FINE), solve(x, loss, FINE, start)
    assert warm.converged.all()
    assert warm.scores == pytest.approx(cold.scores, abs=1e-2)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99), strength=st.sampled_from([0.1, 3.0, 100.0]), form=st.sampled_from(["dense", "blocks"]))
def test_fewer_items_than_features_give_the_model_that_weights_as_variables_give(seed, strength, form):
    """Empty items of weight zero make more items than features, so that the solver keeps weights as variables."""
    x, labels = features(30, 50, seed), np.random.default_rng(seed).integers(0, 3, 30)
    labels[:3] = 0, 1, 2
    padded = np.vstack([x, np.zeros((40, 50), np.float32)])
    gold, rows = np.eye(3, dtype=np.float32)[np.append(labels, np.zeros(40, int))][:, None], weights(70, strength, 1.0)
    rows[30:] = 0
    built = blocks if form == "blocks" else np.asarray
    few = solve(built(x), SoftmaxLoss(gold[:30], rows[:30]), FINE)
    many = solve(built(padded), SoftmaxLoss(gold, rows), FINE)
    assert [few.converged.all(), many.converged.all()] == [True, True]
    assert [len(few.start.variables), len(many.start.variables)] == [30, 50]
    assert few.weights == pytest.approx(many.weights, abs=5e-3)
    assert few.scores == pytest.approx(many.scores[:30], abs=1e-2)


def test_too_few_steps_are_told():
    x, labels = features(), np.arange(90) % 2 == 0
    assert not solve(
        x, LogisticLoss(signs(labels), weights(90, 100.0)), Precision(tolerance=1e-5, steps=1)
    ).converged.any()


def test_many_classes_under_a_large_strength_converge():
    """Forty classes, common words and a word of each class's own: Newton steps overshoot by far, and are shortened."""
    rng = np.random.default_rng(7)
    x, labels = np.zeros((300, 420), np.float32), np.arange(300) % 40
    for row, label in zip(x, labels, strict=True):
        row[(rng.zipf(1.4, 12) - 1).clip(0, 299)] += 1
        row[300 + (label * 3 + rng.integers(0, 3) if rng.random() < 0.7 else rng.integers(0, 120))] += 1
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    gold = np.eye(40, dtype=np.float32)[labels][:, None]
    assert solve(csr_matrix(x), SoftmaxLoss(gold, weights(300, 3000.0)), Precision()).converged.all()
