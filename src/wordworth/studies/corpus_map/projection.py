"""Place texts in a plane by principal components, then t-SNE (van der Maaten and Hinton 2008) of scikit-learn."""

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
    """The texts that are drawn on the map, with their coordinates.

    Attributes:
        positions: indices of the drawn texts among all clustered texts, ascending, int64 [n].
        coordinates: coordinates in the plane, float64 [n, 2].
        kept_share: share, 0 to 1, of a text's nearest texts by vector that are also among its nearest in the plane,
            mean over texts; only drawn texts are compared.
        neighbours: number of nearest texts that are compared for each text.
    """

    positions: Integers
    coordinates: Floats
    kept_share: float
    neighbours: int


def text_map(vectors: Vectors, positions: Integers, rng: np.random.Generator) -> TextMap:
    """Compute the coordinates of some texts on the map.

    Args:
        vectors: unit vectors of the texts, float32 [n, width], at least 4.
        positions: indices of these texts among all clustered texts, int64 [n].
        rng: draws the seed of the projection.
    """
    coordinates = projected(vectors, rng)
    neighbours = min(NEIGHBOURS, len(positions) - 1)
    return TextMap(positions, coordinates, kept_neighbours(vectors, coordinates, neighbours), neighbours)


def projected(vectors: Vectors, rng: np.random.Generator) -> Floats:
    """Place vectors in a plane, near vectors near each other, and return their coordinates, float64 [n, 2].

    The same state of the generator gives the same coordinates. Large distances in the plane mean nothing. If all
    vectors are equal, all coordinates are 0.

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
