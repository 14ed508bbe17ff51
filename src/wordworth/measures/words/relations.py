"""Relational similarity: a word pair's difference vector compared with that of the relation's model pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats


def likeness(models: NDArray[np.floating], pairs: NDArray[np.floating]) -> Floats:
    """float64 [n]: similarity of each pair to the relation, the dot product with the models' mean difference.

    Args:
        models: [m, 2, d], the left and right words of the model pairs.
        pairs: [n, 2, d].

    As in the published benchmark of SemEval-2012 task 2: differences are not normalised.
    """
    prototype = (models[:, 0] - models[:, 1]).astype(np.float64).mean(axis=0)
    return floats((pairs[:, 0] - pairs[:, 1]).astype(np.float64) @ prototype)
