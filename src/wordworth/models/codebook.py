"""`Codebook`: a tree of centroids that maps a vector to a code, a number in base k with one digit for each level.

VideoBERT (Sun et al. 2019, arXiv 1904.01766) makes tokens from video clips in this way, with k = 12 and four levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.records import RECORD, read

Codes = NDArray[np.int64]
Vectors = NDArray[np.float32]
_AT_ONCE = 1 << 22
"""Approximate number of components of differences (vector minus centroid) in memory at a time."""
_MEND = "learn the codebook again, or copy its folder again"


@dataclass(frozen=True, slots=True)
class Codebook:
    """The centroids of hierarchical k-means.

    Attributes:
        levels: for each level l from 0 on, float32 [k ** l, k, width]: the centroids of the children of each node. An
            empty cluster is a row of NaN, and no vector is assigned to it.
    """

    levels: tuple[Vectors, ...]

    @classmethod
    def read(cls, folder: Path) -> Codebook:
        """Read the codebook in a folder that `wordworth symbols learn` has written.

        Raises:
            BadInput: the folder has no codebook, its training was stopped before the end, or a file is damaged.
        """
        if not (folder / RECORD).exists():
            mend = "give a folder that `wordworth symbols learn` has finished"
            raise BadInput("there is no codebook here", where=str(folder), mend=mend)
        depth = read(folder / RECORD).settings.get("depth")
        if not isinstance(depth, int) or depth < 1:
            raise BadInput("this is not the record of a codebook", where=str(folder / RECORD), mend=_MEND)
        levels = tuple(read_level(folder, level) for level in range(depth))
        _, k, width = levels[0].shape
        for level, centroids in enumerate(levels):
            if centroids.shape != (k**level, k, width):
                what = f"level {level + 1} has the shape {centroids.shape}, not {(k**level, k, width)}"
                raise BadInput(what, where=str(level_file(folder, level)), mend=_MEND)
        return cls(levels)

    @property
    def k(self) -> int:
        """Number of children of each node of the tree."""
        return int(self.levels[0].shape[1])

    @property
    def depth(self) -> int:
        """Number of levels, which is the number of digits of a code."""
        return len(self.levels)

    @property
    def width(self) -> int:
        """Number of components of a vector."""
        return int(self.levels[0].shape[2])

    def encode(self, vectors: Vectors) -> Codes:
        """Return the code of each vector, int64 [n] in [0, k ** depth), by descent to the nearest child at each level.

        Args:
            vectors: float32 [n, width].
        """
        nodes = np.zeros(len(vectors), dtype=np.int64)
        for centroids in self.levels:
            nodes = nodes * self.k + nearest_children(vectors, centroids, nodes)[0]
        return nodes

    def to_depth(self, depth: int) -> Codebook:
        """Return a codebook of the first levels of this codebook, which returns the first digits of each code.

        Args:
            depth: number of levels to keep.

        Raises:
            BadInput: `depth` is not between 1 and the number of levels.
        """
        if not 1 <= depth <= self.depth:
            raise BadInput(f"--depth {depth} is out of range", mend=f"give 1 to {self.depth}")
        return Codebook(self.levels[:depth])


def level_file(folder: Path, level: int) -> Path:
    """Return the path of a level's file in the folder of a codebook.

    Args:
        folder: the folder of the codebook.
        level: number of the level, from 0.
    """
    return folder / f"level{level + 1}.npy"


def read_level(folder: Path, level: int) -> Vectors:
    """Read the centroids of one level of a codebook, float32 [nodes, k, width].

    Args:
        folder: the folder of the codebook.
        level: number of the level, from 0.

    Raises:
        BadInput: the file is missing or damaged.
    """
    path = level_file(folder, level)
    if not path.exists():
        raise BadInput("this level of the codebook is missing", where=str(path), mend=_MEND)
    try:
        centroids: Vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadInput(f"not a readable level of a codebook: {error}", where=str(path), mend=_MEND) from error
    if centroids.ndim != 3 or centroids.dtype != np.float32:  # noqa: PLR2004 - nodes, children, numbers
        what = f"an array of {centroids.dtype} {list(centroids.shape)} is no level of a codebook"
        raise BadInput(what, where=str(path), mend=_MEND)
    return centroids


def nearest_children(vectors: Vectors, centroids: Vectors, nodes: Codes) -> tuple[Codes, NDArray[np.float64]]:
    """Assign each vector, which is at a node of the tree, to the child of that node whose centroid is nearest.

    Of equally near children the first is taken.

    Args:
        vectors: float32 [n, width].
        centroids: float32 [nodes, k, width], the centroids of the children of each node; NaN for an empty cluster.
        nodes: int64 [n], the index in `centroids` of each vector's node.

    Returns:
        The index of the child of each vector, int64 [n] in [0, k), and the squared Euclidean distance of the vector to
        the child's centroid, float64 [n].
    """
    children, squares = np.empty(len(vectors), dtype=np.int64), np.empty(len(vectors), dtype=np.float64)
    for rows in _parts(len(vectors), max(1, _AT_ONCE // centroids[0].size)):
        differences = vectors[rows, None] - centroids[nodes[rows]]
        distances = np.einsum("nkw,nkw->nk", differences, differences)
        distances[np.isnan(distances)] = np.inf
        children[rows] = distances.argmin(1)
        squares[rows] = distances.min(1)
    return children, squares


def _parts(total: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, total, size))
