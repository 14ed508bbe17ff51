"""Description length by online coding (Voita and Titov 2020, arXiv 2003.12298, section 3.2).

Labels are sent in blocks; each is coded by a model trained on the blocks before it, the first by a uniform code. The
length is the area under the learning curve of the log-loss, drawn as steps over the number of labels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


def block_ends(items: int, halvings: int) -> Integers:
    """Return the number of items at which each block of an online code ends, int64 [blocks], ascending.

    The ends are found by halving `items` again and again.

    Args:
        items: number of items, which is the last end.
        halvings: maximal number of halvings; the first block has at least one item.
    """
    ends = {max(1, items >> halving) for halving in range(halvings + 1)}
    return np.array(sorted(ends), dtype=np.int64)


def online_code(targets: Sequence[int] | Integers, losses: Sequence[float] | Floats, uniform: float) -> float:
    """Return the length of the online code of all labels, in bits (Voita and Titov 2020, section 3.2).

    Args:
        targets: int [blocks], the number of targets (labels to predict) in each block.
        losses: float [blocks - 1], for each block but the first the mean loss per target, in nats, of the model trained
            on all blocks before it.
        uniform: bits per target under the uniform code, by which the first block is sent.
    """
    sent = np.asarray(targets, dtype=np.float64)
    return float(sent[0] * uniform + sent[1:] @ np.asarray(losses, dtype=np.float64) / np.log(2))
