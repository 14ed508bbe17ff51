"""The maximum attention score: which of the nouns that a pronoun may refer to gets most attention, over all heads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def maximum_attention_scores(attention: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the maximum attention score of each candidate (Klein and Nabi 2019, arXiv 1905.13497, equation 1).

    The candidates are the nouns that a pronoun may refer to. A head adds to the score of only one candidate, the one
    that gets most of its attention, and it adds the amount of this attention; in a tie it adds to the scores of all
    tied candidates. Scores are divided by their sum, so that scaling all attention changes nothing. Without any
    attention the candidates get equal scores.

    Args:
        attention: [candidates, ...], the attention between each candidate and the pronoun, 0 or more, in every head;
            layers may have different numbers of heads if all heads are on one axis.

    Returns:
        float64 [candidates].

    >>> maximum_attention_scores(np.array([[0.3, 0.1], [0.1, 0.2]])).round(3).tolist()
    [0.6, 0.4]
    """
    by_head = np.asarray(attention, dtype=np.float64).reshape(len(attention), -1)
    largest = by_head.max(0, initial=0.0)
    won = np.where(by_head == largest, by_head, 0.0).sum(1)
    total = won.sum()
    return won / total if total > 0 else np.full(len(by_head), 1 / len(by_head))
