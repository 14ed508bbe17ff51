"""Distances between attention heads: Jensen-Shannon divergence, and multidimensional scaling.

A permutation test shows whether heads of one layer are nearer to each other than to other heads (Clark et al. 2019,
section 6).
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.attention_patterns.attention_statistics import smoothed

JS_SMOOTHING = 1e-3
"""Share of uniform attention that is mixed in before divergences, as in the code of Clark et al."""
_BLOCK = 4096
"""Number of a head's weights that are compared at a time, so that a block of all heads fits the processor's cache."""


def js_divergences(attention: Tensor, smoothing: float = JS_SMOOTHING) -> Floats:
    """Return the Jensen-Shannon divergence of each two heads, in nats, summed over rows, float64 [heads, heads].

    The divergence of one row is from 0 (equal attention) to ln 2. It is computed as the entropy of the mean of two
    distributions minus the mean of their entropies, so that each pair of heads costs one logarithm per weight.

    Args:
        attention: float [heads, rows, columns], the attention of each token (row); each row sums to 1.
        smoothing: share of uniform attention that is mixed in first.
    """
    weights = smoothed(attention.float(), smoothing).flatten(1)
    number = len(weights)
    negated_entropy = torch.zeros(number, dtype=torch.float64)
    of_sums = torch.zeros(number, number, dtype=torch.float64)
    for part in torch.split(weights, _BLOCK, dim=1):
        block = part.contiguous()
        negated_entropy += torch.linalg.vecdot(block, block.log())
        for head in range(number - 1):
            both = block[head] + block[head + 1 :]
            of_sums[head, head + 1 :] += torch.linalg.vecdot(both, both.log())
    pairs = (negated_entropy[:, None] + negated_entropy - of_sums) / 2 + log(2) * attention.shape[1]
    upper = pairs.triu(1).clamp(min=0)
    return floats((upper + upper.T).numpy())


class Plane(NamedTuple):
    """Points in two dimensions whose distances are as near as possible to given distances.

    Attributes:
        points: float64 [n, 2].
        kept_share: share of the squared distances that the two dimensions keep, from 0 to 1.
    """

    points: Floats
    kept_share: float


def classical_mds(squared: Floats) -> Plane:
    """Compute points in a plane by classical multidimensional scaling (Torgerson 1952).

    Jensen-Shannon divergences can be given as the squared distances. The square root of a mean divergence is a
    Euclidean distance (Endres and Schindelin 2003; Fuglede and Topsoe 2004), so that eigenvalues are negative only by
    rounding.

    Args:
        squared: float64 [n, n], squared distances: symmetric, with a diagonal of 0.
    """
    centred = squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    largest = np.maximum(values[::-1], 0)
    size = min(2, len(largest))
    points = np.zeros((len(squared), 2))
    points[:, :size] = vectors[:, ::-1][:, :size] * np.sqrt(largest[:size])
    signs = np.sign(points[np.abs(points).argmax(0), [0, 1]])
    total = float(largest.sum())
    return Plane(floats(points * np.where(signs == 0, 1, signs)), float(largest[:2].sum()) / total if total else 1.0)


class LayerContrast(NamedTuple):
    """Mean divergence of two heads of the same layer (`within`) and of different layers (`between`).

    A mean is NaN if there is no such pair of heads.
    """

    within: float
    between: float


def contrast_layers(divergences: Floats, layers: Integers) -> LayerContrast:
    """Return two mean divergences: of two heads of the same layer, and of two heads of different layers.

    Args:
        divergences: float64 [heads, heads], the divergence of each two heads.
        layers: int64 [heads], the layer of each head.
    """
    rows, columns = np.triu_indices(len(layers), 1)
    values, same = divergences[rows, columns], layers[rows] == layers[columns]
    return LayerContrast(*(float(part.mean()) if len(part) else np.nan for part in (values[same], values[~same])))


def layer_p_value(divergences: Floats, layers: Integers, permutations: int, rng: np.random.Generator) -> float:
    """Return the p-value of the hypothesis that heads of one layer are no nearer to each other than to other heads.

    The p-value follows from a permutation test, which assigns heads to layers at random.

    Args:
        divergences: float64 [heads, heads], the divergence of each two heads.
        layers: int64 [heads], the layer of each head.
        permutations: number of random assignments of heads to layers.
        rng: random generator of the assignments.

    Returns:
        The p-value; NaN if there is only one layer, or one head in each layer.
    """
    rows, columns = np.triu_indices(len(layers), 1)
    values = divergences[rows, columns]

    def within(assigned: Integers) -> float:
        return float(values[assigned[rows] == assigned[columns]].mean())

    if len(np.unique(layers)) in {1, len(layers)}:
        return np.nan
    measured = within(layers)
    lower = sum(within(rng.permutation(layers)) <= measured + 1e-12 for _ in range(permutations))
    return (1 + lower) / (1 + permutations)
