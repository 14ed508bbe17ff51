"""Choose the number of clusters at which two halves of the texts agree most, compared with data without clusters.

For each number k, clusters are learned on two random halves of a sample. Every text of the sample is assigned to the
nearest centroid of the first half, and to the nearest of the second half. The adjusted Rand index says how far the two
assignments agree (Lange, Roth, Braun and Buhmann 2004, "Stability-based validation of clustering solutions"). The
halves of texts without clusters agree somewhat too, as k-means cuts along the directions of the largest variance. So
the same is done with clouds, which have no clusters: normal draws with the mean and covariance of the texts (Liu,
Hayes, Nobel and Marron 2008, "Statistical significance of clustering"), scaled to length 1 as the texts are. The number
with the largest difference to the mean of the clouds is chosen.

Whether there are clusters is tested by the largest of these differences over all numbers k. Each difference is divided
by the standard deviation of the clouds at k, plus the median of these deviations over all k. Without the division,
small numbers of clusters, where the deviation is large, would hide all others; without the median, a small deviation
would make a large ratio of a small difference (Tusher, Tibshirani and Chu 2001). Each cloud is compared in the same way
with all other clouds and the texts. So if the texts are such a cloud themselves, texts and clouds are exchangeable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import Step
from wordworth.studies.corpus_map.kmeans import Vectors, kmeans, nearest_centroids
from wordworth.studies.corpus_map.settings import NUMBERS

TEXTS_EACH = 10
"""Least number of texts for each cluster of a number that is tried."""
SAMPLE = 2_000
"""Most texts on which the number is chosen."""
SPLITS, CLOUDS, CLOUD_SPLITS = 5, 19, 2
"""Number of random splits of the texts into halves, of clouds, and of splits of each cloud."""
_LEAST_DEVIATION = 1e-3
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two halves about k clusters, as an adjusted Rand index.

    A split divides the texts at random into two halves. A cloud is a set of normal draws without clusters, with the
    mean and covariance of the texts.

    Attributes:
        clusters: the number of clusters k.
        mean: mean agreement over the splits of the texts.
        low: least agreement over the splits.
        high: largest agreement over the splits.
        cloud: mean agreement over the clouds.
        cloud_low: least agreement over the clouds.
        cloud_high: largest agreement over the clouds.
    """

    clusters: int
    mean: float
    low: float
    high: float
    cloud: float
    cloud_low: float
    cloud_high: float


@dataclass(frozen=True, slots=True)
class ClusterCount:
    """The number of clusters that was chosen, with the agreement of two halves of the texts from which it was chosen.

    A cloud is a set of normal draws without clusters, with the mean and covariance of the texts.

    Attributes:
        chosen: the number of clusters at which the agreement of the texts exceeds the mean agreement of the clouds
            most.
        agreements: the agreement at each number of clusters that was tried.
        p: the p-value of the hypothesis that there are no clusters. For the texts and for each cloud, the agreement
            minus the mean agreement of all others is taken at each number of clusters, on the scale of its standard
            deviation, and the largest is kept. `p` is the share of these values that are not below the value of the
            texts, which is one of them.
    """

    chosen: int
    agreements: tuple[Agreement, ...]
    p: float


def numbers_to_try(texts: int) -> tuple[int, ...]:
    """Return the numbers of clusters that are tried; empty if there are too few texts for any.

    Args:
        texts: number of texts.
    """
    return tuple(number for number in NUMBERS if TEXTS_EACH * number <= texts)


def num_clusterings(numbers: Sequence[int]) -> int:
    """Return how often the function `choose` clusters a pair of halves; its progress bar has this length.

    Args:
        numbers: the numbers of clusters that `choose` tries.
    """
    return len(numbers) * (SPLITS + CLOUDS * CLOUD_SPLITS)


def choose(vectors: Vectors, numbers: Sequence[int], seed: int, step: Step) -> ClusterCount:
    """Choose the number of clusters at which halves of the texts agree most, compared with halves of clouds.

    A cloud is a set of normal draws without clusters, with the mean and covariance of the texts.

    Args:
        vectors: the sample of unit vectors, float32 [n, width]; n is at least twice the largest number.
        numbers: the numbers of clusters to try.
        seed: seed of the splits, the clouds and k-means.
        step: advances by one for each pair of halves.
    """
    of_texts = _agreements(vectors, numbers, SPLITS, seeds.child(seed, "splits"), step)
    clouds = [
        _agreements(cloud, numbers, CLOUD_SPLITS, seeds.child(seed, "cloud", each), step).mean(axis=0)
        for each, cloud in enumerate(_clouds(vectors, seed))
    ]
    of_clouds = np.array(clouds)
    gains = of_texts.mean(axis=0) - of_clouds.mean(axis=0)
    curves = np.vstack([of_texts.mean(axis=0), of_clouds])
    own, *by_chance = (_largest_gain(curve, np.delete(curves, each, axis=0)) for each, curve in enumerate(curves))
    p = (1 + sum(gain >= own for gain in by_chance)) / (1 + CLOUDS)
    rows = [
        Agreement(number, *(round(float(value), _DIGITS) for value in (*_range(texts), *_range(cloud))))
        for number, texts, cloud in zip(numbers, of_texts.T, of_clouds.T, strict=True)
    ]
    return ClusterCount(numbers[int(gains.argmax())], tuple(rows), float(p))


def _largest_gain(agreement: Floats, of_others: Floats) -> float:
    """Return the largest scaled difference, over all numbers of clusters, between an agreement and the others' mean.

    The scale at a number of clusters is the standard deviation of the others, plus the median of these deviations.

    Args:
        agreement: agreement of the halves of one data set at each number of clusters, float64 [numbers].
        of_others: the same for the other data sets, with which the first is compared, float64 [others, numbers].
    """
    deviations = of_others.std(axis=0, ddof=1)
    scale = deviations + max(float(np.median(deviations)), _LEAST_DEVIATION)
    return float(np.max((agreement - of_others.mean(axis=0)) / scale))


def _range(values: Floats) -> tuple[float, float, float]:
    return float(values.mean()), float(values.min()), float(values.max())


def _agreements(vectors: Vectors, numbers: Sequence[int], splits: int, rng: np.random.Generator, step: Step) -> Floats:
    """Return the adjusted Rand index of the two halves, by split and number of clusters, float64 [splits, numbers]."""
    from sklearn.metrics import adjusted_rand_score

    agreements, half = np.empty((splits, len(numbers))), len(vectors) // 2
    for split in range(splits):
        order = rng.permutation(len(vectors))
        halves = vectors[order[:half]], vectors[order[half:]]
        for position, number in enumerate(numbers):
            first, second = (nearest_centroids(vectors, kmeans(part, number, rng)) for part in halves)
            agreements[split, position] = adjusted_rand_score(first, second)
            step.advance(1)
    return agreements


def _clouds(vectors: Vectors, seed: int) -> Iterator[Vectors]:
    """Yield clouds: unit vectors of normal draws with the mean and covariance of some vectors, float32 [n, width]."""
    mean = vectors.mean(axis=0, dtype=np.float64)
    _, deviations, axes = np.linalg.svd(vectors - mean, full_matrices=False)
    factors = (deviations / np.sqrt(len(vectors)))[:, None] * axes
    for number in range(CLOUDS):
        draws = seeds.child(seed, "cloud draws", number).standard_normal((len(vectors), len(factors)))
        yield unit_or_zero(mean + draws @ factors).astype(np.float32)
