"""Cut pairs of consecutive texts to the length of a sequence, as the original does it: token by token."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Slices = NDArray[np.int64]


def two_texts(
    sentences: Slices, begins: NDArray[np.int64], middles: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[Slices, Slices]:
    """The token slices, int64 [n, 2] each, of two consecutive texts: from begin to middle and from middle to end.

    Args:
        sentences: the index of each sentence's first token, and the end of the last one.
        begins: int64 [n], the first sentence of each first text.
        middles: int64 [n], the first sentence of each second text.
        ends: int64 [n], the sentence after both.
    """
    begin, middle, end = sentences[begins], sentences[middles], sentences[ends]
    return np.stack([begin, middle], axis=1), np.stack([middle, end], axis=1)


def truncate(first: Slices, second: Slices, room: int, rng: np.random.Generator) -> tuple[Slices, Slices]:
    """Both slices of each pair, int64 [n, 2], cut until they have `room` tokens together.

    While they have more, one token of the longer text is dropped (of the second, when they are equally long), from its
    front or its back with equal chance. How many each loses follows from the lengths alone, so that only the number
    dropped from the front is drawn, binomially. `truncate_seq_pair` of google-research/bert,
    create_pretraining_data.py.

    Args:
        first: slices of the first texts.
        second: slices of the second texts.
        room: tokens that fit into a sequence beside its special tokens.
        rng: source of randomness.
    """
    lengths = np.stack([first[:, 1] - first[:, 0], second[:, 1] - second[:, 0]])
    excess = np.maximum(lengths.sum(axis=0) - room, 0)
    difference = lengths[0] - lengths[1]
    alone = np.minimum(excess, np.abs(difference))
    rest = excess - alone
    from_first = np.where(difference > 0, alone, 0) + rest // 2
    from_second = np.where(difference < 0, alone, 0) + rest - rest // 2
    return _cut(first, from_first, rng), _cut(second, from_second, rng)


def _cut(slices: Slices, number: NDArray[np.int64], rng: np.random.Generator) -> Slices:
    front = rng.binomial(number, 0.5)
    return np.stack([slices[:, 0] + front, slices[:, 1] - (number - front)], axis=1)
