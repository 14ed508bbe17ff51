"""Pairs of labelled texts for contrastive training (SetFit), drawn step by step: positive if both labels are equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.text.tokens import Tokens
from wordworth.training.sentences.losses.base import ComparedTexts
from wordworth.training.sentences.tokenized_rows import Rows, compared, used_ids


@dataclass(frozen=True, slots=True)
class LabelPairs:
    """All pairs of n labelled texts, as rows with a score of 1 if both texts have the same label, else 0.

    Row `n * i + j` is the pair of text i and text j, so no list of pairs is kept in memory.

    Attributes:
        tokens: the tokens of each text.
        labels: int64 [n], the class of each text.
    """

    tokens: Sequence[Tokens]
    labels: NDArray[np.int64]

    @property
    def used_ids(self) -> Rows:
        """The distinct token ids of all texts, int64 [ids], ascending."""
        return used_ids(self.tokens)

    def batches(self, size: int, seed: int) -> PairSampler:
        """Return an endless source of batches, as indices of pairs (rows of `LabelPairs`).

        Args:
            size: number of pairs in a batch.
            seed: seed of the order.
        """
        return PairSampler(self.labels, size, seed)

    def compared(self, rows: Rows, device: torch.device) -> tuple[Rows, ComparedTexts]:
        """Return the distinct texts of some pairs, int64 [texts], and the pairs as indices into these texts.

        Args:
            rows: int64 [n], the indices of the pairs, counted as in `LabelPairs`.
            device: the device of the result.
        """
        first, second = np.divmod(rows, len(self.labels))
        alike = torch.from_numpy((self.labels[first] == self.labels[second]).astype(np.float32))
        return compared(np.stack([first, second, np.full_like(first, -1)], axis=1), alike, device)


@dataclass(frozen=True, slots=True)
class PairSampler:
    """Endless batches of pairs of labelled texts: half of the pairs have equal labels, half different ones.

    A batch depends on the seed and the step alone. A text is drawn at random, then another text of its label or of any
    other label. The only text of a label is paired with itself. There must be at least two labels.

    Attributes:
        labels: int64 [n], the class of each text.
        size: number of pairs in a batch.
        seed: decides the pairs.
    """

    labels: NDArray[np.int64]
    size: int
    seed: int

    def after(self, step: int) -> Iterator[Rows]:
        """Yield batches of indices of pairs (rows of `LabelPairs`), int64 [size], beginning with the batch of a step.

        Args:
            step: the step, from 0.
        """
        order = np.argsort(self.labels, kind="stable")
        _, label, counts = np.unique(self.labels, return_inverse=True, return_counts=True)
        starts = np.cumsum(counts) - counts
        position = np.empty_like(order)
        position[order] = np.arange(len(order))
        while True:
            rng = seeds.child(self.seed, "pairs", step)
            first = rng.integers(len(order), size=self.size)
            start, count = starts[label[first]], counts[label[first]]
            own = position[first] - start
            shifted = (own + 1 + rng.integers(np.maximum(count - 1, 1))) % count
            other = rng.integers(len(order) - count)
            unlike = other + count * (other >= start)
            is_alike = np.arange(self.size) < (self.size + 1) // 2
            yield len(order) * first + order[np.where(is_alike, start + shifted, unlike)]
            step += 1
