"""Sampling shares of several corpora: proportional to their sizes to the power of an exponent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput


def sampling_shares(sizes: Sequence[int], exponent: float) -> NDArray[np.float64]:
    """Return the share of each corpus in a mixture, proportional to its size to the power of an exponent.

    With the exponent 1 the proportions stay; with 0 all corpora are drawn equally often. Multilingual BERT used 0.7 for
    its text and for the counts of its vocabulary (google-research/bert, multilingual.md).

    Args:
        sizes: number of tokens or words of each corpus, all above 0.
        exponent: 0 or more.

    Returns:
        float64 [corpora], which add up to 1.

    >>> sampling_shares([1000, 1], 0.7).round(4).tolist()
    [0.9921, 0.0079]
    """
    weights: NDArray[np.float64] = np.array(sizes, dtype=np.float64) ** exponent
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def require_several(sampling: float, corpora: int) -> None:
    """Check that a sampling exponent is only set if there are several corpora.

    Args:
        sampling: the exponent of `sampling_shares`; 1 if it is not set.
        corpora: number of corpora.

    Raises:
        BadInput: there is one corpus, and the exponent is not 1.
    """
    if sampling != 1 and corpora == 1:
        raise BadInput("--sampling mixes several corpora, and only one is given", mend="give several, or leave it out")
