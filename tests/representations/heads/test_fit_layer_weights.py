"""The weights of a scalar mix find the layers that a label can be read from."""

import numpy as np
import pytest

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.fit_layer_weights import fit_layer_weights

RNG = np.random.default_rng(0)
N, LAYERS, WIDTH = 200, 4, 6
LABELS = RNG.integers(0, 2, N)


def layers(informative, texts=1):
    """Noise in all layers, and the label in one; in a pair the label is whether both texts have the same sign."""
    values = RNG.normal(size=(N, texts, LAYERS, WIDTH)).astype(np.float32)
    if texts == 1:
        values[:, 0, informative, 0] += 4 * LABELS - 2
    else:
        sign = RNG.choice([-1, 1], N)
        values[:, 0, informative, 0] = 3 * sign
        values[:, 1, informative, 0] = 3 * np.where(LABELS, sign, -sign)
    return values


def target(labels=LABELS, kind="classification", classes=("no", "yes")):
    return Target(kind=kind, labels=labels, classes=classes, metric="accuracy")


@pytest.mark.parametrize("informative", range(LAYERS))
def test_the_layer_with_the_label_gets_most_of_the_weight(informative):
    weights = fit_layer_weights(layers(informative), target(), iterations=100, strength=10.0)
    assert weights.shape == (LAYERS,)
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    assert weights.argmax() == informative
    assert weights[informative] > 0.5


def test_what_two_texts_share_is_found_too():
    weights = fit_layer_weights(layers(2, texts=2), target(), iterations=100, strength=10.0)
    assert weights.argmax() == 2


def test_values_can_be_read_from_a_layer_as_classes_can():
    values = layers(1)
    numbers = values[:, 0, 1, 0].astype(np.float64)
    weights = fit_layer_weights(values, target(numbers, "regression", ()), iterations=100, strength=10.0)
    assert weights.argmax() == 1


def test_without_steps_all_layers_weigh_the_same():
    weights = fit_layer_weights(layers(0), target(), iterations=0, strength=10.0)
    assert weights == pytest.approx(np.full(LAYERS, 1 / LAYERS))
