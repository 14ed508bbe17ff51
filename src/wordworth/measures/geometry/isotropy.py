"""Isotropy: does a space use its directions evenly? Some of these measures depend on the mean vector, some do not."""

from __future__ import annotations

import numpy as np

from wordworth.measures.geometry.cosine import Vectors, unit
from wordworth.measures.weighted_sums import Floats, floats


def iso_score(vectors: Vectors) -> float:
    """IsoScore of points [n, d] (Rudman et al. 2022, section 4): 1 for equal variances, 0 for one direction only.

    (PR - 1) / (d - 1), with PR = (sum v)^2 / sum v^2 the participation ratio of the principal components' variances v:
    the algebra of the paper's five steps. Shift, scale and rotation do not change it. It is biased low unless there are
    many times more points than dimensions: compare at equal n, and against `iso_score` of as many isotropic points. NaN
    where the points do not vary.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    gram = centred.T @ centred if len(centred) > centred.shape[1] else centred @ centred.T
    total, squares, dimensions = float(np.trace(gram)), float((gram**2).sum()), centred.shape[1]
    if squares == 0 or dimensions == 1:
        return np.nan
    return float((total * total / squares - 1) / (dimensions - 1))


def contributions(vectors: Vectors) -> Floats:
    """float64 [d]: what each dimension adds to the mean cosine over pairs (Timkey and van Schijndel 2021, section 3).

    They sum to `cosine.mean_cosine`; some may be negative, so that a share of the sum may exceed 1.
    """
    units = unit(vectors)
    n = len(units)
    return floats((units.sum(axis=0) ** 2 - (units**2).sum(axis=0)) / (n * n - n))


def top_share(vectors: Vectors, top: int = 3) -> float:
    """Share of the mean cosine that comes from its `top` largest contributions; NaN where the mean cosine is 0."""
    parts = np.sort(contributions(vectors))[::-1]
    total = float(parts.sum())
    return float(parts[:top].sum()) / total if total else np.nan


def standardised(vectors: Vectors) -> Floats:
    """float64 [n, d]: each dimension at mean 0 and variance 1 (Timkey and van Schijndel 2021); a constant one at 0.

    Their remedy where `top_share` is large: apply it to your vectors before taking cosines. No study does so.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    spread = centred.std(axis=0)
    return floats(np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0))


def partition_isotropy(vectors: Vectors, *, both_signs: bool = True) -> float:
    """Min F(c) / max F(c), F(c) = sum of exp(c . v) over rows v, c the eigenvectors of V'V (Mu and Viswanath 2018).

    An eigenvector's sign is arbitrary and F is not even, so that by default -c counts as well. A published measure of
    static tables, for comparison with published figures. It depends on the mean, so studies report `iso_score`.
    """
    rows = floats(vectors)
    directions = np.linalg.eigh(rows.T @ rows)[1]
    scores = rows @ directions
    sums = np.exp(np.concatenate([scores, -scores], axis=1) if both_signs else scores).sum(axis=0)
    return float(sums.min() / sums.max())
