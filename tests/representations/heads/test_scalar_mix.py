"""The learned mix of layers finds the layer that tells, for every kind of label."""

import numpy as np
import pytest
from tests.representations.heads.fit_head import fit_head

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.heads.scalar_mix import ScalarMixHead, mixed_views

SHAPE = (4, 6)


def layered(kind, seed=0, count=240):
    """States of 4 layers of which only layer 2 holds the label."""
    rng = np.random.default_rng(seed)
    states = rng.normal(size=(count, 2 if kind == "pair" else 1, *SHAPE)).astype(np.float32)
    told = states[:, :, 2]
    if kind == "pair":
        told[::2, 1] = told[::2, 0] + 0.1 * told[::2, 1]
        labels, classes = (np.arange(count) % 2 == 0).astype(np.int64), ("far", "near")
    elif kind == "regression":
        labels, classes = told[:, 0, 0] - 2 * told[:, 0, 1].astype(np.float64), ()
    elif kind == "multilabel":
        labels, classes = told[:, 0, :2] > 0, ("a", "b")
    else:
        labels, classes = (told[:, 0, 0] > told[:, 0, 1]).astype(np.int64), ("a", "b")
    metric = {"regression": "r2", "multilabel": "micro_f1"}.get(kind, "accuracy")
    target = Target(kind=kind, labels=labels, classes=classes, metric=metric)
    return states.reshape(count, -1), target


@pytest.mark.parametrize("kind", ["single", "pair", "regression", "multilabel"])
def test_the_layer_that_tells_gets_most_of_the_mix_and_the_mix_is_chosen(kind):
    layers, target = layered(kind)
    last = layers.reshape(len(layers), -1, *SHAPE)[:, 0, 3]
    fitted = fit_head(ScalarMixHead(shape=SHAPE), {"last": last, "layers": layers}, target, np.random.default_rng(0))
    assert fitted.view == "layers"
    assert fitted.chosen["shares"][2] > 0.6
    assert sum(fitted.chosen["shares"]) == pytest.approx(1, abs=1e-3)
    new, hidden = layered(kind, seed=1)
    alone = fit_head(LinearHead(), {"last": last}, target, np.random.default_rng(0))
    said = fitted.predict(new)
    if kind in {"single", "pair"}:
        assert np.mean(said.argmax(1) == hidden.labels) > 0.9
    elif kind == "multilabel":
        assert np.mean((said > 0) == hidden.labels) > 0.9
    else:
        assert np.corrcoef(said, hidden.labels)[0, 1] > 0.95
    assert len(alone.predict(new.reshape(len(new), -1, *SHAPE)[:, 0, 3])) == len(said)


def test_a_plain_view_that_tells_all_is_taken_instead():
    layers, target = layered("single")
    plain = np.eye(2, dtype=np.float32)[target.labels]
    fitted = fit_head(ScalarMixHead(shape=SHAPE), {"plain": plain, "layers": layers}, target, np.random.default_rng(0))
    assert fitted.view == "plain"
    assert "shares" not in fitted.chosen


def test_without_labels_that_differ_all_layers_weigh_alike():
    layers, target = layered("single")
    rows = np.flatnonzero(target.labels == 1)[:5]
    fitted = fit_head(ScalarMixHead(shape=SHAPE), {"layers": layers[rows]}, target.take(rows), np.random.default_rng(0))
    assert fitted.layer_weights.tolist() == [0.25] * 4


def test_equal_shares_are_the_mean_of_the_layers():  # as ELMo's scalar mix with zero weights
    layers, _ = layered("single")
    mix = mixed_views(layers, SHAPE, np.full(4, 0.25))["mix"]
    np.testing.assert_allclose(mix, layers.reshape(-1, *SHAPE).mean(1), atol=1e-6)
