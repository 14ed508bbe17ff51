"""Intra-sentence similarity: cosines of the words of a sentence in one layer, with a null for words without context.

The published measure (Ethayarajh 2019, section 3.2) compares each word with a mean that includes the word itself. In
short sentences this inclusion alone puts the measure far above the anisotropy baseline, even for static vectors.
Reports therefore also give its null: the measure on sentences of randomly drawn words (`drawn`). A second measure, the
mean cosine between different words of the sentence, can be compared with the anisotropy baseline itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.mean_cosine import Vectors, from_sums, unit
from wordworth.measures.weighted_sums import Floats, floats, ratio


@dataclass(frozen=True, slots=True)
class IntraSentenceSimilarity:
    """How similar the vectors of the words of each sentence are, by two measures.

    Attributes:
        to_mean: float64 [sentences], the mean cosine of the words with the mean vector of their sentence (Ethayarajh
            2019, section 3.2).
        between: float64 [sentences], the mean cosine between different words; NaN for a sentence of one word.
    """

    to_mean: Floats
    between: Floats


def drawn(vectors: Vectors, chosen: csr_matrix) -> IntraSentenceSimilarity:
    """Compute both similarities of `IntraSentenceSimilarity` for sentences whose words are drawn from a pool.

    The vectors of the pool are not copied.

    Args:
        vectors: [pool, d], the vectors of the words in the pool.
        chosen: [sentences, pool], how often each vector is in each sentence; no sentence is empty.
    """
    counts = floats(chosen.sum(axis=1)).ravel()
    return from_totals(chosen @ floats(vectors), chosen @ unit(vectors), counts)


def from_totals(totals: Floats, sums: Floats, counts: NDArray[np.number]) -> IntraSentenceSimilarity:
    """Compute both similarities of `IntraSentenceSimilarity` from sums over the words of each sentence.

    Args:
        totals: [sentences, d], the sum of the vectors of each sentence's words.
        sums: [sentences, d], the sum of the same vectors scaled to length 1.
        counts: [sentences], the number of words of each sentence.
    """
    dot_products = floats(np.einsum("sd,sd->s", totals, sums))
    to_mean = ratio(dot_products, counts * np.linalg.norm(totals, axis=1), otherwise=np.nan)
    return IntraSentenceSimilarity(to_mean, from_sums(sums, counts))
