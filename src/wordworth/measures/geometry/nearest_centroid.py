"""Senses as clusters of occurrences: the nearest centroid, and how much closer a sense is to itself than to others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio

Vectors = NDArray[np.floating]
_DECIMALS = 5


def unit_or_zero(vectors: Vectors) -> Vectors:
    """[..., d] each vector brought to length 1 in its own type; one of zeros, which has no direction, stays so."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    found: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return found


def nearest_centroid(vectors: Vectors, sums: Vectors) -> Integers:
    """int64 [n, layers]: the sense whose centroid has the largest cosine; -1 where the centroids tell nothing.

    Coenen et al. 2019, section 4.1 (one centroid a sense, the nearest wins), by layer. They tell nothing of a
    vector of zeros, nor where all are equally near, to five decimals (sums in float32 know no more): so it is with a
    static table, whose vectors of a word are all one. Where only some are equally near, the first of these wins: senses
    should come the most frequent first.

    Args:
        vectors: [n, layers, d].
        sums: [senses, layers, d], sums of each sense's unit vectors; a centroid's length does not matter.
    """
    close = np.einsum("nld,sld->nls", vectors, unit_or_zero(sums)).round(_DECIMALS)
    tells = vectors.any(axis=-1) & (close.max(axis=-1) > close.min(axis=-1))
    return np.where(tells, close.argmax(axis=-1), -1).astype(np.int64)


def alike(sums: Vectors, counts: NDArray[np.number]) -> tuple[Floats, Floats, Floats]:
    """Mean cosine of a word's pairs of occurrences: of all, of those of one sense, of those of two senses.

    From sums alone, as `cosine.from_sums`. Under permuted labels the latter two are equal in expectation.

    Args:
        sums: [senses, layers, d], sums of unit vectors.
        counts: [senses], how many are in each.

    Returns:
        Three float64 [layers]; NaN where there are no such pairs.
    """
    n, wide = floats(counts), floats(sums)
    by_sense = np.einsum("sld,sld->sl", wide, wide).sum(axis=0)
    whole = floats((wide.sum(axis=0) ** 2).sum(axis=-1))
    pairs, same = n.sum() ** 2 - n.sum(), (n * n - n).sum()
    none = np.nan
    return (
        ratio(whole - n.sum(), floats(pairs), otherwise=none),
        ratio(by_sense - n.sum(), floats(same), otherwise=none),
        ratio(whole - by_sense, floats(pairs - same), otherwise=none),
    )


def plane(vectors: Vectors) -> tuple[Floats, float]:
    """Float64 [n, 2], the vectors in the plane of their two largest principal components, and the share that it shows.

    Signs are fixed so that each component's largest loading is positive: the same vectors give the same picture.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    places = np.zeros((len(centred), 2))
    kept = min(2, len(axes))
    places[:, :kept] = centred @ (axes * signs[:, None])[:kept].T
    total = float((lengths**2).sum())
    return places, float((lengths[:kept] ** 2).sum() / total) if total else float("nan")
