"""`StoredVectors`: the unit vectors of a segment on disk, memory-mapped, in the precision of the index.

`float32` and `float16` are stored as they are. `int8` are multiples of a step that is stored with each vector, the
127th part of the vector's largest absolute number. A step for each vector loses less precision than a common range for
all vectors, and fits vectors that are added later. (`Int8Ranges`, with one range for each dimension, serves vectors
that are written to files without steps.) `bits` stores float16 numbers and their signs; the signs are packed into words
of 64 bits, in the order in which `to_bits` packs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.models.int8_and_bit_vectors import to_bits

Precision = Literal["float32", "float16", "int8", "bits"]
PRECISIONS = get_args(Precision)
_DTYPES = {"float32": np.float32, "float16": np.float16, "int8": np.int8, "bits": np.float16}
_LARGEST = 127
_WORD = 64
NUMBERS, STEPS, SIGNS = "vectors.npy", "steps.npy", "signs.npy"
_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The unit vectors of a segment (rows that were added to an index together).

    A vector is a row of `numbers`; in the precision `int8` it is the row times its step.

    Attributes:
        numbers: float32, float16 or int8 [rows, width], memory-mapped.
        steps: the step of each row, float32 [rows]; None unless the precision is `int8`.
        signs: signs of the numbers, packed into words of 64 bits, uint64 [ceil(width / 64), rows]: column r has a bit
            for each number of row r, which is 1 if the number is above 0. None unless the precision is `bits`.
    """

    numbers: NDArray[Any]
    steps: NDArray[np.float32] | None = None
    signs: NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def width(self) -> int:
        """The number of components of each stored vector."""
        return int(self.numbers.shape[1])

    @classmethod
    def open(cls, folder: Path, precision: Precision) -> StoredVectors:
        """Memory-map the vectors in the folder of a segment (rows of an index that were added together).

        Raises:
            BadInput: a file is missing or damaged.
        """
        numbers = mapped_array(folder / NUMBERS, 2)
        if numbers.dtype != _DTYPES[precision]:
            raise damaged(folder / NUMBERS)
        steps = mapped_array(folder / STEPS, 1) if precision == "int8" else None
        return cls(numbers, steps, mapped_array(folder / SIGNS, 2) if precision == "bits" else None)

    def values(self, rows: Integers) -> Floats:
        """Return the stored vectors of the rows with the numbers `rows`, int64 [n], as float64 [n, width].

        In the precision `int8` the numbers are multiplied by their row's step. Rows are counted from 0 within the
        segment.
        """
        values = self.numbers[rows].astype(np.float64)
        return values if self.steps is None else values * self.steps[rows, None]

    def cosines(self, query: Floats, rows: Integers) -> Floats:
        """Return the cosine of a query with each of some rows, float64 [n].

        A cosine is the same to the bit whichever other rows are computed with it.

        Args:
            query: a unit vector, float64 [width].
            rows: row numbers in the segment, from 0, int64 [n].
        """
        chunks = [rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE)]
        products = [np.einsum("nd,d->n", self.values(chunk), query) for chunk in chunks]
        return np.concatenate(products) if products else np.zeros(0)


def write_vectors(
    folder: Path, blocks: Iterable[NDArray[np.float32]], shape: tuple[int, int], precision: Precision
) -> None:
    """Write vectors that are added to an index together, scaled to length 1, with one block in memory at a time.

    Args:
        folder: the folder to write into.
        blocks: the vectors in order, as arrays float32 [n, width].
        shape: number of vectors, and their width.
        precision: how the vectors are stored.

    Raises:
        BadInput: a vector holds NaN or infinity.
    """
    rows, width = shape
    signs = open_memmap(folder / SIGNS, "w+", np.uint64, (-(-width // _WORD), rows)) if precision == "bits" else None
    steps, start = np.zeros(rows, np.float32), 0
    header = {
        "descr": np.lib.format.dtype_to_descr(np.dtype(_DTYPES[precision])),
        "fortran_order": False,
        "shape": shape,
    }
    with (folder / NUMBERS).open("wb") as file:  # not memory-mapped: pages would stay in memory until they are written
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            if not np.isfinite(block).all():
                raise BadInput("a vector holds NaN or infinity", mend="embed the texts again")
            vectors, end = unit_or_zero(np.asarray(block, np.float32)), start + len(block)
            if precision == "int8":
                steps[start:end] = step = np.abs(vectors).max(axis=1) / _LARGEST
                vectors = np.rint(vectors / np.where(step > 0, step, 1)[:, None])
            if signs is not None:
                signs[:, start:end] = signs_of(vectors)
            file.write(vectors.astype(_DTYPES[precision]).tobytes())
            start = end
    if precision == "int8":
        np.save(folder / STEPS, steps)
    if signs is not None:
        signs.flush()


def signs_of(vectors: NDArray[np.floating]) -> NDArray[np.uint64]:
    """Return the signs of vectors, packed into words of 64 bits, uint64 [ceil(width / 64), vectors].

    A number above 0 has a bit of 1, any other number a bit of 0.

    Args:
        vectors: [vectors, width].
    """
    packed = to_bits(vectors)
    padded = np.zeros((len(vectors), -(-vectors.shape[1] // _WORD) * _WORD // 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)


def values_of(segment_vectors: Sequence[StoredVectors], rows: Integers) -> Floats:
    """Return the vectors of some rows of an index, float64 [n, width]; int8 numbers are multiplied by their steps.

    Args:
        segment_vectors: the stored vectors of each segment (rows that were added together); rows are numbered through
            all segments in order.
        rows: row numbers in the index, from 0 through all segments, int64 [n].
    """
    values, first = np.empty((len(rows), segment_vectors[0].width)), 0
    for vectors in segment_vectors:
        inside = (rows >= first) & (rows < first + len(vectors))
        values[inside] = vectors.values(rows[inside] - first)
        first += len(vectors)
    return values


def damaged(path: Path) -> BadInput:
    """Return the error for a file of an index that cannot be read."""
    return BadInput("this file of the index is missing or damaged", where=str(path), mend="build the index again")


def mapped_array(path: Path, dimensions: int) -> NDArray[Any]:
    """Memory-map an array of an index, in its stored shape.

    Args:
        path: a `.npy` file.
        dimensions: number of dimensions that the array must have.

    Raises:
        BadInput: the file is missing or damaged.
    """
    try:
        mapped: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise damaged(path) from error
    if mapped.ndim != dimensions:
        raise damaged(path)
    return mapped
