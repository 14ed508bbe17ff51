"""Time and memory of the search of `study neighbours`, beside scikit-learn's NearestNeighbors by brute force.

python benchmarks/nearest_contexts.py --words 100000 --rounds 5

Both get the same random vectors of MiniLM's width, in a process of its own each time, subtract the mean of the unit
vectors, and return the 20 words with the largest cosines; the peer's subtraction is one line of numpy each.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import measure
from wordworth.cli.scripts import run_script

_WIDTH, _NEAREST = 384, 20


def main() -> None:
    """Run both ways in turns and report seconds, peak memory and their ratios."""
    options = measure.arguments(__doc__, words=100_000, rounds=5)
    numbers = (options.words, options.threads)
    runs = measure.in_processes(Path(__file__), tuple(WAYS), numbers, options.rounds)
    held = options.words * _WIDTH * 4 / 1e9
    named = {"words": options.words, "threads": options.threads, "rounds": options.rounds, "vectors_gb": held}
    measure.report({**named, **measure.compared(runs, "scikit-learn")}, options.out)


def way(name: str, words: int, threads: int) -> None:
    """Search one way, after a small search that loads what is needed, and print what was measured.

    Args:
        name: one of `WAYS`.
        words: number of vectors.
        threads: of BLAS, which the environment sets.
    """
    assert threads
    rng = np.random.default_rng(0)
    WAYS[name](rng.standard_normal((64, _WIDTH), np.float32))
    vectors = rng.standard_normal((words, _WIDTH), np.float32)
    vectors += 2
    measure.report_way(lambda: WAYS[name](vectors))


def ours(vectors: np.ndarray) -> float:
    """Search as Wordworth does; return the sum of the indices of the nearest words."""
    from wordworth.studies.neighbours.nearest_words import nearest_words

    nearest = nearest_words(vectors[0], vectors, np.ones(len(vectors), dtype=bool), _NEAREST)
    return float(nearest.words.sum())


def scikit_learn(vectors: np.ndarray) -> float:
    """Search with scikit-learn; return the sum of the indices of the nearest words."""
    from sklearn.neighbors import NearestNeighbors

    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    units -= units.mean(0)
    search = NearestNeighbors(n_neighbors=_NEAREST, algorithm="brute", metric="cosine").fit(units)
    return float(search.kneighbors(units[:1], return_distance=False).sum())


WAYS = {"ours": ours, "scikit-learn": scikit_learn}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_script(lambda: way(sys.argv[2], *map(int, sys.argv[3:5])))
    else:
        run_script(main)
