"""Random generators by name: each generator of a run is derived from the seed of the run and a name."""

from __future__ import annotations

import hashlib

import numpy as np


def child_seed(seed: int, *names: object) -> int:
    """Return a 63-bit seed for a part of a run: the same `seed` and `names` give the same value on every machine.

    A name may be that of a file and hold bytes that are not UTF-8.
    """
    words = "\x1f".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(words.encode(errors="surrogatepass")).digest()[:8], "little") >> 1


def child(seed: int, *names: object) -> np.random.Generator:
    """Return a numpy generator for a part of a run, seeded by `child_seed`.

    >>> child(0, "bootstrap").random() == child(0, "bootstrap").random()
    True
    """
    return np.random.default_rng(child_seed(seed, *names))
