"""Random circulant word vectors: 33 bits a word whatever their width, never trained (Arora et al. 2020, appendix).

Words are taken in blocks of d. Block q stores one row of d normal numbers and d signs; row i of the block is the stored
row turned by i places, its columns flipped by the signs (a circulant matrix times a diagonal one; Yu et al. 2014).
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
        """Normal weights and fair signs from `rng`, scaled so that the MEAN norm of the n rows is `norm`.

        Rows of a block have one norm, those of different blocks differ.
        """
        blocks = -(-size // width)
        weights = rng.standard_normal((blocks, width), dtype=np.float32)
        signs = rng.integers(0, 2, (blocks, width), dtype=np.uint8)
        return cls(size, weights, np.packbits(signs, axis=1)).scaled(norm)

    def scaled(self, norm: float) -> CirculantTable:
        """The table with mean row norm `norm`; a last, partial block counts for the rows it has."""
        rows = np.minimum(self.width, self.size - self.width * np.arange(len(self.weights)))
        mean = float(rows @ np.linalg.norm(self.weights, axis=1)) / self.size
        return CirculantTable(self.size, (self.weights * (norm / mean)).astype(np.float32), self.signs)

    @property
    def width(self) -> int:
        """D."""
        return int(self.weights.shape[1])

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, d), as the dense matrix it stands for."""
        return self.size, self.width

    @property
    def nbytes(self) -> int:
        """Bytes stored: 33 bits a word when d divides n and 8 divides d."""
        return int(self.weights.nbytes + self.signs.nbytes)

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - a StaticTable's Vectors
        """float32 [len(rows), d]: `weights[q, (i - j) mod d] * sign[q, j]` with q, i = divmod(row, d).

        A row is a run of its block's weights written backwards twice, so that it is copied, not computed.
        """
        block, turn = np.divmod(np.asarray(rows), self.width)
        used, place = np.unique(block, return_inverse=True)
        backwards = self.weights[used, ::-1]
        runs = sliding_window_view(np.hstack([backwards, backwards]), self.width, axis=1)
        found: NDArray[np.float32] = runs[place, self.width - 1 - turn]
        found *= (np.unpackbits(self.signs[used], axis=1, count=self.width).astype(np.float32) * 2 - 1)[place]
        return found


def dense_ratio(width: int) -> float:
    """How many times smaller than a dense float32 table: 32 d / 33."""
    return 32 * width / _BITS_A_WORD
