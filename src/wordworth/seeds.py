"""Randomness by name: every generator of a run is derived from the run's one seed and a name."""

from __future__ import annotations

import hashlib

import numpy as np


def child_seed(seed: int, *names: object) -> int:
    """A 63-bit seed for the named part of a run: same seed and names, same value, on every machine."""
    words = "\x1f".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "little") >> 1


def child(seed: int, *names: object) -> np.random.Generator:
    """A numpy generator for the named part of a run.

    >>> child(0, "bootstrap").random() == child(0, "bootstrap").random()
    True
    """
    return np.random.default_rng(child_seed(seed, *names))
