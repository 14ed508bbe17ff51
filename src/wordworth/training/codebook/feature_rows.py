"""`FeatureRows`: a table of features on the disk, read in blocks, and checked for numbers that are not finite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.codebook import Codes, Vectors
from wordworth.models.static.array_files import mapped
from wordworth.progress import Step
from wordworth.sentence_formatting import count_of

_NUMBERS = 1 << 22
"""Numbers of a block, about."""
FORM = "give an .npy of floating-point numbers, one row per clip or frame"


def require_clusters(rows: int, k: int, path: Path) -> None:
    """Check that there are at least as many feature rows as clusters.

    Args:
        rows: number of feature rows.
        k: number of clusters.
        path: the file of features, for the error message.

    Raises:
        BadInput: there are fewer rows than clusters.
    """
    if rows < k:
        what = f"{count_of(rows, 'row')} of features to learn --k {k} clusters from"
        raise BadInput(what, where=str(path), mend="give more rows, or a smaller --k")


@dataclass(frozen=True, slots=True)
class FeatureRows:
    """A memory-mapped table of feature vectors, for example of video frames.

    Attributes:
        path: the file.
        vectors: float [n, width], memory-mapped.
        chosen: int64 [m], the indices of the rows to use, in order; None for all.
    """

    path: Path
    vectors: NDArray[np.floating]
    chosen: Codes | None = None

    @classmethod
    def open(cls, path: Path) -> FeatureRows:
        """Memory-map the feature vectors in an .npy file; all rows are used.

        Raises:
            BadInput: the file is missing, damaged, or not a table of floating-point numbers.
        """
        if path.suffix != ".npy":
            raise BadInput(f"unknown kind of file {path.suffix!r}", where=str(path), mend=FORM)
        return cls(path, mapped(path))

    def __len__(self) -> int:
        return len(self.vectors if self.chosen is None else self.chosen)

    @property
    def width(self) -> int:
        """Length of a feature vector."""
        return int(self.vectors.shape[1])

    def blocks(self) -> Iterator[tuple[slice, Vectors]]:
        """Yield blocks of feature vectors in order, each as (slice of row numbers, vectors float32 [rows, width])."""
        size = max(1, _NUMBERS // self.width)
        for start in range(0, len(self), size):
            rows = slice(start, min(start + size, len(self)))
            index = rows if self.chosen is None else self.chosen[rows]
            yield rows, np.asarray(self.vectors[index], dtype=np.float32)

    def take(self, rows: Codes) -> Vectors:
        """Return the vectors of the rows with the indices `rows`, int64 [m], as float32 [m, width]."""
        return np.asarray(self.vectors[rows if self.chosen is None else self.chosen[rows]], dtype=np.float32)

    def only(self, rows: Codes) -> FeatureRows:
        """Return a table of some rows of the features, in the order of the row numbers.

        The method can be called only on a table of all rows, whose `chosen` is None.

        Args:
            rows: int64 [m], the row numbers.
        """
        return FeatureRows(self.path, self.vectors, rows)

    def require_width(self, width: int) -> None:
        """Check that the vectors are as wide as the vectors from which a codebook was learned.

        Args:
            width: the width of the codebook's vectors.

        Raises:
            BadInput: the vectors are wider or narrower than `width`.
        """
        if self.width != width:
            what = f"features of {self.width} numbers, and the codebook was learned from features of {width}"
            raise BadInput(what, where=str(self.path), mend="make the features as before, or learn another codebook")

    def require_finite(self, step: Step) -> None:
        """Check that every number of the vectors is finite, and that no squared distance can overflow float32.

        Args:
            step: progress display, advanced by the number of rows.

        Raises:
            BadInput: a number is not finite, or too large; the error names the first row with such a number.
        """
        # two numbers are at most twice this apart, and so many squares are added
        largest = (float(np.finfo(np.float32).max) / self.width) ** 0.5 / 2
        with np.errstate(over="ignore"):
            for rows, block in self.blocks():
                good = (np.abs(block) <= largest).all(1)  # NaN is not
                if not good.all():
                    raise self._bad_row(rows.start + int(good.argmin()), largest)
                step.advance(len(block))

    def _bad_row(self, row: int, largest: float) -> BadInput:
        numbers = self.vectors[row if self.chosen is None else self.chosen[row]]
        what, mend = "NaN or infinity", "leave such rows out, or make the features again"
        if np.isfinite(numbers).all():
            number = numbers[np.abs(numbers).argmax()]
            what = f"{number:.3g}, and beyond {largest:.1e} squared distances overflow in float32"
            mend = "divide all features by a number"
        return BadInput(f"row {row} (the first is 0) holds {what}", where=str(self.path), mend=mend)
