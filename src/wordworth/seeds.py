"""Random generators for the steps of a run, such as the bootstrap: each is derived from the run's seed and a name."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray


def child_seed(seed: int, *names: object) -> int:
    """Return a 63-bit seed for a step of a run: the same `seed` and `names` give the same value on every machine.

    Args:
        seed: the seed of the run.
        names: what identifies the step, such as its name and a number, hashed as `str`; file names with bytes that are
            not UTF-8 are accepted.
    """
    words = "\x1f".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(words.encode(errors="surrogatepass")).digest()[:8], "little") >> 1


def child(seed: int, *names: object) -> np.random.Generator:
    """Return a numpy generator for a step of a run, seeded by `child_seed(seed, *names)`.

    >>> child(0, "bootstrap").random() == child(0, "bootstrap").random()
    True
    """
    return np.random.default_rng(child_seed(seed, *names))


def sorted_sample(rng: np.random.Generator, items: int | NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Draw items at random without replacement, and return them in ascending order.

    >>> sorted_sample(child(0, "rows"), 5, 10)
    array([0, 1, 2, 3, 4])

    Args:
        rng: the source of randomness.
        items: int64 [n], the items; or their number n, for the integers from 0 to n - 1.
        most: the largest number of items to draw; if there are at most this many items, all are returned.

    Returns:
        The items that were drawn, int64 [min(n, most)].
    """
    number = items if isinstance(items, int) else len(items)
    return np.sort(rng.choice(items, min(most, number), replace=False))
