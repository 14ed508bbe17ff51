"""How alike the words of one sentence are under a layer, and what that would be if context did nothing.

The published intra-sentence similarity compares each word with a mean that holds the word itself. That alone keeps it
far above the anisotropy baseline in short sentences, static vectors included; so its own null stands beside it, and so
does the mean cosine between the sentence's words, which needs none but the baseline.
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
    """Of each sentence: `to_mean` as published, `between` its words; float64 [sentences], NaN where undefined."""

    to_mean: Floats
    between: Floats


def intra_sentence(vectors: Vectors) -> float:
    """The mean cosine of a sentence's words with their mean (Ethayarajh 2019, section 3.2); NaN where that mean is 0.

    The published measure of one sentence, as a user may ask it; studies ask of many at once, by `sentences`.

    Args:
        vectors: [n, d], the words of one sentence.
    """
    return float(sentences(vectors, np.array([0, len(vectors)])).to_mean[0])


def sentences(vectors: Vectors, starts: NDArray[np.int64]) -> Alike:
    """Both similarities of every sentence.

    Args:
        vectors: [words, d], sentences end to end.
        starts: int64 [sentences + 1]; sentence i is `vectors[starts[i]:starts[i + 1]]`, none may be empty.
    """
    totals = np.add.reduceat(floats(vectors), starts[:-1], axis=0)
    return from_totals(totals, np.add.reduceat(unit(vectors), starts[:-1], axis=0), np.diff(starts))


def drawn(vectors: Vectors, chosen: csr_matrix) -> Alike:
    """Both similarities of sentences that are made of rows of a pool, which are not copied for it.

    Args:
        vectors: [pool, d].
        chosen: [sentences, pool], how often each row is in each sentence; none may be empty.
    """
    counts = floats(chosen.sum(axis=1)).ravel()
    return from_totals(chosen @ floats(vectors), chosen @ unit(vectors), counts)


def from_totals(totals: Floats, sums: Floats, counts: NDArray[np.number]) -> Alike:
    """Both similarities, from sentences' sums of vectors and of unit vectors [sentences, d] and numbers of words."""
    along = floats(np.einsum("sd,sd->s", totals, sums))
    to_mean = ratio(along, counts * np.linalg.norm(totals, axis=1), otherwise=np.nan)
    return Alike(to_mean, from_sums(sums, counts))


def null(baseline: float | Floats, counts: NDArray[np.number]) -> Floats:
    """What `to_mean` is for n vectors of equal length whose pairs all have the baseline's cosine b.

    sqrt((1 + (n - 1) b) / n), for each n of `counts`: subtracting only b leaves this minus b where context does
    nothing. Vectors of unequal length lie below it. The closed form of the null that `study context` takes from
    sentences made of any occurrences, and what tests hold that null to.
    """
    n = floats(counts)
    return floats(np.sqrt(np.maximum(0.0, (1 + (n - 1) * floats(baseline)) / n)))
