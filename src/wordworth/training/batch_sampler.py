"""Which examples stand in which batch: shuffled every epoch, the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BatchSampler:
    """Batches of example numbers without end, an epoch after another; each epoch holds every example once.

    An epoch is a function of the seed and its number, so a run can be taken up at any step.

    Attributes:
        lengths: int64 [n], tokens of each example.
        size: examples in a batch; the last of an epoch may be smaller.
        seed: of the order.
        pool: batches that are sorted by length together; 1 is a random order. A recurrent layer walks as many steps as
            the longest of its batch has; a packed encoder has no padding to save, and learns better from random ones.
    """

    lengths: Numbers
    size: int
    seed: int
    pool: int = 1

    @property
    def each(self) -> int:
        """Batches in an epoch."""
        return -(-len(self.lengths) // self.size)

    def epoch(self, number: int) -> list[Numbers]:
        """The batches of one epoch, in order."""
        rng = seeds.child(self.seed, "epoch", number)
        order = rng.permutation(len(self.lengths))
        reach = self.size * self.pool
        pools = [order[start : start + reach] for start in range(0, len(order), reach)]
        ordered = np.concatenate([pool[np.argsort(self.lengths[pool], kind="stable")] for pool in pools])
        batches = [ordered[start : start + self.size] for start in range(0, len(ordered), self.size)]
        return [batches[place] for place in rng.permutation(len(batches))]

    def after(self, step: int) -> Iterator[Numbers]:
        """The batches from the one of `step` (0 first) on."""
        number, skipped = divmod(step, self.each)
        while True:
            yield from self.epoch(number)[skipped:]
            number, skipped = number + 1, 0
