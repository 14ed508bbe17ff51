"""Similarity of the words of one sentence in a layer, and what it would be if context did nothing.

The published intra-sentence similarity compares each word with a mean that includes the word itself. That alone keeps
it far above the anisotropy baseline in short sentences, even for static vectors. So we report its own null with it,
and the mean cosine between the sentence's words, which needs no null but the baseline.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.cosine import Vectors, from_sums, unit
from wordworth.measures.weighted_sums import Floats, floats, ratio


@dataclass(frozen=True, slots=True)
class Alike:
    """Similarity of each sentence's words: `to_mean` as published, `between` words; float64 [sentences], may be NaN."""

    to_mean: Floats
    between: Floats


def intra_sentence(vectors: Vectors) -> float:
    """The mean cosine of a sentence's words with their mean (Ethayarajh 2019, section 3.2); NaN where that mean is 0.

    The published measure of one sentence; studies compute many at once, with `sentences`.

    Args:
        vectors: [n, d], the words of one sentence.
    """
    return float(sentences(vectors, np.array([0, len(vectors)])).to_mean[0])


def sentences(vectors: Vectors, starts: NDArray[np.int64]) -> Alike:
    """Compute both similarities of every sentence.

    Args:
        vectors: [words, d], sentences end to end.
        starts: int64 [sentences + 1]; sentence i is `vectors[starts[i]:starts[i + 1]]`, never empty.
    """
    totals = np.add.reduceat(floats(vectors), starts[:-1], axis=0)
    return from_totals(totals, np.add.reduceat(unit(vectors), starts[:-1], axis=0), np.diff(starts))


def drawn(vectors: Vectors, chosen: csr_matrix) -> Alike:
    """Compute both similarities of sentences made of rows of a pool, without copying the rows.

    Args:
        vectors: [pool, d].
        chosen: [sentences, pool], how often each row is in each sentence; no sentence is empty.
    """
    counts = floats(chosen.sum(axis=1)).ravel()
    return from_totals(chosen @ floats(vectors), chosen @ unit(vectors), counts)


def from_totals(totals: Floats, sums: Floats, counts: NDArray[np.number]) -> Alike:
    """Compute both from each sentence's sums of vectors and of unit vectors [sentences, d] and its number of words."""
    dot_products = floats(np.einsum("sd,sd->s", totals, sums))
    to_mean = ratio(dot_products, counts * np.linalg.norm(totals, axis=1), otherwise=np.nan)
    return Alike(to_mean, from_sums(sums, counts))


def null(baseline: float | Floats, counts: NDArray[np.number]) -> Floats:
    """The value of `to_mean` for n vectors of equal length whose pairs all have the baseline's cosine b.

    sqrt((1 + (n - 1) b) / n), for each n of `counts`: subtracting only b leaves this minus b where context does
    nothing. Vectors of unequal length give less. `study context` takes its null from sentences made of random
    occurrences; this closed form is what tests compare it with.
    """
    n = floats(counts)
    return floats(np.sqrt(np.maximum(0.0, (1 + (n - 1) * floats(baseline)) / n)))
