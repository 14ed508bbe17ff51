"""Similarity of the words of one sentence in a layer, and what it would be if context did nothing.

The published intra-sentence similarity (Ethayarajh 2019, section 3.2) compares each word with a mean that includes the
word itself. That alone keeps it far above the anisotropy baseline in short sentences, even for static vectors. So we
report its own null with it, and the mean cosine between the sentence's words, which needs no null but the baseline.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.cosine import Vectors, from_sums, unit
from wordworth.measures.weighted_sums import Floats, floats, ratio


@dataclass(frozen=True, slots=True)
class IntraSentenceSimilarity:
    """Similarity of each sentence's words: `to_mean` as published, `between` words; float64 [sentences], may be NaN."""

    to_mean: Floats
    between: Floats


def drawn(vectors: Vectors, chosen: csr_matrix) -> IntraSentenceSimilarity:
    """Compute both similarities of sentences made of rows of a pool, without copying the rows.

    Args:
        vectors: [pool, d].
        chosen: [sentences, pool], how often each row is in each sentence; no sentence is empty.
    """
    counts = floats(chosen.sum(axis=1)).ravel()
    return from_totals(chosen @ floats(vectors), chosen @ unit(vectors), counts)


def from_totals(totals: Floats, sums: Floats, counts: NDArray[np.number]) -> IntraSentenceSimilarity:
    """Compute both from each sentence's sums of vectors and of unit vectors [sentences, d] and its number of words."""
    dot_products = floats(np.einsum("sd,sd->s", totals, sums))
    to_mean = ratio(dot_products, counts * np.linalg.norm(totals, axis=1), otherwise=np.nan)
    return IntraSentenceSimilarity(to_mean, from_sums(sums, counts))
