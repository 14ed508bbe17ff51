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
from wordworth.cli.scripts import run_script
from wordworth.measures.geometry.running_sums import GroupSums, Membership, units_and_lengths

WIDTH, WORDS, SAMPLED = 768, 40, 1_000
OCCURRENCES = (5, 120)


def main() -> None:
    """Time the three ways by turns on the same vectors."""
    options = measure.arguments(__doc__, rounds=3)
    rng = np.random.default_rng(0)
    counts = rng.integers(*OCCURRENCES, WORDS)
    words = rng.permutation(np.repeat(np.arange(WORDS), counts))
    vectors = rng.normal(0.3, 1, (1, len(words), WIDTH)).astype(np.float32)
    works = {
        "loop over all pairs": lambda: by_loop(vectors[0], words),
        "loop over 1,000 pairs": lambda: by_loop(vectors[0], words, SAMPLED),
        "sums": lambda: by_sums(vectors, words),
    }
    off = float(np.abs(by_loop(vectors[0], words) - by_sums(vectors, words)).max())
    assert off < 1e-5, off
    seconds = measure.in_turns(works, options.rounds)
    results = {
        "occurrences": len(words),
        "times faster than the loop over all pairs": measure.ratios(seconds, "loop over all pairs")["sums"],
        "times faster than the loop over 1,000 pairs": measure.ratios(seconds, "loop over 1,000 pairs")["sums"],
        "largest difference from all pairs": off,
    }
    measure.report(results, options.out)


def by_loop(vectors: NDArray[np.float32], words: NDArray[np.int64], most: int | None = None) -> NDArray[np.float64]:
    """Return each word's self-similarity by a loop over its pairs; of more than `most` pairs, `most` are drawn."""
    rng, means = np.random.default_rng(0), []
    for word in range(WORDS):
        pairs = list(permutations(np.flatnonzero(words == word), 2))
        if most is not None and len(pairs) > most:
            pairs = [pairs[index] for index in rng.choice(len(pairs), most, replace=False)]
        means.append(np.mean([1 - cosine(vectors[first], vectors[second]) for first, second in pairs]))
    return np.array(means)


def by_sums(vectors: NDArray[np.float32], words: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each word's self-similarity by sums of unit vectors, all words at once."""
    sums = GroupSums(Membership.of(np.arange(len(words)), words, WORDS), 1, WIDTH)
    sums.add(0, len(words), units_and_lengths(vectors)[0])
    return sums.self_similarity()[:, 0]


if __name__ == "__main__":
    run_script(main)
