"""`BatchSampler`: shuffled batches of examples, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BatchSampler:
    """Endless shuffled batches of example indices, epoch after epoch; every epoch has each example once.

    The order of an epoch depends on the seed and the epoch's number alone, so that a run can be resumed at any step.

    Attributes:
        lengths: int64 [n], number of tokens of each example.
        size: examples in a batch; the last batch of an epoch may be smaller, or larger (see `least`).
        seed: decides the order.
        pool: number of batches whose examples are sorted by length together; 1 makes batches random. Sorting speeds up
            recurrent layers, which take as many steps as the longest sequence of a batch; packed encoders gain nothing
            from it, and learn better from random batches.
        least: fewest examples in a batch: a smaller rest of an epoch is joined to the batch before it.
    """

    lengths: Numbers
    size: int
    seed: int
    pool: int = 1
    least: int = 1

    @property
    def batches_per_epoch(self) -> int:
        """Number of batches in an epoch."""
        return num_batches(len(self.lengths), self.size, self.least)

    def epoch(self, number: int) -> list[Numbers]:
        """Return the batches of an epoch, each as the indices of its examples, int64 [examples].

        Args:
            number: the number of the epoch, from 0.
        """
        rng = seeds.child(self.seed, "epoch", number)
        order = rng.permutation(len(self.lengths))
        pool_size = self.size * self.pool
        pools = [order[start : start + pool_size] for start in range(0, len(order), pool_size)]
        ordered = np.concatenate([pool[np.argsort(self.lengths[pool], kind="stable")] for pool in pools])
        batches = np.split(ordered, np.arange(1, self.batches_per_epoch) * self.size)
        return [batches[index] for index in rng.permutation(len(batches))]

    def after(self, step: int) -> Iterator[Numbers]:
        """Yield batches without end, beginning with the batch of a given step.

        Args:
            step: the step, from 0.

        Yields:
            int64 [batch] for each batch, the indices of its examples.
        """
        number, skipped = divmod(step, self.batches_per_epoch)
        while True:
            yield from self.epoch(number)[skipped:]
            number, skipped = number + 1, 0


def num_batches(count: int, size: int, least: int = 1) -> int:
    """Return the number of batches in an epoch of `count` examples.

    Args:
        count: number of examples.
        size: examples in a batch.
        least: fewest examples in a batch: a smaller rest is joined to the batch before it.

    >>> num_batches(6, 3), num_batches(7, 3), num_batches(7, 3, least=2), num_batches(1, 3, least=2)
    (2, 3, 2, 1)
    """
    whole, rest = divmod(count, size)
    return whole if whole and rest < least else whole + (rest > 0)
