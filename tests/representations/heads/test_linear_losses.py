"""The losses of linear models: gradients and curvature are those of the value, and the prior is its best constant."""

import numpy as np
import pytest

from wordworth.representations.heads.linear_losses import LogisticLoss, SoftmaxLoss, SquaredLoss, stacked

RNG = np.random.default_rng(0)
ITEMS, MODELS = 7, 2
WEIGHTS = RNG.integers(0, 3, (ITEMS, MODELS, 1)).astype(np.float32)
CLASSES = np.eye(3, dtype=np.float32)[RNG.integers(0, 3, ITEMS)][:, None]
LOSSES = {
    "softmax": SoftmaxLoss(CLASSES, WEIGHTS),
    "logistic": LogisticLoss(np.where(RNG.random((ITEMS, MODELS, 1)) < 0.5, 1, -1).astype(np.float32), WEIGHTS),
    "squared": SquaredLoss(RNG.normal(size=(ITEMS, 1, 2)).astype(np.float32), WEIGHTS),
}


@pytest.fixture(params=LOSSES.values(), ids=LOSSES)
def loss(request):
    return request.param


def scores_of(loss, scale=1.0):
    columns = loss.prior().shape[2]
    return (scale * np.random.default_rng(1).normal(size=(ITEMS, MODELS, columns))).astype(np.float32)


def total(loss, scores):
    return float(loss.value(scores).sum())


def test_the_gradient_is_the_slope_of_the_value(loss):
    scores, step = scores_of(loss), np.float32(1e-2)
    direction = scores_of(loss)[::-1]
    slope = (total(loss, scores + step * direction) - total(loss, scores - step * direction)) / (2 * float(step))
    assert float((loss.gradient(scores) * direction).sum()) == pytest.approx(slope, rel=2e-2, abs=2e-2)


def test_the_curvature_is_the_slope_of_the_gradient(loss):
    scores, step = scores_of(loss), np.float32(1e-2)
    direction = scores_of(loss)[::-1]
    slope = (loss.gradient(scores + step * direction) - loss.gradient(scores - step * direction)) / (2 * step)
    np.testing.assert_allclose(loss.hessian(scores)(direction), slope, atol=2e-2)


def test_an_item_of_weight_0_is_not_there(loss):
    scores = scores_of(loss)
    changed = scores + np.float32(100) * (WEIGHTS == 0)
    assert np.array_equal(loss.value(scores), loss.value(changed))
    assert not loss.gradient(scores)[np.broadcast_to(WEIGHTS == 0, scores.shape)].any()


def test_each_model_has_a_loss_of_its_own(loss):
    scores = scores_of(loss)
    changed = scores.copy()
    changed[:, 1] += np.float32(1)
    assert loss.value(scores).shape == (1, MODELS, 1)
    assert loss.value(changed)[0, 0] == loss.value(scores)[0, 0]


def test_stacked_losses_are_each_what_they_are_alone_with_items_of_weight_0_for_those_that_lack(loss):
    fewer = type(loss)(*(getattr(loss, name)[: ITEMS - 2] for name in loss.__dataclass_fields__))
    both = stacked([loss, fewer])
    scores = np.concatenate([scores_of(loss), scores_of(loss)[::-1]], axis=1)
    alone = [(loss, scores[:, :MODELS]), (fewer, scores[: ITEMS - 2, MODELS:])]
    if not isinstance(loss, LogisticLoss):  # one model each, since classes and numbers stand once for all models
        both = stacked([type(each)(each.gold, each.weights[:, :1]) for each, _ in alone])
        scores = scores[:, [0, MODELS]]
        alone = [(type(each)(each.gold, each.weights[:, :1]), of[:, :1]) for each, of in alone]
    for name in ("value", "gradient"):
        together = np.split(getattr(both, name)(scores), 2, axis=1)
        for part, (each, of) in zip(together, alone, strict=True):
            single = getattr(each, name)(of)
            np.testing.assert_allclose(part[: len(single)], single, rtol=1e-5)
            assert not part[len(single) :].any()
    np.testing.assert_allclose(both.prior(), np.concatenate([each.prior() for each, _ in alone], axis=1), rtol=1e-5)


def test_a_loss_times_a_factor_is_that_much_larger(loss):
    np.testing.assert_allclose(loss.times(3.0).value(scores_of(loss)), 3 * loss.value(scores_of(loss)), rtol=1e-5)


def test_no_constant_score_is_better_than_the_prior(loss):
    prior = np.broadcast_to(loss.prior(), scores_of(loss).shape)
    for column in np.eye(prior.shape[2], dtype=np.float32):
        for by in np.array([-1, -0.1, 0.1, 1], np.float32):
            assert (loss.value(prior + by * column) >= loss.value(prior) - 1e-4).all()
    assert not np.allclose(loss.value(np.zeros_like(prior)), loss.value(prior))


def test_large_scores_do_not_overflow(loss):
    with np.errstate(over="raise", invalid="raise"):
        scores = scores_of(loss, 1e4)
        assert np.isfinite(loss.value(scores)).all()
        assert np.isfinite(loss.gradient(scores)).all()


def test_a_class_without_items_is_ruled_out_and_a_label_of_all_is_not_certain():
    one_class = SoftmaxLoss(np.eye(2, dtype=np.float32)[[0, 0]][:, None], np.ones((2, 1, 1), np.float32))
    assert one_class.prior()[0, 0].tolist() == [0, -1e4]
    always = LogisticLoss(np.ones((3, 1, 1), np.float32), np.ones((3, 1, 1), np.float32))
    assert np.isfinite(always.prior()).all()
