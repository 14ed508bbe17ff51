"""How often nominal 95 % intervals of a purity hold the mean purity of new sets of words, by way of making them.

    python benchmarks/purity_coverage.py            # 100 sets of words a design
    python benchmarks/purity_coverage.py 20         # a quicker look

Words are noise around category centres, clustered by average linkage. `resampled` draws the words of one clustering
with repeats; `held` the same with each cluster's majority held fast; `moved` puts those draws around the score; `parts`
is what `wordworth study words` does. Between 89 and 99 of 100 is what chance allows a true 95 % (99 % band).
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from wordworth.cli.scripts import run_script
from wordworth.measures.words.categories import PARTS, clustering, part_purities, purity

NAME, WIDTH, DRAWS = "average, cosine", 50, 300
Ends = tuple[float, float]


class Design(NamedTuple):
    """Words, categories, and how far a word's numbers stray from its category's."""

    words: int
    categories: int
    noise: float


DESIGNS = (
    Design(45, 9, 0.25),
    Design(200, 17, 0.2),
    Design(200, 17, 0.3),
    Design(400, 21, 0.15),
    Design(400, 21, 0.25),
    Design(2000, 40, 0.15),
    Design(2000, 40, 0.22),
)


def main() -> None:
    """Print one line for each design, one column for each method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=int, nargs="?", default=100, help="sets of words a design [default: 100]")
    sets = parser.parse_args().sets
    print(f"{sets} sets of words a design, numpy {np.__version__}")
    for design in DESIGNS:
        mean, held = coverage(design, sets)
        shares = "  ".join(f"{name} {share:.2f}" for name, share in held.items())
        print(f"{design.words:5} words, {design.categories} categories, purity {mean:.3f}:  {shares}", flush=True)


def coverage(design: Design, sets: int) -> tuple[float, dict[str, float]]:
    """Return the mean purity, and the share of sets whose interval holds it, by method."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(design.categories, WIDTH)) / np.sqrt(WIDTH)
    points, ends_by_set = [], []
    for _ in range(sets):
        drawn = rng.integers(design.categories, size=design.words)
        vectors = centres[drawn] + design.noise * rng.normal(size=(design.words, WIDTH))
        truth = np.unique(drawn, return_inverse=True)[1]
        clusters = clustering(NAME, vectors, int(truth.max()) + 1, 0)
        points.append(purity(clusters, truth))
        ends_by_set.append(intervals(vectors, truth, clusters, rng))
    mean = float(np.mean(points))
    return mean, {
        name: float(np.mean([each[name][0] <= mean <= each[name][1] for each in ends_by_set]))
        for name in ends_by_set[0]
    }


def intervals(
    vectors: NDArray[np.float64], truth: NDArray[np.int64], clusters: NDArray[np.int64], rng: np.random.Generator
) -> dict[str, Ends]:
    """Return the ends of each method's interval.

    Args:
        vectors: float64 [words, width].
        truth: int64 [words], categories.
        clusters: int64 [words].
        rng: draws the words anew.
    """
    point, picks = purity(clusters, truth), rng.integers(len(truth), size=(DRAWS, len(truth)))
    resampled = np.array([purity(clusters[pick], truth[pick]) for pick in picks])
    major = np.array([np.bincount(truth[clusters == cluster]).argmax() for cluster in range(int(clusters.max()) + 1)])
    held = (major[clusters] == truth)[picks].mean(axis=1)
    parts, scale = part_purities((NAME,), vectors, truth, int(rng.integers(1 << 62)))
    reach = stdtrit(PARTS - 1, 0.975) * scale * parts[NAME].std(ddof=1)
    moved = resampled - resampled.mean() + point
    return {
        **{name: ends(draws) for name, draws in {"resampled": resampled, "held": held, "moved": moved}.items()},
        "parts": (point - reach, point + reach),
    }


def ends(draws: NDArray[np.float64]) -> Ends:
    """Return the 2.5 % and the 97.5 % quantile."""
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    run_script(main)
