"""Self-similarity of every word by sums of unit vectors, beside the plain loop over pairs; and what more words cost.

The loop is the published analysis as it is described: for each word, scipy's cosine distance of every ordered pair of
its occurrences. The released code draws 1,000 of the pairs where there are more; so the loop is timed both ways. The
all-pairs loop must give equal numbers.

python benchmarks/geometry.py --rounds 3 --most 1000000
"""

from __future__ import annotations

import time
import tracemalloc
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cosine

import measure
from wordworth.measures.geometry.streaming import GroupSums, Membership, units_and_lengths

WIDTH, WORDS, SAMPLED = 768, 40, 1_000
OCCURRENCES = (5, 120)
LINEAR_WIDTH, LINEAR_WORDS, BLOCK = 64, 5_000, 1_000


def main() -> None:
    """The three ways in turns on the same vectors; then streams of 10,000 occurrences and more."""
    asked = measure.arguments(__doc__, rounds=3, most=1_000_000)
    rng = np.random.default_rng(0)
    counts = rng.integers(*OCCURRENCES, WORDS)
    words = rng.permutation(np.repeat(np.arange(WORDS), counts))
    vectors = rng.normal(0.3, 1, (1, len(words), WIDTH)).astype(np.float32)
    works = {
        "loop over all pairs": lambda: looped(vectors[0], words),
        "loop over 1,000 pairs": lambda: looped(vectors[0], words, SAMPLED),
        "sums": lambda: summed(vectors, words),
    }
    off = float(np.abs(looped(vectors[0], words) - summed(vectors, words)).max())
    assert off < 1e-5, off
    seconds = measure.in_turns(works, asked.rounds)
    results = {
        "occurrences": len(words),
        "times faster than the loop over all pairs": measure.ratios(seconds, "loop over all pairs")["sums"],
        "times faster than the loop over 1,000 pairs": measure.ratios(seconds, "loop over 1,000 pairs")["sums"],
        "largest difference from all pairs": off,
        "linear": [streamed(10**power) for power in range(4, 9) if 10**power <= asked.most],
    }
    measure.report(results, asked.out)


def looped(vectors: NDArray[np.float32], words: NDArray[np.int64], most: int | None = None) -> NDArray[np.float64]:
    """A pair at a time; where there are more than `most` pairs of a word, so many drawn."""
    rng, found = np.random.default_rng(0), []
    for word in range(WORDS):
        pairs = list(permutations(np.flatnonzero(words == word), 2))
        if most is not None and len(pairs) > most:
            pairs = [pairs[place] for place in rng.choice(len(pairs), most, replace=False)]
        found.append(np.mean([1 - cosine(vectors[one], vectors[other]) for one, other in pairs]))
    return np.array(found)


def summed(vectors: NDArray[np.float32], words: NDArray[np.int64]) -> NDArray[np.float64]:
    """All words at once."""
    sums = GroupSums(Membership.of(np.arange(len(words)), words, WORDS), 1, WIDTH)
    sums.add(0, units_and_lengths(vectors)[0])
    return sums.self_similarity()[:, 0]


def streamed(occurrences: int) -> dict[str, Any]:
    """Seconds for a million occurrences at this size, drawing them not counted, and the memory at its peak."""
    rng = np.random.default_rng(0)
    words = rng.integers(0, LINEAR_WORDS, occurrences)
    block = rng.normal(0.3, 1, (1, BLOCK, LINEAR_WIDTH)).astype(np.float32)
    members = Membership.of(np.arange(occurrences), words, LINEAR_WORDS)
    tracemalloc.start()
    began = time.perf_counter()
    sums = GroupSums(members, 1, LINEAR_WIDTH)
    for start in range(0, occurrences, BLOCK):
        sums.add(start, units_and_lengths(block)[0])
    sums.self_similarity()
    took, peak = time.perf_counter() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "occurrences": occurrences,
        "seconds a million": round(1e6 * took / occurrences, 2),
        "peak MB beside the index of words": round(peak / 1e6, 1),
    }


if __name__ == "__main__":
    main()
