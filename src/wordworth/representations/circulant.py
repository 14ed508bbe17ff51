"""Random circulant word vectors: 33 bits per word whatever their width, never trained (Arora et al. 2020, appendix).

Words are taken in blocks of d. Block q stores one row of d normal numbers and d signs; row i of the block is the stored
row rotated by i positions, with its columns' signs flipped (a circulant matrix times a diagonal one; Yu et al. 2014).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

_BITS_A_WORD = 33


@dataclass(frozen=True, slots=True)
class CirculantTable:
    """n implicit vectors of width d.

    Attributes:
        size: n.
        weights: float32 [ceil(n / d), d].
        signs: uint8 [ceil(n / d), ceil(d / 8)], the sign bits, packed; 1 is plus.
    """

    size: int
    weights: NDArray[np.float32]
    signs: NDArray[np.uint8]

    @classmethod
    def draw(cls, size: int, width: int, norm: float, rng: np.random.Generator) -> CirculantTable:
        """Draw normal weights and fair signs, scaled so that the MEAN norm of the rows is `norm`.

        Rows of a block have the same norm, those of different blocks differ.

        Args:
            size: number of rows, n.
            width: of a row, d.
            norm: mean norm of the rows.
            rng: draws weights and signs.
        """
        blocks = -(-size // width)
        weights = rng.standard_normal((blocks, width), dtype=np.float32)
        signs = rng.integers(0, 2, (blocks, width), dtype=np.uint8)
        return cls(size, weights, np.packbits(signs, axis=1)).scaled(norm)

    def scaled(self, norm: float) -> CirculantTable:
        """Return the table scaled to mean row norm `norm`; a last, partial block counts for the rows it has."""
        rows = np.minimum(self.width, self.size - self.width * np.arange(len(self.weights)))
        mean = float(rows @ np.linalg.norm(self.weights, axis=1)) / self.size
        return CirculantTable(self.size, (self.weights * (norm / mean)).astype(np.float32), self.signs)

    @property
    def width(self) -> int:
        """The width d of the rows."""
        return int(self.weights.shape[1])

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, d), the shape of the dense matrix that the table represents."""
        return self.size, self.width

    @property
    def nbytes(self) -> int:
        """Bytes stored: 33 bits per word when d divides n and 8 divides d."""
        return int(self.weights.nbytes + self.signs.nbytes)

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - a StaticTable's Vectors
        """Return rows, float32 [len(rows), d]: `weights[q, (i - j) mod d] * sign[q, j]` with q, i = divmod(row, d).

        A row is a slice of its block's weights written backwards twice, so that it is copied, not computed.
        """
        block, shift = np.divmod(np.asarray(rows), self.width)
        blocks, index = np.unique(block, return_inverse=True)
        reversed_weights = self.weights[blocks, ::-1]
        runs = sliding_window_view(np.hstack([reversed_weights, reversed_weights]), self.width, axis=1)
        vectors: NDArray[np.float32] = runs[index, self.width - 1 - shift]
        vectors *= (np.unpackbits(self.signs[blocks], axis=1, count=self.width).astype(np.float32) * 2 - 1)[index]
        return vectors


def dense_ratio(width: int) -> float:
    """Return how many times smaller the table is than a dense float32 one: 32 d / 33."""
    return 32 * width / _BITS_A_WORD
