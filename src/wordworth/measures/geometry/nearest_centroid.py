"""Word senses as clusters of occurrences: the nearest centroid, and similarity within senses against between senses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio

Vectors = NDArray[np.floating]
_DECIMALS = 5


def nearest_centroid(vectors: Vectors, sums: Vectors) -> Integers:
    """Return the index of the sense whose centroid has the largest cosine with each vector; -1 where undecided.

    The result is int64 [n, layers]. The method is the classifier of Coenen et al. 2019, section 4.1, applied to each
    layer. A zero vector is undecided. A vector whose cosines to all centroids are equal to five decimals (the precision
    of sums in float32) is undecided too: for example with a static table, which has one vector for all occurrences of a
    word. If only some centroids are equally near, the first of these wins: order senses by frequency, the most frequent
    first.

    Args:
        vectors: [n, layers, d], the vectors of the occurrences of a word.
        sums: [senses, layers, d], sums of each sense's unit vectors; a centroid's length does not matter.
    """
    cosines = np.einsum("nld,sld->nls", vectors, unit_or_zero(sums)).round(_DECIMALS)
    decides = vectors.any(axis=-1) & (cosines.max(axis=-1) > cosines.min(axis=-1))
    return np.where(decides, cosines.argmax(axis=-1), -1).astype(np.int64)


def mean_cosines(sums: Vectors, counts: NDArray[np.number]) -> tuple[Floats, Floats, Floats]:
    """Return the mean cosine over three kinds of pairs of a word's occurrences: all, within and between senses.

    The means are computed from sums alone, as in `mean_cosine.from_sums`. If sense labels are permuted, the means over
    pairs of one sense and of two senses are equal in expectation.

    Args:
        sums: [senses, layers, d], the sum of the unit vectors of each sense's occurrences.
        counts: [senses], the number of occurrences of each sense.

    Returns:
        (over all pairs, over pairs of one sense, over pairs of two senses), float64 [layers] each; NaN without such
        pairs.
    """
    n, sums64 = floats(counts), floats(sums)
    same_sense = np.einsum("sld,sld->sl", sums64, sums64).sum(axis=0)
    all_pairs = floats((sums64.sum(axis=0) ** 2).sum(axis=-1))
    pairs, same = n.sum() ** 2 - n.sum(), (n * n - n).sum()
    undefined = np.nan
    return (
        ratio(all_pairs - n.sum(), floats(pairs), otherwise=undefined),
        ratio(same_sense - n.sum(), floats(same), otherwise=undefined),
        ratio(all_pairs - same_sense, floats(pairs - same), otherwise=undefined),
    )


def plane(vectors: Vectors) -> tuple[Floats, float]:
    """Project vectors on their two largest principal components; return (projections, share of variance kept).

    The projections are float64 [n, 2]. Signs are fixed so that each component's largest loading is positive: the same
    vectors give the same picture.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    coordinates = np.zeros((len(centred), 2))
    components = min(2, len(axes))
    coordinates[:, :components] = centred @ (axes * signs[:, None])[:components].T
    total = float((lengths**2).sum())
    return coordinates, float((lengths[:components] ** 2).sum() / total) if total else float("nan")
