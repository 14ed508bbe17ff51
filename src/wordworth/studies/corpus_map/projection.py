"""The places of texts in a plane: principal components, then t-SNE (van der Maaten and Hinton 2008) of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.geometry.kept_neighbours import kept_neighbours
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.corpus_map.kmeans import Vectors

NEIGHBOURS = 10
"""Number of nearest texts by which the map is judged."""
COMPONENTS = 50
"""Most principal components that t-SNE reads."""
PERPLEXITY = 30.0
"""Perplexity of t-SNE, about the number of neighbours that a point is drawn to; a third of the points if they are few.
"""


@dataclass(frozen=True, slots=True)
class TextMap:
    """The texts that are drawn.

    Attributes:
        positions: positions of the texts among all that were clustered, ascending, int64 [n].
        coordinates: coordinates in the plane, float64 [n, 2].
        kept_share: mean share of a text's nearest texts, of those drawn, that are among its nearest in the plane.
        neighbours: number of nearest texts in that share.
    """

    positions: Integers
    coordinates: Floats
    kept_share: float
    neighbours: int


def text_map(vectors: Vectors, positions: Integers, rng: np.random.Generator) -> TextMap:
    """Return the map of some texts.

    Args:
        vectors: unit vectors of the texts, float32 [n, width], at least 4.
        positions: their positions among all texts, int64 [n].
        rng: draws the seed of the projection.
    """
    coordinates = projected(vectors, rng)
    neighbours = min(NEIGHBOURS, len(positions) - 1)
    return TextMap(positions, coordinates, kept_neighbours(vectors, coordinates, neighbours), neighbours)


def projected(vectors: Vectors, rng: np.random.Generator) -> Floats:
    """Place vectors in a plane, near vectors near each other, and return their coordinates, float64 [n, 2].

    The same generator gives the same places. Distances between far places mean nothing. If all vectors are equal, all
    lie at the origin.

    Args:
        vectors: float32 [n, width], at least 4.
        rng: draws the seed.
    """
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE

    number, width = vectors.shape
    components = min(COMPONENTS, number - 1, width)
    if components < 2 or not np.ptp(vectors, axis=0).any():  # noqa: PLR2004 - a plane
        return np.pad(floats(vectors - vectors[0]), ((0, 0), (0, 1)))[:, :2]
    reduced = PCA(components, svd_solver="full").fit_transform(vectors.astype(np.float64))
    seed, perplexity = int(rng.integers(1 << 31)), min(PERPLEXITY, (number - 1) / 3)
    return floats(TSNE(2, perplexity=perplexity, init="pca", random_state=seed).fit_transform(reduced))
