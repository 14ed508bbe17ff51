"""Find and remove directions of a set of vectors: principal direction, all-but-the-top, SIF, whitening."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.geometry.mean_cosine import Vectors
from wordworth.measures.weighted_sums import Floats, floats


def principal_direction(vectors: Vectors, towards: Floats | None = None) -> Floats:
    """Return the first right singular vector of the rows, which are not centred, float64 [d].

    The vector is zeros if all rows are zero. Ethayarajh 2019, section 4.3, uses this vector, with the occurrences of a
    word as rows, as the static vector of the word. The sign of a singular vector, and of cosines between such vectors,
    is arbitrary; here the sign is fixed (`towards`).

    Args:
        vectors: [n, d]; the smaller of n and d decides the cost.
        towards: [d], a vector with which the result has a positive dot product; None for the mean of the rows.
    """
    rows = floats(vectors)
    use_gram = len(rows) < rows.shape[1]
    eigenvector = np.linalg.eigh(rows @ rows.T if use_gram else rows.T @ rows)[1][:, -1]
    direction = eigenvector @ rows if use_gram else eigenvector * rows.any()
    side = rows.mean(axis=0) if towards is None else towards
    sign = -1.0 if direction @ side < 0 else 1.0
    return floats(sign * direction / (float(np.linalg.norm(direction)) or 1.0))


def without(vectors: Vectors, directions: Floats) -> Floats:
    """Return the rows without their components along some directions, float64 [n, d].

    Args:
        vectors: [n, d], the rows.
        directions: float64 [k, d], orthonormal directions.
    """
    rows = floats(vectors)
    return floats(rows - (rows @ directions.T) @ directions)


def all_but_the_top(vectors: Vectors, top: int) -> Floats:
    """Return the rows without their mean and their largest principal components, float64 [n, d].

    The method is algorithm 1 of Mu and Viswanath 2018, "All-but-the-top".

    Args:
        vectors: [n, d], the rows.
        top: number of principal components to remove.
    """
    centred = _centred(vectors)
    return without(centred, _components(centred)[1][:, :top].T)


def sif_weights(probabilities: Floats, a: float = 1e-3) -> Floats:
    """Return the smooth inverse frequency weight of each word, a / (a + p(word)), float64 [words].

    The formula is equation 3 of Arora et al. 2017.

    Args:
        probabilities: float64 [words], each word's share of the tokens of a corpus, p(word).
        a: the constant of the formula; the smaller, the less weight frequent words have.
    """
    return floats(a / (a + probabilities))


@dataclass(frozen=True, slots=True)
class Axes:
    """An affine map of rows of width d to principal axes: `(rows - mean) @ directions / scales`.

    Attributes:
        mean: float64 [d], the mean of the rows to which the map was fitted.
        directions: float64 [d, width], one principal axis in each column; the columns are orthonormal.
        scales: float64 [width], the divisor of the coordinate on each axis.
    """

    mean: Floats
    directions: Floats
    scales: Floats

    def __call__(self, vectors: Vectors) -> Floats:
        """Map rows [n, d] to float64 [n, width]."""
        return floats((floats(vectors) - self.mean) @ self.directions / self.scales)


def principal_axes(vectors: Vectors, width: int, *, whiten: bool = False) -> Axes:
    """Fit the map of rows to their principal components.

    Each direction has the sign that makes its largest entry positive.

    Args:
        vectors: [n, d], the rows.
        width: number of directions, at most d.
        whiten: whether to scale each component to variance 1 (variances are sums of squares over n - 1; Su et al.
            2021); a component without variance becomes 0.
    """
    mean = floats(vectors).mean(axis=0)
    variances, directions = _components(_centred(vectors))
    chosen = directions[:, :width]
    largest_entries = chosen[np.abs(chosen).argmax(axis=0), np.arange(width)]
    oriented = floats(chosen * np.where(largest_entries < 0, -1.0, 1.0))
    if not whiten:
        return Axes(mean, oriented, np.ones(width))
    scales = np.sqrt(variances[:width])
    return Axes(mean, oriented, np.where(scales > scales[0] * np.sqrt(np.finfo(np.float64).eps), scales, np.inf))


def _centred(vectors: Vectors) -> Floats:
    rows = floats(vectors)
    return floats(rows - rows.mean(axis=0))


def _components(centred: Floats) -> tuple[Floats, Floats]:
    """Return (variances over n - 1, descending, float64 [d]; principal directions, one in each column, [d, d])."""
    variances, directions = np.linalg.eigh(centred.T @ centred / max(len(centred) - 1, 1))
    return floats(np.maximum(variances[::-1], 0)), floats(directions[:, ::-1])
