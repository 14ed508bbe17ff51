"""Measures of the encoder layer at which a probe's information is (Tenney et al. 2019, arXiv 1905.05950, section 3)."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats, ratio


def centre_of_gravity(shares: Floats) -> float:
    """Return the centre of gravity of mixing weights: the mean index of the layers, each weighted by its share.

    The centre is E_s = sum over l of l * s_l (Tenney et al. 2019, equation 2).

    Args:
        shares: float64 [layers + 1], the mixing weights of layers 0 up, summing to 1.
    """
    return float(np.arange(len(shares)) @ shares)


def kl_to_uniform(shares: Floats) -> float:
    """Return the Kullback-Leibler divergence of mixing weights from equal weights, in nats.

    Args:
        shares: float64 [layers + 1], the mixing weights, summing to 1.
    """
    positive = shares[shares > 0]
    return float(np.sum(positive * np.log(positive * len(shares))))


def gains(scores: Floats) -> Floats:
    """Return how much each layer adds to the score of the layers below it, Delta_l = score_l - score_(l-1).

    The formula is equation 3 of Tenney et al. (2019, arXiv 1905.05950).

    Args:
        scores: float64 [..., layers + 1], the scores of the probes that mix layers 0 to l.

    Returns:
        float64 [..., layers], the gains of layers 1 up; negative where a layer lowers the score.
    """
    return floats(np.diff(scores, axis=-1))


def expected_layer(scores: Floats) -> Floats:
    """Return the expected layer of a probe: the mean index of the layers, each weighted by its gain in score.

    E_Delta = sum over l of l * Delta_l / sum over l of Delta_l, with l from 1. This is equation 4 of Tenney et al.
    (2019, arXiv 1905.05950).

    Args:
        scores: float64 [..., layers + 1], the scores of the probes that mix layers 0 to l.

    Returns:
        float64 [...]; NaN if all layers together gain nothing over layer 0. Negative gains count as they are, so
        that the value may lie outside 1 to the number of layers.
    """
    added = gains(scores)
    total = added.sum(-1)
    layers = np.arange(1, scores.shape[-1])
    return floats(ratio(added @ layers, np.where(total > 0, total, 0.0), otherwise=np.nan))
