"""Self-similarity of every word by sums of unit vectors, beside the plain loop over pairs.

The loop is the published analysis as it is described: for each word, scipy's cosine distance of every ordered pair of
its occurrences. The released code draws 1,000 of the pairs where there are more; so the loop is timed both ways. The
all-pairs loop must give equal numbers.

python benchmarks/geometry.py --rounds 3
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cosine

import measure
from wordworth.measures.geometry.streaming import GroupSums, Membership, units_and_lengths

WIDTH, WORDS, SAMPLED = 768, 40, 1_000
OCCURRENCES = (5, 120)


def main() -> None:
    """The three ways in turns on the same vectors."""
    asked = measure.arguments(__doc__, rounds=3)
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
    sums.add(0, len(words), units_and_lengths(vectors)[0])
    return sums.self_similarity()[:, 0]


if __name__ == "__main__":
    main()
