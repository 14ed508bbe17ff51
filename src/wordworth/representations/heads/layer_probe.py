"""How much each layer of an encoder should weigh: a softmax over layers, learned together with a linear probe."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.representations.gold import Gold
from wordworth.representations.heads.head import Target
from wordworth.training.objectives import loss
from wordworth.training.threads import ONE_THREAD


def learned_shares(
    layers: NDArray[np.float32], target: Target, iterations: int, strength: float
) -> NDArray[np.float64]:
    """float64 [layers], not negative, summing to 1, from states [n, texts, layers, width] of one text or two.

    L-BFGS on `sum of losses + |W|^2 / (2 * strength)` over the probe W and the layers' logits, all from zero.
    """
    values, gold = torch.from_numpy(layers), Gold.of(target)
    pairs = values.shape[1] > 1
    logits = torch.zeros(values.shape[2], requires_grad=True)
    weights = torch.zeros(values.shape[3] * (4 if pairs else 1), len(gold.bias), requires_grad=True)
    bias = gold.bias.clone().requires_grad_()
    solver = torch.optim.LBFGS([logits, weights, bias], max_iter=iterations, line_search_fn="strong_wolfe")

    def closure() -> float:
        solver.zero_grad()
        scores = _scaled(_mix(values, logits.softmax(0))) @ weights + bias
        total = loss(target.kind, scores, gold.values) + weights.square().sum() / (2 * strength)
        total.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        return total.item()

    with ONE_THREAD.held():
        solver.step(closure)  # type: ignore[no-untyped-call]  # likewise
    shares = logits.detach().softmax(0).double().numpy()
    found: NDArray[np.float64] = shares / shares.sum()
    return found


def _mix(values: Tensor, shares: Tensor) -> Tensor:
    """[n, width], or the features of a pair [n, 4 * width]."""
    mixed = torch.einsum("ntld,l->ntd", values, shares)
    if mixed.shape[1] == 1:
        return mixed[:, 0]
    first, second = mixed.unbind(1)
    return torch.cat([first, second, (first - second).abs(), first * second], dim=1)


def _scaled(features: Tensor) -> Tensor:
    """Columns of mean 0 and one deviation, rows of squared norm one on average: as the linear head has them."""
    features = features - features.mean(0)
    deviation = features.square().mean(0).sqrt()
    scaled: Tensor = features / (deviation + _TINY) / math.sqrt(features.shape[1])
    return scaled


_TINY = 1e-6
