"""Store text vectors in fewer bytes, as int8 or as one bit per component, and search the stored vectors.

int8 divides the range of each component into equal steps. If the ranges were taken from the vectors that are stored, a
single vector would become all zeros, since each number would be its own range. So the ranges are taken once, from the
vectors of many texts, and saved with the model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object

Vectors = NDArray[np.float32]
FILE = "int8_ranges.json"
_STEPS = 255
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Int8Ranges:
    """The range of each component of a model's vectors, which int8 divides into 255 equal steps.

    Attributes:
        low: float32 [width], the least value of each component, which becomes -128.
        high: float32 [width], the largest value of each component, which becomes 127.
    """

    low: Vectors
    high: Vectors

    @classmethod
    def of(cls, vectors: Vectors) -> Int8Ranges:
        """Return the range of each component of sample vectors, float32 [n, width], by which vectors become int8.

        More texts give better ranges.

        Raises:
            BadInput: there are fewer than two vectors, or a number is not finite.
        """
        if len(vectors) < _LEAST or not np.isfinite(vectors).all():
            what = "the ranges of int8 vectors need at least two vectors, of finite numbers"
            raise BadInput(what, mend="give the vectors of some hundred texts")
        return cls(vectors.min(0).astype(np.float32), vectors.max(0).astype(np.float32))

    @classmethod
    def read(cls, folder: Path | str) -> Int8Ranges:
        """Read from a model's folder the ranges by which the model's vectors become int8.

        Raises:
            BadInput: the folder has no file of ranges, or the file is damaged.
        """
        path = Path(folder) / FILE
        fields = read_object(path)
        try:
            low, high = (np.array(fields[name], dtype=np.float32) for name in ("low", "high"))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput("this file has no ranges", where=str(path), mend="export the model again") from error
        if low.ndim != 1 or low.shape != high.shape or not (low <= high).all():
            raise BadInput("low and high are no ranges", where=str(path), mend="export the model again")
        return cls(low, high)

    def save(self, folder: Path | str) -> None:
        """Write the ranges into an existing folder, as the file `int8_ranges.json`.

        Raises:
            BadInput: the file cannot be written.
        """
        fields = {"low": self.low.tolist(), "high": self.high.tolist()}
        write_text(Path(folder) / FILE, json.dumps(fields, indent=1) + "\n")

    def codes(self, vectors: Vectors) -> NDArray[np.int8]:
        """Return vectors as int8, of the same shape; a value outside its component's range becomes -128 or 127.

        Args:
            vectors: float32 [n, width], or of one text [width].

        Raises:
            BadInput: the vectors are not as wide as the ranges.
        """
        if vectors.shape[-1] != len(self.low):
            what = f"the vectors have {vectors.shape[-1]} numbers, and the ranges {len(self.low)}"
            raise BadInput(what, mend="take the ranges of the same model")
        steps = np.rint((vectors - self.low) / self._step) - 128
        codes: NDArray[np.int8] = steps.clip(-128, 127).astype(np.int8)
        return codes

    def values(self, codes: NDArray[np.int8]) -> Vectors:
        """Return the float32 values that int8 codes stand for, [n, width].

        The values are within half a step of the original values, unless an original value was beyond the range.

        Args:
            codes: int8 [n, width].
        """
        values: Vectors = self.low + (codes.astype(np.float32) + 128) * self._step
        return values

    @property
    def _step(self) -> Vectors:
        steps = (self.high - self.low) / np.float32(_STEPS)
        usable: Vectors = np.where(steps > 0, steps, 1 / np.float32(_STEPS))  # the least float32 above 0 has no 255th
        return usable


def to_bits(vectors: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return one bit for each component of vectors [n, width], packed into bytes: 1 if the component is above 0.

    >>> to_bits(np.array([[0.5, -1.0, 2.0, 0, 0, 0, 0, 1.0]], dtype=np.float32)).tolist()
    [[161]]

    Returns:
        uint8 [n, width / 8 rounded up].
    """
    return np.packbits(vectors > 0, axis=-1)


def signs_of(bits: NDArray[np.uint8], width: int) -> Vectors:
    """Return 1 for each bit that is set and -1 for each other, float32 [n, width].

    Args:
        bits: uint8 [n, width / 8 rounded up], as `to_bits` returns them.
        width: number of bits of a vector.
    """
    signs: Vectors = np.unpackbits(bits, axis=-1, count=width).astype(np.float32) * 2 - 1
    return signs


def nearest_by_bits(
    queries: Vectors, bits: NDArray[np.uint8], most: int, *, rescored: int = 0
) -> tuple[NDArray[np.int64], Vectors]:
    """Return the indices of the stored texts nearest to each query by bits, nearest first, and the similarities.

    The similarity is the share of bits that are equal minus the share that differ. With `rescored`, the nearest texts
    by bits are sorted again by the dot product of the query's float values with the stored signs (Yamada et al. 2021,
    arXiv 2106.00882, section 3). The similarity is then that product divided by the root of the width.

    Args:
        queries: float32 [queries, width].
        bits: uint8 [texts, width / 8 rounded up], the bits of the stored texts as `to_bits` returns them.
        most: number of texts for each query.
        rescored: number of nearest texts by bits that are sorted again; 0 for none.

    Returns:
        Indices of stored texts, int64 [queries, most], and their similarities, float32 [queries, most].
    """
    width = queries.shape[1]
    stored = signs_of(bits, width)
    near = signs_of(to_bits(queries), width) @ stored.T / width
    if not rescored:
        return _first(near, most)
    few, _ = _first(near, rescored)
    products = np.einsum("qw,qfw->qf", queries, stored[few]) / np.float32(width**0.5)
    order, scores = _first(products, most)
    return np.take_along_axis(few, order, axis=1), scores


def nearest_by_product(queries: Vectors, stored: Vectors, most: int) -> tuple[NDArray[np.int64], Vectors]:
    """Return the indices of the stored vectors with the largest dot products with each query, and the products.

    Args:
        queries: float32 [queries, width].
        stored: float32 [texts, width].
        most: number of stored vectors for each query.

    Returns:
        Indices of stored vectors, int64 [queries, most], the largest product first, and the products, float32 [queries,
        most].
    """
    return _first(queries @ stored.T, most)


def _first(scores: Vectors, most: int) -> tuple[NDArray[np.int64], Vectors]:
    """Return the column indices of the largest scores of each row, and the scores; of equal scores the first column."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :most]
    return order, np.take_along_axis(scores, order, axis=1)
