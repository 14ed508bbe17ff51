"""`PrecomputedVectors`: a file of the texts' vectors, such as `embed` writes, and a check that the model made them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.words.word_pairs import cosines
from wordworth.models.load import Loaded
from wordworth.models.read_vectors import shape_of_vectors, vector_blocks
from wordworth.models.static.array_files import mapped
from wordworth.models.vector_space_identity import SAME
from wordworth.progress import UNREPORTED
from wordworth.sources import short_name
from wordworth.text.windows import LongTexts

COMPARED = 16
"""Number of rows whose vectors are computed anew for the check."""


@dataclass(frozen=True, slots=True)
class PrecomputedVectors:
    """A file of the vectors of texts, which the user computed before.

    Attributes:
        path: the file, of a format that `read_vectors` reads.
        shape: number of vectors, and their width.
    """

    path: Path
    shape: tuple[int, int]

    @classmethod
    def open(cls, path: Path) -> PrecomputedVectors:
        """Open a file of vectors.

        Raises:
            BadInput: the file is missing, damaged, or holds no vectors.
        """
        return cls(path, shape_of_vectors(path))

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Yield all vectors in order, as arrays float32 [n, width].

        Raises:
            BadInput: the file is damaged.
        """
        return (vectors for vectors, _ in vector_blocks(self.path))

    def compared_rows(self) -> NDArray[np.int64]:
        """Return the numbers of the rows to check, at most 16, evenly spaced over the file, int64 [n]."""
        return np.unique(np.linspace(0, self.shape[0] - 1, min(COMPARED, self.shape[0])).astype(np.int64))

    def require_of(self, model: Loaded, texts: Sequence[str], long_texts: LongTexts) -> None:
        """Check on a few rows that the vectors are the vectors that a model computes.

        Args:
            model: the model.
            texts: the texts of the rows that `compared_rows` returns, in order.
            long_texts: how texts above the model's maximum length are encoded: `window` (whole, in overlapping
                windows), `cut` (their beginning) or `error` (refused).

        Raises:
            BadInput: a vector of the file differs from the model's vector of the same row.
        """
        rows = self.compared_rows()
        vectors, own = self._chosen(rows), model.encode(list(texts), long_texts=long_texts, progress=UNREPORTED)
        same = (cosines(vectors, own) >= SAME) | (~vectors.any(axis=1) & ~own.any(axis=1))
        if not same.all():
            row, name = rows[~same][0], short_name(model.name)
            what = f"the vector of row {row} (the first is 0) is not what {name} gives for its text"
            mend = "give the vectors of these texts in this order by this model, or leave --vectors out"
            raise BadInput(what, where=str(self.path), mend=mend)

    def _chosen(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of the rows with the numbers `rows`, which ascend, int64 [n], as float32 [n, width]."""
        if self.path.suffix == ".npy":
            return np.asarray(mapped(self.path)[rows], np.float32)
        chosen, start = [], 0
        for block in self.blocks():
            chosen.append(block[rows[(rows >= start) & (rows < start + len(block))] - start])
            start += len(block)
        return np.concatenate(chosen)
