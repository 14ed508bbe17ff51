"""Description length by online coding (Voita and Titov 2020, arXiv 2003.12298, section 3.2).

Labels are sent in blocks; each is coded by a model trained on the blocks before it, the first by a uniform code. The
length is the area under the learning curve of the log-loss, drawn as steps over the number of labels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


def block_ends(items: int, halvings: int) -> Integers:
    """Return the ends of blocks that each double the number of labels sent, int64 [blocks]; the last is `items`.

    Args:
        items: number of items.
        halvings: maximal number of times that the whole is halved; blocks have at least one item.
    """
    ends = {max(1, items >> halving) for halving in range(halvings + 1)}
    return np.array(sorted(ends), dtype=np.int64)


def online_code(targets: Sequence[int] | Integers, losses: Sequence[float] | Floats, uniform: float) -> float:
    """Return the length of the online code of all labels, in bits.

    Args:
        targets: number of targets in each block.
        losses: mean loss of each block but the first, in nats a target, of the model trained on all blocks before it.
        uniform: bits of a target under the uniform code.
    """
    sent = np.asarray(targets, dtype=np.float64)
    return float(sent[0] * uniform + sent[1:] @ np.asarray(losses, dtype=np.float64) / np.log(2))
