"""Fit the layer weights of a scalar mix, together with a linear probe."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor

from wordworth.models.parallel_map import ONE_THREAD
from wordworth.representations.heads.base import Target
from wordworth.training.finetuning.label_tensors import LabelTensors, label_loss


def fit_layer_weights(
    layers: NDArray[np.float32], target: Target, iterations: int, strength: float
) -> NDArray[np.float64]:
    """Return the weight of each layer, float64 [layers], not negative and summing to 1.

    L-BFGS minimises `sum of losses + |W|^2 / (2 * strength)` over the probe's weights W and the layers' logits, from
    zero.

    Args:
        layers: float32 [n, texts, layers, width], the states of each item's one or two texts.
        target: labels of the n items.
        iterations: maximum number of steps of L-BFGS.
        strength: the inverse regularisation strength C of the probe.
    """
    probe = _Probe(torch.from_numpy(layers), LabelTensors.of(target.labels, len(target.classes)), strength)
    with ONE_THREAD.limit():
        optimum = minimize(probe, probe.start(), jac=True, method="L-BFGS-B", options={"maxiter": iterations})
        layer_weights = probe.parts(torch.from_numpy(optimum.x))[0].softmax(0).double().numpy()
    normalised: NDArray[np.float64] = layer_weights / layer_weights.sum()
    return normalised


class _Probe:
    """The loss of a linear probe on a mix of layers; a call returns (loss, gradient), for `scipy.optimize.minimize`.

    All parameters are in one vector: the layers' logits, the probe's weights and the probe's bias.
    """

    def __init__(self, values: Tensor, gold: LabelTensors, strength: float) -> None:
        self.gold, self.strength = gold, strength
        _, self.texts, layers, self.width = values.shape
        self.values = values.permute(2, 0, 1, 3).reshape(layers, -1)  # one matrix product computes a mix
        inputs = self.width * (4 if self.texts > 1 else 1)
        self.shapes = ((layers,), (inputs, len(gold.bias)), tuple(gold.bias.shape))

    def start(self) -> NDArray[np.float64]:
        """Return the initial parameters: equal layers, zero weights, and the bias of the labels' base rates."""
        parts = (torch.zeros(self.shapes[0]), torch.zeros(self.shapes[1]).flatten(), self.gold.bias)
        return torch.cat(parts).double().numpy()

    def parts(self, point: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Split the vector of parameters into the layers' logits, the probe's weights and the probe's bias."""
        sizes = [math.prod(shape) for shape in self.shapes]
        logits, weights, bias = torch.split(point, sizes)
        return logits, weights.view(self.shapes[1]), bias

    def __call__(self, point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        numbers = torch.from_numpy(point).float().requires_grad_()
        logits, weights, bias = self.parts(numbers)
        scores = _scaled(self._features(logits.softmax(0))) @ weights + bias
        total = label_loss(scores, self.gold.values) + weights.square().sum() / (2 * self.strength)
        (slope,) = torch.autograd.grad(total, numbers)
        return total.item(), slope.double().numpy()

    def _features(self, layer_weights: Tensor) -> Tensor:
        """Return the mixed states [n, width], or pair features [n, 4 * width]."""
        mixed = (layer_weights @ self.values).view(-1, self.texts, self.width)
        if self.texts == 1:
            return mixed[:, 0]
        first, second = mixed.unbind(1)
        return torch.cat([first, second, (first - second).abs(), first * second], dim=1)


def _scaled(features: Tensor) -> Tensor:
    """Return features with standardised columns and with rows of squared norm one on average, as in the linear head."""
    features = features - features.mean(0)
    deviation = features.square().mean(0).sqrt()
    scaled: Tensor = features / (deviation + _TINY) / math.sqrt(features.shape[1])
    return scaled


_TINY = 1e-6
